// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/outputs.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <span>

#include "common/base/error.h"
#include "common/verify/compare.h"

namespace warpgrade::grader::cases {
namespace {

verify::Matrix matrix(const SizedBuffer& shape, const run::Buffer& content) {
  return {shape.type, shape.rows, shape.columns, std::span<const std::byte>(content.bytes),
          shape.name};
}

template <typename T>
double sum_of(const std::vector<std::byte>& bytes) {
  double sum = 0;
  for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    sum += static_cast<double>(value);
  }
  return sum;
}

// Exact in any order if the elements are small multiples of a power of two. The manifest's fill
// ensures that.
double total(verify::ElementType type, const std::vector<std::byte>& bytes) {
  switch (type) {
    case verify::ElementType::kI32:
      return sum_of<std::int32_t>(bytes);
    case verify::ElementType::kU32:
      return sum_of<std::uint32_t>(bytes);
    case verify::ElementType::kF32:
      return sum_of<float>(bytes);
    case verify::ElementType::kF64:
      return sum_of<double>(bytes);
    default:
      throw base::UsageError("comparison \"total\" is for outputs of i32, u32, f32 and f64");
  }
}

// The matrix that a misplaced element may have come from: the first input of the same type.
verify::Matrix source_of(const std::vector<SizedBuffer>& buffers, verify::ElementType type,
                         const Expected& expected) {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].is_read_only() && buffers[i].type == type) {
      return matrix(buffers[i], expected.before.at(i));
    }
  }
  return {};
}

// Whether the wrong element has its value from `before`, which may be empty.
bool is_unchanged(const verify::Difference& difference, const verify::Matrix& got,
                  const std::vector<std::byte>& before) {
  const auto size = verify::size_of(got.type);
  const auto at = (difference.row * got.columns + difference.column) * size;
  return at < before.size() && std::memcmp(before.data() + at, got.bytes.data() + at, size) == 0;
}

}  // namespace

std::optional<verify::OutputDifference> total_difference(const SizedBuffer& buffer,
                                                         const std::vector<std::byte>& right,
                                                         const std::vector<std::byte>& got) {
  const auto want = total(buffer.type, right);
  const auto have = total(buffer.type, got);
  // NaN, the value of an element never written, differs from everything.
  if (have == want) return std::nullopt;
  verify::OutputDifference out;
  out.element = buffer.name;
  out.expected = fmt::format("{}", want);
  out.got = fmt::format("{}", have);
  out.text = fmt::format("the elements of {} add up to {}, but should add up to {}", out.element,
                         out.got, out.expected);
  return out;
}

std::optional<verify::OutputDifference> first_difference(const std::vector<SizedBuffer>& buffers,
                                                         const Expected& expected,
                                                         const std::vector<run::Buffer>& got) {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto& buffer = buffers[i];
    if (!buffer.is_output()) continue;
    const auto& right = expected.after.at(i);
    const auto& mine = got.at(i);
    if (buffer.has_total()) {
      if (auto wrong = total_difference(buffer, right.bytes, mine.bytes)) return wrong;
      continue;
    }
    const bool is_inout = buffer.is_input();
    const auto& before = expected.before.at(i).bytes;
    auto difference = verify::compare(
        matrix(buffer, right), matrix(buffer, mine),
        is_inout ? std::span<const std::byte>() : std::span<const std::byte>(before),
        source_of(buffers, buffer.type, expected), buffer.tolerance());
    if (difference) {
      if (is_inout && is_unchanged(*difference, matrix(buffer, mine), before)) {
        difference->cause = {verify::CauseKind::kUnwritten,
                             "unchanged: this is the content from before the launch"};
      }
      return verify::describe(*difference, matrix(buffer, mine), buffer.name);
    }
  }
  return std::nullopt;
}

}  // namespace warpgrade::grader::cases

// SPDX-License-Identifier: Apache-2.0
// The parts of a launch that need bytes: its arguments, and the initial content of its buffers.
//
// Arguments get the addresses of buffers. Content is made in pieces on demand, so that a launch
// with gigabytes needs no host memory for it.
#include "common/run/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/error.h"

namespace warpgrade::run {
namespace {

constexpr std::size_t kPointerBytes = 8;

void put_address(const PointerField& field, const std::vector<std::uint64_t>& addresses,
                 ValueArgument& bytes) {
  if (field.buffer >= addresses.size()) {
    throw base::UsageError(fmt::format("an argument names buffer {}, but the launch has {}",
                                       field.buffer, addresses.size()));
  }
  if (bytes.size() < kPointerBytes || field.offset > bytes.size() - kPointerBytes) {
    throw base::UsageError(fmt::format("an address at byte {} does not fit into a struct of {}",
                                       field.offset, bytes.size()));
  }
  std::memcpy(bytes.data() + field.offset, &addresses[field.buffer], kPointerBytes);
}

}  // namespace

ValueArgument bytes_of(const Argument& argument, const std::vector<std::uint64_t>& addresses) {
  if (const auto* value = std::get_if<ValueArgument>(&argument)) return *value;
  if (const auto* buffer = std::get_if<BufferArgument>(&argument)) {
    ValueArgument out(kPointerBytes);
    put_address({0, buffer->index}, addresses, out);
    return out;
  }
  const auto& structure = std::get<StructArgument>(argument);
  auto out = structure.bytes;
  for (const auto& field : structure.pointers) put_address(field, addresses, out);
  return out;
}

namespace {

// Fits in the L1 cache; a multiple of every element size.
constexpr std::uint64_t kPiece = 8192;

}  // namespace

Pattern pattern_of(Buffer buffer, std::uint64_t bytes) {
  Pattern out;
  out.name = buffer.name;
  out.element_bytes = buffer.element_bytes;
  out.read_only = buffer.read_only;
  out.defined = buffer.defined;
  out.bytes = bytes;
  out.period = std::min<std::uint64_t>(buffer.bytes.size(), bytes);
  out.make = [content = std::make_shared<const std::vector<std::byte>>(std::move(buffer.bytes))](
                 std::uint64_t first, std::span<std::byte> to) {
    std::memcpy(to.data(), content->data() + first, to.size());
  };
  return out;
}

std::vector<Pattern> patterns_of(const std::vector<Buffer>& buffers) {
  std::vector<Pattern> out;
  for (const auto& buffer : buffers) out.push_back(pattern_of(buffer, buffer.bytes.size()));
  return out;
}

std::uint64_t least_traffic(const std::vector<Pattern>& patterns) {
  std::uint64_t sum = 0;
  for (const auto& pattern : patterns) {
    const bool is_written = !pattern.read_only && pattern.is_compared;
    sum += pattern.bytes * ((pattern.defined ? 1 : 0) + (is_written ? 1 : 0));
  }
  return sum;
}

Buffer made(const Pattern& pattern) {
  Buffer out;
  out.name = pattern.name;
  out.element_bytes = pattern.element_bytes;
  out.read_only = pattern.read_only;
  out.defined = pattern.defined;
  // In pieces that are appended once complete, because resizing first would write the vector twice.
  auto& bytes = out.bytes;
  bytes.reserve(pattern.bytes);
  std::array<std::byte, kPiece> piece;
  while (bytes.size() < pattern.period) {
    const auto part = std::span(piece).first(std::min(kPiece, pattern.period - bytes.size()));
    pattern.make(bytes.size(), part);
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  bytes.resize(pattern.bytes);
  for (auto done = pattern.period; done < bytes.size(); done *= 2) {
    std::memcpy(bytes.data() + done, bytes.data(), std::min(done, bytes.size() - done));
  }
  return out;
}

std::vector<Buffer> made(const std::vector<Pattern>& patterns) {
  std::vector<Buffer> out;
  for (const auto& pattern : patterns) out.push_back(made(pattern));
  return out;
}

}  // namespace warpgrade::run

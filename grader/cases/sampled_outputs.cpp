// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/sampled_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/sim/memory/sparse_lanes.h"
#include "common/sim/simulator.h"
#include "common/verify/compare.h"
#include "common/verify/ulps.h"

namespace warpgrade::grader {
namespace {

// The output that is compared, and its place among the buffers.
struct Output {
  const Parameter* parameter = nullptr;
  std::size_t buffer = 0;
};

Output only_output(const Exercise& exercise) {
  Output out;
  std::size_t buffer = 0;
  for (const auto* parameter : buffers_of(exercise.parameters)) {
    if (parameter->is_compared()) out = {parameter, buffer};
    ++buffer;
  }
  return out;
}

double touched_inputs(const std::vector<sim::SparseBuffer>& buffers) {
  double touched = 0;
  double all = 0;
  for (const auto& buffer : buffers) {
    if (!buffer.pattern().read_only) continue;
    all += static_cast<double>(buffer.pattern().bytes);
    for (const auto& piece : buffer.made()) touched += static_cast<double>(piece.bytes);
  }
  return all > 0 ? touched / all : 0;
}

template <typename Bits>
bool same_bits(const std::byte* a, const std::byte* b) {
  Bits x = 0;
  Bits y = 0;
  std::memcpy(&x, a, sizeof x);
  std::memcpy(&y, b, sizeof y);
  return x == y;
}

// Whether two elements of `size` bytes are equal. There are millions of them, and nearly all have a
// size for which this needs no call.
bool same_element(const std::byte* a, const std::byte* b, std::size_t size) {
  if (size == 4) return same_bits<std::uint32_t>(a, b);
  if (size == 8) return same_bits<std::uint64_t>(a, b);
  return std::memcmp(a, b, size) == 0;
}

// Whether `got` is a right element: the reference's bits, or at most `ulps` steps away from them.
bool is_near(verify::ElementType type, const std::byte* got, const std::byte* right,
             std::uint64_t ulps) {
  return same_element(got, right, verify::size_of(type)) ||
         (ulps != 0 && verify::ulps_between(type, got, right) <= ulps);
}

// The name of the first input that has changed.
std::string modified_input(const std::vector<sim::SparseBuffer>& buffers) {
  for (const auto& buffer : buffers) {
    if (!buffer.pattern().read_only || !buffer.is_written()) continue;
    for (const auto& piece : buffer.made()) {
      const auto before = buffer.first_content(piece);
      if (std::memcmp(before.data(), piece.content, piece.bytes) != 0) {
        return buffer.pattern().name;
      }
    }
  }
  return {};
}

// Limit on executed blocks of the reference. A kernel that is wrong only at sizes without a small
// case is wrong in more than one place.
constexpr std::size_t kMostBlocks = 1024;

// Elements of a buffer that the launch has changed, ascending, and their bytes.
struct Written {
  std::vector<std::uint64_t> elements;
  std::vector<std::byte> bytes;
};

Written written_elements(const sim::SparseBuffer& buffer) {
  const auto size = buffer.pattern().element_bytes;
  Written out;
  auto pieces = buffer.made();
  std::ranges::sort(pieces, {}, &sim::SparseBuffer::Piece::begin);
  for (const auto& piece : pieces) {
    const auto before = buffer.first_content(piece);
    const auto* const now = piece.content;
    if (std::memcmp(before.data(), now, piece.bytes) == 0) continue;
    const auto first = out.elements.size();
    for (std::uint64_t at = 0; at < piece.bytes; at += size) {
      if (!same_element(before.data() + at, now + at, size)) {
        out.elements.push_back((piece.begin + at) / size);
      }
    }
    if (out.elements.size() - first == piece.bytes / size) {  // as for most
      out.bytes.insert(out.bytes.end(), now, now + piece.bytes);
      continue;
    }
    for (auto i = first; i < out.elements.size(); ++i) {
      const auto* const element = now + (out.elements[i] * size - piece.begin);
      out.bytes.insert(out.bytes.end(), element, element + size);
    }
  }
  return out;
}

// The blocks that make `elements`, ascending; of too many the last, and others evenly.
std::vector<std::uint64_t> blocks_of(const std::vector<std::uint64_t>& elements,
                                     std::uint64_t elements_per_block) {
  std::vector<std::uint64_t> all;
  std::uint64_t end = 0;  // of the last block's elements
  for (const auto element : elements) {
    if (element < end) continue;
    all.push_back(element / elements_per_block);
    end = (all.back() + 1) * elements_per_block;
  }
  const auto step = (all.size() + kMostBlocks - 1) / kMostBlocks;
  std::vector<std::uint64_t> out;
  for (std::size_t i = (all.size() - 1) % step; i < all.size(); i += step) out.push_back(all[i]);
  return out;
}

std::vector<run::BlockRange> ranges_of(const std::vector<std::uint64_t>& blocks) {
  std::vector<run::BlockRange> out;
  for (const auto block : blocks) {
    if (!out.empty() && block == out.back().end) {
      ++out.back().end;
    } else {
      out.push_back({block, block + 1});
    }
  }
  return out;
}

// Runs some of the reference's blocks.
void run_reference(const ReferenceLaunch& reference, std::vector<run::BlockRange> blocks,
                   std::vector<sim::SparseBuffer>& buffers) {
  run::Options options;
  options.blocks = std::move(blocks);
  sim::Simulator simulator;
  simulator.load(*reference.program);
  const auto result = simulator.launch(reference.launch, buffers, options);
  for (const auto& found : result.diagnostics) {
    if (found.kind == base::DiagnosticKind::kUninitializedRead) continue;
    throw base::ToolError("the lab's own reference failed on some of its blocks: " +
                          base::text(found));
  }
}

}  // namespace

SampledOutputs check_sample(const Exercise& exercise, const Variables& variables,
                            const ReferenceLaunch& reference, std::vector<sim::SparseBuffer>& got) {
  SampledOutputs out;
  out.modified_input = modified_input(got);
  if (!out.modified_input.empty()) return out;
  if (!exercise.elements_per_block) {
    out.done = touched_inputs(got);
    return out;
  }
  const auto [parameter, index] = only_output(exercise);
  const auto rows = evaluate_count(parameter->rows, variables);
  const auto columns = evaluate_count(parameter->columns, variables);
  const auto size = verify::size_of(parameter->type);
  const auto [elements, bytes] = written_elements(got.at(index));
  out.done = static_cast<double>(elements.size()) / static_cast<double>(rows * columns);
  if (elements.empty()) return out;

  const auto elements_per_block = evaluate_count(*exercise.elements_per_block, variables);
  const auto blocks = blocks_of(elements, elements_per_block);
  run_reference(reference, ranges_of(blocks), got);
  const auto ulps = parameter->comparison == OutputComparison::kUlps
                        ? evaluate_count(parameter->ulps, variables)
                        : 0;
  verify::Difference difference;
  std::uint64_t compared = 0;
  sim::SparseLanes of_reference(/*writes=*/false);
  auto block = blocks.begin();
  auto end = (*block + 1) * elements_per_block;  // of this block's elements
  for (std::size_t i = 0; i < elements.size(); ++i) {
    while (elements[i] >= end) {
      if (++block == blocks.end()) break;
      end = (*block + 1) * elements_per_block;
    }
    if (block == blocks.end()) break;
    if (elements[i] < *block * elements_per_block) continue;
    ++compared;
    const auto* mine = bytes.data() + i * size;
    const auto* right = of_reference.at(got[index], elements[i] * size);
    if (is_near(parameter->type, mine, right, ulps) || difference.count++ != 0) continue;
    difference.row = elements[i] / columns;
    difference.column = elements[i] % columns;
    difference.expected = verify::format(parameter->type, right);
    difference.got = verify::format(parameter->type, mine);
  }
  if (difference.count != 0) {
    out.difference = verify::describe(
        difference, {parameter->type, rows, columns, {}, parameter->name}, parameter->name);
    out.difference->text = fmt::format(
        "{}: expected {}, got {}; {} of {} elements that were compared differ",
        out.difference->element, difference.expected, difference.got, difference.count, compared);
  }
  return out;
}

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/sampled_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/sim/memory/sparse_lanes.h"
#include "common/sim/simulator.h"
#include "common/verify/compare.h"
#include "common/verify/ulps.h"

namespace warpgrade::grader::cases {
namespace {

// The index of the compared output among the buffers.
std::size_t only_output(const std::vector<SizedBuffer>& buffers) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].is_output()) out = i;
  }
  return out;
}

double touched_inputs(const std::vector<sim::SparseBuffer>& buffers) {
  double touched = 0;
  double all = 0;
  for (const auto& buffer : buffers) {
    if (!buffer.pattern().read_only) continue;
    all += static_cast<double>(buffer.pattern().bytes);
    touched += static_cast<double>(buffer.bytes_read());
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

// Whether two elements of `size` bytes are equal. There are millions of elements, and nearly all
// have a size that needs no call of memcmp().
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
constexpr std::size_t kMostBlocks = 256;

// Elements [begin, end).
struct Run {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

void append(std::uint64_t begin, std::uint64_t end, std::vector<Run>& runs) {
  if (!runs.empty() && runs.back().end == begin) {
    runs.back().end = end;
  } else {
    runs.push_back({begin, end});
  }
}

std::uint64_t element_count(const std::vector<Run>& runs) {
  std::uint64_t sum = 0;
  for (const auto& [begin, end] : runs) sum += end - begin;
  return sum;
}

// The number of elements in `bytes` bytes that differ.
template <typename Bits>
std::uint64_t differing(const std::byte* a, const std::byte* b, std::uint64_t bytes) {
  std::uint64_t count = 0;
  for (std::uint64_t at = 0; at < bytes; at += sizeof(Bits)) {
    count += same_bits<Bits>(a + at, b + at) ? 0U : 1U;
  }
  return count;
}

// Whether all elements differ; false if their size is unusual.
bool all_differ(const std::byte* a, const std::byte* b, std::uint64_t bytes, std::size_t size) {
  if (size == 4) return differing<std::uint32_t>(a, b, bytes) == bytes / size;
  return size == 8 && differing<std::uint64_t>(a, b, bytes) == bytes / size;
}

// Elements of a buffer that the launch has changed, ascending.
std::vector<Run> written_elements(const sim::SparseBuffer& buffer) {
  const auto size = buffer.pattern().element_bytes;
  std::vector<Run> out;
  for (const auto& piece : buffer.made()) {
    const auto before = buffer.first_content(piece);
    const auto first = piece.begin / size;
    if (all_differ(before.data(), piece.content, piece.bytes, size)) {  // as in most pieces
      append(first, first + piece.bytes / size, out);
      continue;
    }
    for (std::uint64_t i = 0; i < piece.bytes / size; ++i) {
      if (!same_element(before.data() + i * size, piece.content + i * size, size)) {
        append(first + i, first + i + 1, out);
      }
    }
  }
  return out;
}

// The blocks that write `elements`, ascending. If there are too many, an even selection that
// includes the last one.
std::vector<std::uint64_t> blocks_of(const std::vector<Run>& elements,
                                     std::uint64_t elements_per_block) {
  std::vector<std::uint64_t> all;
  for (const auto& [begin, end] : elements) {
    const auto last = (end - 1) / elements_per_block;
    auto block = begin / elements_per_block;
    if (!all.empty()) block = std::max(block, all.back() + 1);
    for (; block <= last; ++block) all.push_back(block);
  }
  const auto step = (all.size() + kMostBlocks - 1) / kMostBlocks;
  std::vector<std::uint64_t> out;
  for (std::size_t i = (all.size() - 1) % step; i < all.size(); i += step) out.push_back(all[i]);
  return out;
}

// The part of `elements` that `blocks` write.
std::vector<Run> part_of(const std::vector<Run>& elements, const std::vector<std::uint64_t>& blocks,
                         std::uint64_t elements_per_block) {
  std::vector<Run> out;
  auto run = elements.begin();
  for (const auto block : blocks) {
    const auto begin = block * elements_per_block;
    const auto end = begin + elements_per_block;
    while (run != elements.end() && run->end <= begin) ++run;
    for (auto at = run; at != elements.end() && at->begin < end; ++at) {
      append(std::max(at->begin, begin), std::min(at->end, end), out);
    }
  }
  return out;
}

// Calls `visit` with each element of `runs` and its bytes in `buffer`.
template <typename Visit>
void for_each_element(const std::vector<Run>& runs, sim::SparseBuffer& buffer, const Visit& visit) {
  const auto size = buffer.pattern().element_bytes;
  sim::SparseLanes lanes(/*writes=*/false);
  for (const auto& [begin, end] : runs) {
    for (auto element = begin; element < end; ++element) {
      visit(element, lanes.at(buffer, element * size));
    }
  }
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

SampledOutputs check_sample(const SizedCase& sized, const ReferenceLaunch& reference,
                            std::vector<sim::SparseBuffer>& got) {
  SampledOutputs out;
  out.modified_input = modified_input(got);
  if (!out.modified_input.empty()) return out;
  if (!sized.elements_per_block) {
    out.done = touched_inputs(got);
    return out;
  }
  const auto place = only_output(sized.buffers);
  const auto& output = sized.buffers.at(place);
  const auto size = verify::size_of(output.type);
  auto& buffer = got.at(place);
  const auto elements = written_elements(buffer);
  out.done = static_cast<double>(element_count(elements)) / static_cast<double>(output.elements());
  if (elements.empty()) return out;

  const auto blocks = blocks_of(elements, *sized.elements_per_block);
  const auto compared = part_of(elements, blocks, *sized.elements_per_block);
  std::vector<std::byte> bytes;
  bytes.reserve(element_count(compared) * size);
  for_each_element(compared, buffer, [&](std::uint64_t /*element*/, const std::byte* mine) {
    bytes.insert(bytes.end(), mine, mine + size);
  });
  run_reference(reference, ranges_of(blocks), got);
  verify::Difference difference;
  const auto* mine = bytes.data();
  for_each_element(compared, buffer, [&](std::uint64_t element, const std::byte* right) {
    const auto* const one = std::exchange(mine, mine + size);
    if (is_near(output.type, one, right, output.most_ulps()) || difference.count++ != 0) return;
    difference.row = element / output.columns;
    difference.column = element % output.columns;
    difference.expected = verify::format(output.type, right);
    difference.got = verify::format(output.type, one);
  });
  if (difference.count != 0) {
    out.difference = verify::describe(
        difference, {output.type, output.rows, output.columns, {}, output.name}, output.name);
    out.difference->text =
        fmt::format("{}: expected {}, got {}; {} of {} elements that were compared differ",
                    out.difference->element, difference.expected, difference.got, difference.count,
                    element_count(compared));
  }
  return out;
}

}  // namespace warpgrade::grader::cases

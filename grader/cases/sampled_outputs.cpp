// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/sampled_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/base/place.h"
#include "common/run/launch.h"
#include "common/sim/memory/sparse_buffer.h"
#include "common/sim/simulator.h"
#include "common/verify/compare.h"
#include "common/verify/element.h"
#include "grader/cases/reference.h"
#include "grader/cases/sized_case.h"

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

// Whether `got` is a right element: the reference's bits, or within `tolerance` of them.
bool is_near(verify::ElementType type, const std::byte* got, const std::byte* right,
             const verify::Tolerance& tolerance) {
  return same_element(got, right, verify::size_of(type)) ||
         (tolerance.ulps != 0 && verify::is_within(type, right, got, tolerance));
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

constexpr std::uint64_t kWordBits = 64;  // of AllBlocks::written_
// Blocks of the reference that are executed, and up to so many if they are short: a copy that is
// wrong in one of 64 blocks goes unseen with a probability of 0.002.
constexpr std::uint64_t kMostBlocks = 256;
constexpr std::uint64_t kMostShortBlocks = 512;
// Limit on the warp instructions of those.
constexpr std::uint64_t kMostForShort = std::uint64_t{1} << 19;
// Blocks of the reference if the sample is not complete.
constexpr std::uint64_t kMostBlocksIfIncomplete = 4096;

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

// The blocks that write `elements`, ascending.
std::vector<std::uint64_t> blocks_of(const std::vector<Run>& elements,
                                     std::uint64_t elements_per_block) {
  std::vector<std::uint64_t> all;
  for (const auto& [begin, end] : elements) {
    const auto last = (end - 1) / elements_per_block;
    auto block = begin / elements_per_block;
    if (!all.empty()) block = std::max(block, all.back() + 1);
    for (; block <= last; ++block) all.push_back(block);
  }
  return all;
}

// An even selection of at most `most` blocks that includes the last one.
std::vector<std::uint64_t> selection(const std::vector<std::uint64_t>& all, std::uint64_t most) {
  const auto step = (all.size() + most - 1) / most;
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

// A block may read some pieces of the input more or fewer than others.
constexpr double kMostUnread = 0.005;

// Limit on offsets that 32 bits can hold. An offset that wraps moves the last element first.
constexpr std::uint64_t kLargestOffset = std::uint64_t{1} << 32;

// Whether the elements are `count` whole tiles, if the output is cut into `across` times `down`
// tiles.
bool are_whole_tiles(const SizedBuffer& output, const std::vector<Run>& elements,
                     std::uint64_t across, std::uint64_t down, std::uint64_t count) {
  const auto columns = output.columns;
  const auto width = (columns + across - 1) / across;
  const auto height = (output.rows + down - 1) / down;
  std::vector<std::uint64_t> changed(across * down);
  for (auto [begin, end] : elements) {
    while (begin < end) {
      const auto tile = begin % columns / width;
      const auto stop =
          std::min(end, begin - begin % columns + std::min((tile + 1) * width, columns));
      changed[begin / columns / height * across + tile] += stop - begin;
      begin = stop;
    }
  }
  std::uint64_t touched = 0;
  for (std::uint64_t tile = 0; tile < changed.size(); ++tile) {
    if (changed[tile] == 0) continue;
    const auto area = std::min(width, columns - tile % across * width) *
                      std::min(height, output.rows - tile / across * height);
    if (changed[tile] != area) return false;
    ++touched;
  }
  return touched == count;
}

// Finds out whether elements form tiles of `width` times `height` that may be displaced. A gap
// between tiles must have room for a tile, or it is a hole in one. At the border, tiles and gaps
// may be half as large.
class DisplacedTiles {
 public:
  DisplacedTiles(const SizedBuffer& output, std::uint64_t width, std::uint64_t height)
      : rows_(output.rows), columns_(output.columns), width_(width), height_(height) {}

  bool match(const std::vector<Run>& elements) {
    for (auto [begin, end] : elements) {
      while (begin < end) {
        const auto row = begin / columns_;
        const auto stop = std::min(end, (row + 1) * columns_);
        if (row != row_ || cells_.empty()) end_row(row);
        append(begin - row * columns_, stop - row * columns_, cells_);
        begin = stop;
      }
    }
    end_row(rows_);
    end_tiles();
    return has_no_gap_ && is_gap(end_of_last_, rows_, rows_, height_);
  }

 private:
  // Whether [begin, end), of a row or column with `all` elements, has room for a tile of `size`.
  static bool has_room(std::uint64_t begin, std::uint64_t end, std::uint64_t all,
                       std::uint64_t size) {
    const bool is_at_border = begin == 0 || end == all;
    return end - begin >= (is_at_border ? (size + 1) / 2 : size);
  }
  static bool is_gap(std::uint64_t begin, std::uint64_t end, std::uint64_t all,
                     std::uint64_t size) {
    return begin == end || has_room(begin, end, all, size);
  }

  // Rows with the same cells are in the same tiles.
  void end_row(std::uint64_t next) {
    if (!cells_.empty()) {
      std::uint64_t at = 0;
      for (const auto& [begin, end] : cells_) {
        has_no_gap_ &= is_gap(at, begin, columns_, width_);
        at = end;
      }
      has_no_gap_ &= is_gap(at, columns_, columns_, width_);
      const bool goes_on = row_ == end_of_last_ &&
                           std::ranges::equal(cells_, tiles_, {}, &Run::begin, &Run::begin) &&
                           std::ranges::equal(cells_, tiles_, {}, &Run::end, &Run::end);
      if (!goes_on) {
        end_tiles();
        has_no_gap_ &= is_gap(end_of_last_, row_, rows_, height_);
        tiles_ = cells_;
        first_row_ = row_;
      }
      end_of_last_ = row_ + 1;
      cells_.clear();
    }
    row_ = next;
  }

  void end_tiles() {
    has_no_gap_ &= tiles_.empty() || has_room(first_row_, end_of_last_, rows_, height_);
  }

  std::uint64_t rows_;
  std::uint64_t columns_;
  std::uint64_t width_;
  std::uint64_t height_;
  std::uint64_t row_ = 0;
  std::vector<Run> cells_;  // of the row
  std::vector<Run> tiles_;  // of the rows before, from first_row_ to end_of_last_
  std::uint64_t first_row_ = 0;
  std::uint64_t end_of_last_ = 0;
  bool has_no_gap_ = true;
};

bool are_displaced_tiles(const SizedBuffer& output, const std::vector<Run>& elements,
                         const base::Dim3& grid, std::uint64_t executed) {
  constexpr double kMostAtBorder = 0.02;
  const double expected = static_cast<double>(output.elements()) * static_cast<double>(executed) /
                          static_cast<double>(base::volume(grid));
  const auto count = static_cast<double>(element_count(elements));
  if (std::abs(count / expected - 1) > kMostAtBorder) return false;
  const auto match = [&](std::uint64_t across, std::uint64_t down) {
    return DisplacedTiles(output, (output.columns + across - 1) / across,
                          (output.rows + down - 1) / down)
        .match(elements);
  };
  return match(grid.x, grid.y) || match(grid.y, grid.x);
}

// Whether `executed` blocks have changed all that so many blocks must change.
bool is_complete(const SizedBuffer& output, const std::vector<Run>& elements,
                 const base::Dim3& grid, std::uint64_t executed) {
  const auto all = output.elements();
  const auto count = element_count(elements);
  if (count == all) return true;
  const bool may_wrap = all * verify::size_of(output.type) > kLargestOffset;
  if (may_wrap && (elements.empty() || elements.back().end != all)) return false;
  // Both products are below 2^63: at most 2^31 elements, and 2^32 blocks.
  if (count * base::volume(grid) == all * executed) return true;
  return are_whole_tiles(output, elements, grid.x, grid.y, executed) ||
         are_whole_tiles(output, elements, grid.y, grid.x, executed);
}

// Runs some of the reference's blocks, all if `blocks` is empty. Returns the warp instructions.
std::uint64_t run_reference(const ReferenceLaunch& reference, std::vector<run::BlockRange> blocks,
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
  return run::warp_instructions(result);
}

// Compares elements of a buffer with the reference's, which replace them.
class Comparison {
 public:
  Comparison(const SizedBuffer& output, std::uint64_t per_block, sim::SparseBuffer& buffer)
      : output_(output), per_block_(per_block), buffer_(buffer) {}

  /// Compares the part of `elements` that `blocks` write; `execute` runs these.
  template <typename Execute>
  void add(const std::vector<Run>& elements, const std::vector<std::uint64_t>& blocks,
           const Execute& execute) {
    const auto size = verify::size_of(output_.type);
    const auto compared = part_of(elements, blocks, per_block_);
    count_ += element_count(compared);
    std::vector<std::byte> bytes;
    bytes.reserve(element_count(compared) * size);
    for_each_element(compared, buffer_, [&](std::uint64_t /*element*/, const std::byte* mine) {
      bytes.insert(bytes.end(), mine, mine + size);
    });
    execute();
    const auto* mine = bytes.data();
    for_each_element(compared, buffer_, [&](std::uint64_t element, const std::byte* right) {
      const auto* const one = std::exchange(mine, mine + size);
      if (is_near(output_.type, one, right, output_.tolerance())) return;
      if (difference_.count++ != 0) return;
      difference_.row = element / output_.columns;
      difference_.column = element % output_.columns;
      difference_.expected = verify::format(output_.type, right);
      difference_.got = verify::format(output_.type, one);
    });
  }

  std::optional<verify::OutputDifference> difference() const {
    if (difference_.count == 0) return std::nullopt;
    auto out = verify::describe(
        difference_, {output_.type, output_.rows, output_.columns, {}, output_.name}, output_.name);
    out.text =
        fmt::format("{}: expected {}, got {}; {} of {} elements that were compared differ",
                    out.element, difference_.expected, difference_.got, difference_.count, count_);
    return out;
  }

 private:
  const SizedBuffer& output_;
  std::uint64_t per_block_;
  sim::SparseBuffer& buffer_;
  std::uint64_t count_ = 0;  // of compared elements
  verify::Difference difference_;
};

}  // namespace

SampledOutputs check_sample(const SizedCase& sized, const ReferenceLaunch& reference,
                            const base::Dim3& grid, std::uint64_t executed,
                            std::vector<sim::SparseBuffer>& got, Thoroughness thoroughness) {
  SampledOutputs out;
  out.modified_input = modified_input(got);
  if (!out.modified_input.empty()) return out;
  if (!sized.elements_per_block) {
    const auto share = static_cast<double>(executed) / static_cast<double>(base::volume(grid));
    out.done = std::min(touched_inputs(got), share);  // Blocks may read what others read.
    out.is_complete = out.done >= share * (1 - kMostUnread);
    return out;
  }
  const auto place = only_output(sized.buffers);
  const auto& output = sized.buffers.at(place);
  auto& buffer = got.at(place);
  const auto elements = written_elements(buffer);
  out.done = static_cast<double>(element_count(elements)) / static_cast<double>(output.elements());
  out.is_complete = is_complete(output, elements, grid, executed);
  if (elements.empty()) return out;
  out.are_displaced_tiles =
      !out.is_complete && are_displaced_tiles(output, elements, grid, executed);

  Comparison comparison(output, *sized.elements_per_block, buffer);
  const auto all = blocks_of(elements, *sized.elements_per_block);
  // An element in a wrong place may be all that is wrong.
  const auto blocks = selection(all, out.is_complete ? kMostBlocks : kMostBlocksIfIncomplete);
  std::uint64_t instructions = 1;
  comparison.add(elements, blocks,
                 [&] { instructions += run_reference(reference, ranges_of(blocks), got); });
  const auto most = std::min(kMostShortBlocks, kMostForShort * blocks.size() / instructions);
  if (thoroughness == Thoroughness::kMore && most > kMostBlocks && all.size() > blocks.size()) {
    std::vector<std::uint64_t> others;
    std::ranges::set_difference(selection(all, most), blocks, std::back_inserter(others));
    if (!others.empty()) {  // No ranges would be all blocks.
      comparison.add(elements, others, [&] { run_reference(reference, ranges_of(others), got); });
    }
  }
  out.difference = comparison.difference();
  return out;
}

AllBlocks::AllBlocks(const SizedCase& sized, const std::vector<run::Pattern>& patterns)
    : sized_(sized), patterns_(patterns), place_(only_output(sized.buffers)) {
  const auto& output = sized.buffers.at(place_);
  if (output.has_total()) {
    content_ = run::made(patterns.at(place_)).bytes;
  } else {
    written_.resize((output.elements() + kWordBits - 1) / kWordBits);
  }
}

void AllBlocks::add(const std::vector<sim::SparseBuffer>& buffers) {
  const auto size = buffers.at(place_).pattern().element_bytes;
  for (const auto& piece : buffers.at(place_).made()) {
    const auto before = buffers.at(place_).first_content(piece);
    const auto first = piece.begin / size;
    if (content_.empty() && all_differ(before.data(), piece.content, piece.bytes, size)) {
      // At most 32 elements, which do not cross a word.
      const auto bits = (std::uint64_t{1} << piece.bytes / size) - 1;
      written_[first / kWordBits] |= bits << first % kWordBits;
      continue;
    }
    for (std::uint64_t at = 0; at < piece.bytes; at += size) {
      if (same_element(before.data() + at, piece.content + at, size)) continue;
      if (content_.empty()) {
        const auto element = first + at / size;
        written_[element / kWordBits] |= std::uint64_t{1} << element % kWordBits;
      } else {
        std::memcpy(content_.data() + piece.begin + at, piece.content + at, size);
      }
    }
  }
}

std::optional<verify::OutputDifference> AllBlocks::difference(
    const ReferenceLaunch& reference) const {
  if (content_.empty()) return first_unwritten(reference);
  auto buffers = sim::sparse_buffers(patterns_);
  run_reference(reference, {}, buffers);
  AllBlocks right(sized_, patterns_);
  right.add(buffers);
  return whole_difference(sized_.buffers.at(place_), {}, right.content_, content_);
}

// An element may keep its first content if the reference leaves it as well.
std::optional<verify::OutputDifference> AllBlocks::first_unwritten(
    const ReferenceLaunch& reference) const {
  const auto& output = sized_.buffers.at(place_);
  const auto per_block = sized_.elements_per_block.value();
  std::vector<Run> unwritten;
  verify::Difference difference;
  std::uint64_t end = output.elements();  // of the elements that are compared
  for (std::uint64_t word = 0; word < written_.size(); ++word) {
    auto missing = ~written_[word];
    const auto left = output.elements() - word * kWordBits;
    if (left < kWordBits) missing &= (std::uint64_t{1} << left) - 1;
    difference.count += static_cast<std::uint64_t>(std::popcount(missing));
    for (; missing != 0; missing &= missing - 1) {
      const auto element = word * kWordBits + static_cast<std::uint64_t>(std::countr_zero(missing));
      if (unwritten.empty()) end = (element / per_block + kMostBlocks) * per_block;
      if (element < end) append(element, element + 1, unwritten);
    }
  }
  if (unwritten.empty()) return std::nullopt;
  auto before = sim::sparse_buffers(patterns_);
  auto after = sim::sparse_buffers(patterns_);
  run_reference(reference, ranges_of(selection(blocks_of(unwritten, per_block), kMostBlocks)),
                after);
  sim::SparseLanes first(/*writes=*/false);
  bool is_found = false;
  for_each_element(unwritten, after.at(place_), [&](std::uint64_t element, const std::byte* right) {
    if (is_found) return;
    const auto* const got = first.at(before.at(place_), element * patterns_[place_].element_bytes);
    if (is_near(output.type, got, right, output.tolerance())) return;
    is_found = true;
    difference.row = element / output.columns;
    difference.column = element % output.columns;
    difference.expected = verify::format(output.type, right);
    difference.got = verify::format(output.type, got);
  });
  if (!is_found) return std::nullopt;
  difference.cause = {verify::CauseKind::kUnwritten,
                      "never written: this is the content from before the launch"};
  return verify::describe(difference, {output.type, output.rows, output.columns, {}, output.name},
                          output.name);
}

}  // namespace warpgrade::grader::cases

// SPDX-License-Identifier: Apache-2.0
// The L1 as one block sees it: which sectors of its loads are still there from its earlier loads.
//
// Lines of 128 bytes with a bit a sector, in sets of four that replace the longest unused. A new
// block starts with an empty one, at once: entries carry the number of their block. The capacity is
// the block's share of its SM's L1. Not modelled: that a block hits what a neighbour on its SM
// loaded, and that resident blocks use their shares at different times.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "common/memory/granules.h"

namespace warpgrade::memory {

class BlockL1 {
 public:
  /// `bytes` is rounded up to a power of two, and to one set at least.
  explicit BlockL1(std::uint64_t bytes)
      : set_bits_(static_cast<int>(
            std::bit_width(std::max<std::uint64_t>(bytes, kSetBytes) / kSetBytes - 1))),
        sets_(std::size_t{1} << set_bits_) {}

  void begin_block() { ++block_; }

  /// Sectors of the granules that were not there; afterwards they are.
  std::uint32_t load(const Granules& granules) {
    std::uint32_t missed = 0;
    for (std::uint32_t i = 0; i < granules.count; ++i) {
      const std::uint64_t bytes = granules.bytes[i];
      const std::uint32_t pair = ((bytes & 0xffffffffU) != 0 ? 1U : 0U) | (bytes >> 32 ? 2U : 0U);
      missed += touch(granules.index[i] / 2, pair << (granules.index[i] % 2 * 2));
    }
    return missed;
  }

 private:
  static constexpr std::uint64_t kSetBytes = std::uint64_t{4} * 128;
  struct Entry {
    std::uint64_t line = 0;
    std::uint32_t block = 0;  ///< 0: of no block.
    std::uint32_t sectors = 0;
  };
  using Set = std::array<Entry, 4>;

  std::uint32_t touch(std::uint64_t line, std::uint32_t sectors) {
    // Fibonacci hashing, since hardware hashes too: a column of a matrix spreads over all sets.
    Set& set = sets_[set_bits_ == 0 ? 0 : (line * 0x9e3779b97f4a7c15U) >> (64 - set_bits_)];
    std::size_t way = 0;
    while (way < 3 && (set[way].line != line || set[way].block != block_)) ++way;
    Entry entry = set[way];
    if (entry.line != line || entry.block != block_) entry = {line, block_, 0};
    const auto missed = static_cast<std::uint32_t>(std::popcount(sectors & ~entry.sectors));
    entry.sectors |= sectors;
    for (; way > 0; --way) set[way] = set[way - 1];
    set[0] = entry;
    return missed;
  }

  int set_bits_;
  std::vector<Set> sets_;
  std::uint32_t block_ = 1;
};

}  // namespace warpgrade::memory

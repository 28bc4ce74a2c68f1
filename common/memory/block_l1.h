// SPDX-License-Identifier: Apache-2.0
// The L1 as one block sees it: which sectors of its loads are still there from its earlier loads.
//
// Lines of 128 bytes with a bit a sector, in sets of four that replace the oldest. A new block
// starts with an empty one, at once: entries carry the number of their block. The capacity is the
// block's share of its SM's L1. Not modelled: that a block hits what a neighbour on its SM loaded,
// and that resident blocks use their shares at different times.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "common/memory/lines.h"

namespace warpgrade::memory {

class BlockL1 {
 public:
  /// `bytes` is rounded up to a power of two, and to one set at least.
  explicit BlockL1(std::uint64_t bytes)
      : set_bits_(static_cast<int>(
            std::bit_width(std::max<std::uint64_t>(bytes, kSetBytes) / kSetBytes - 1))),
        sets_(std::size_t{1} << set_bits_) {}

  void begin_block() {
    block_ += kNextBlock;
    if (block_ == 0) {  // numbers start again: nothing old may be taken for new
      std::fill(sets_.begin(), sets_.end(), Set{});
      block_ = kNextBlock;
    }
  }

  /// Sectors of the lines that were not there; afterwards they are.
  std::uint32_t load(const Lines& lines) {
    // In registers, since the compiler takes each store of a byte for a store to any of them.
    Set* const sets = sets_.data();
    const std::uint64_t block = block_;
    const int shift = 63 - set_bits_;
    const std::uint32_t count = lines.count;
    std::uint32_t missed = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t line = lines.index[i];
      // Fibonacci hashing, since hardware hashes too: a column of a matrix spreads over all sets.
      Set& set = sets[line * 0x9e3779b97f4a7c15U >> 1 >> shift];
      missed += touch(set, block | (line & (kNextBlock - 1)), lines.sectors[i]);
    }
    return missed;
  }

 private:
  static constexpr std::uint64_t kSetBytes = std::uint64_t{4} * 128;
  /// A key is a line number, 42 bits for addresses up to 2^49, and a block number above it.
  static constexpr std::uint64_t kNextBlock = std::uint64_t{1} << 42;
  struct alignas(64) Set {
    std::array<std::uint64_t, 4> key{};
    std::array<std::uint8_t, 4> sectors{};
    std::uint8_t last = 0;  ///< The way of the last access, most likely that of the next.
    std::uint32_t oldest = 0;
  };

  static std::uint32_t touch(Set& set, std::uint64_t key, std::uint32_t sectors) {
    if (set.key[set.last] != key && !find(set, key)) {
      set.last = static_cast<std::uint8_t>(set.oldest++ % 4);
      set.key[set.last] = key;
      set.sectors[set.last] = static_cast<std::uint8_t>(sectors);
      return count(sectors);
    }
    std::uint8_t& there = set.sectors[set.last];
    const std::uint32_t missed = count(sectors & ~std::uint32_t{there});
    there = static_cast<std::uint8_t>(there | sectors);
    return missed;
  }

  /// Whether `key` is in the set; set.last is its way then.
  static bool find(Set& set, std::uint64_t key) {
    const std::uint32_t found = (set.key[0] == key ? 1U : 0U) | (set.key[1] == key ? 2U : 0U) |
                                (set.key[2] == key ? 4U : 0U) | (set.key[3] == key ? 8U : 0U);
    if (found == 0) return false;
    set.last = static_cast<std::uint8_t>(std::countr_zero(found));
    return true;
  }

  static std::uint32_t count(std::uint32_t sectors) {
    return static_cast<std::uint32_t>(std::popcount(sectors));
  }

  int set_bits_;
  std::vector<Set> sets_;
  std::uint64_t block_ = kNextBlock;
};

}  // namespace warpgrade::memory

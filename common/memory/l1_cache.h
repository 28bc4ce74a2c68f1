// SPDX-License-Identifier: Apache-2.0
// The L1 as one block sees it, and the tag stage of a unified L1 and shared memory.
//
// The first holds the sectors that the block's earlier loads left there, within the block's share
// of the capacity. The second assigns lines to four tag banks, which work in parallel.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/lines.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

// The tag stage of a unified L1 and shared memory: assigns lines to tag banks.
//
// Four banks work in parallel, one line per clock each. Each of the two bits of a line's bank is
// the exclusive or of bits of the line's number. On an H200 all bits up to bit 21 (lines 256 MB
// apart) were measured: of four lines whose numbers differ in two bits, two share a bank if both
// bits have the same effect (tests/evidence/golden/l1_stages). For an A100, a search found the rule
// that gives its clocks at 126 strides (RRZE-HPC/gpu-benches, gpu-strides): every second bit has
// the same effect.

inline constexpr std::uint32_t kTagBankCount = 4;

/// The bank, 0 to 3, of the 128-byte line with this number (address / 128).
std::uint32_t tag_bank(std::uint64_t line, device::TagBanks rule);

/// Clocks of the tag stage for a request: the number of lines in the busiest bank.
std::uint32_t tag_clocks(const Request& request, device::TagBanks rule);

// The L1 as one block sees it: the sectors that its earlier loads left there.
//
// Lines of 128 bytes with a bit per sector, in sets of four; the oldest line of a set is replaced.
// A new block starts with an empty cache at no cost, because entries contain the number of their
// block. The capacity is the block's share of its SM's L1.

/// The part of an SM's L1 that is left to each of the blocks that can be resident at once.
std::uint64_t l1_share(const device::Profile& profile, const run::LaunchContext& context);

/// Bytes of distinct lines that L2 can hold. Each of two halves keeps its own lines and copies of
/// the other half's lines that its SMs requested, half of all.
double l2_reach(const device::Profile& profile);
/// The share of L2 for each of the blocks that can be resident at once.
std::uint64_t l2_share(const device::Profile& profile, const run::LaunchContext& context);

/// Bytes of lines that L1 holds beside the shared memory of a launch.
///
/// On Hopper the driver chooses one of ten sizes for shared memory. Up to 132 KB it is the smallest
/// that has room for twice the blocks that warps allow (of blocks of 1,024 threads, for both), each
/// with 1 KB of the system's; without shared memory these have 2 KB each, at most 32 KB in all.
/// Larger sizes have room for as many blocks as fit at all. Measured for 187 launches on an H200
/// (tests/evidence/golden/h200_l1/carve_outs.csv). Random loads fill the rest with lines, except
/// for 4 KB (`tables.csv`). On other cards, shared memory takes only what blocks use.
std::uint64_t l1_beside(const device::Profile& profile, const run::LaunchContext& context);

class BlockL1 {
 public:
  /// `bytes` is rounded down to whole sets, with a minimum of one.
  explicit BlockL1(std::uint64_t bytes)
      : sets_(std::max<std::uint64_t>(bytes, kSetBytes) / kSetBytes) {}

  void begin_block() {
    block_ += kNextBlock;
    if (block_ == 0) {  // numbers wrap, so old entries must go
      std::fill(sets_.begin(), sets_.end(), Set{});
      block_ = kNextBlock;
    }
  }

  /// Returns the sectors of the lines that missed. They stay in the cache if the load `fills` it.
  std::uint32_t load(const Lines& lines, bool fills = true) {
    Toucher toucher(*this, fills);
    const std::uint32_t count = lines.count;
    for (std::uint32_t i = 0; i < count; ++i) toucher.touch(lines.index[i], lines.sectors[i]);
    return toucher.missed;
  }
  std::uint32_t load(const Range& range, bool fills = true) {
    Toucher toucher(*this, fills);
    for_each_line(range, [&](std::uint64_t line, const Lines::Bytes& bytes) {
      toucher.touch(line, sectors_of(bytes));
    });
    return toucher.missed;
  }
  std::uint32_t load(const Apart& apart, bool fills = true) {
    Toucher toucher(*this, fills);
    const Request& request = apart.request;
    if (apart.line_step != 0) {
      const auto step = static_cast<std::uint64_t>(apart.line_step);
      const std::uint32_t sector = sector_bit(request.address[0]);
      std::uint64_t line = request.address[0] / 128;
      for (std::uint32_t lane = 0; lane < kLanes; ++lane, line += step) toucher.touch(line, sector);
      return toucher.missed;
    }
    for_each_address(request, request.mask, [&](std::uint64_t address) {
      toucher.touch(address / 128, sector_bit(address));
    });
    return toucher.missed;
  }

 private:
  static constexpr std::uint64_t kSetBytes = std::uint64_t{4} * 128;
  /// A key is a line number (42 bits for addresses up to 2^49) below a block number.
  static constexpr std::uint64_t kNextBlock = std::uint64_t{1} << 42;
  struct alignas(64) Set {
    std::array<std::uint64_t, 4> key{};
    std::array<std::uint8_t, 4> sectors{};
    std::uint8_t last = 0;  ///< The way of the last access, which is likely to hit again.
    std::uint32_t oldest = 0;
  };

  /// Copies of the members that a load needs, kept in registers: for the compiler, a store of a
  /// byte may change any member.
  struct Toucher {
    Toucher(BlockL1& l1, bool is_kept)
        : sets(l1.sets_.data()), count(l1.sets_.size()), block(l1.block_), fills(is_kept) {}

    void touch(std::uint64_t line, std::uint32_t sectors) {
      // Fibonacci hashing spreads a matrix column over all sets, as hardware hashing does.
      const std::uint64_t hash = line * 0x9e3779b97f4a7c15U;
      Set& set = sets[(hash >> 32) * count >> 32];
      const std::uint64_t key = block ^ line;
      if (set.key[set.last] != key && !find(set, key)) {
        if (!fills) {
          missed += static_cast<std::uint32_t>(std::popcount(sectors));
          return;
        }
        set.last = static_cast<std::uint8_t>(set.oldest++ % 4);
        set.key[set.last] = key;
        set.sectors[set.last] = 0;
      }
      std::uint8_t& there = set.sectors[set.last];
      missed += static_cast<std::uint32_t>(std::popcount(sectors & ~std::uint32_t{there}));
      if (fills) there = static_cast<std::uint8_t>(there | sectors);
    }

    Set* sets;
    std::uint64_t count;  ///< Number of sets.
    std::uint64_t block;
    bool fills;
    std::uint32_t missed = 0;
  };

  /// Whether `key` is in the set; if so, set.last becomes its way.
  static bool find(Set& set, std::uint64_t key) {
    const std::uint32_t found = (set.key[0] == key ? 1U : 0U) | (set.key[1] == key ? 2U : 0U) |
                                (set.key[2] == key ? 4U : 0U) | (set.key[3] == key ? 8U : 0U);
    if (found == 0) return false;
    set.last = static_cast<std::uint8_t>(std::countr_zero(found));
    return true;
  }

  std::vector<Set> sets_;
  std::uint64_t block_ = kNextBlock;
};

}  // namespace warpgrade::memory

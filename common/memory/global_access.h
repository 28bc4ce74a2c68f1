// SPDX-License-Identifier: Apache-2.0
// Coalescing: the cost of a warp's accesses to global memory, by generation.
//
// Pure functions of addresses, mask and size, without caches. Sources: CUDA C Programming Guide
// 5.5, appendix G (cc 1.x, 3.x), and counters of an H200 (tests/evidence/golden/h200 and
// h200_outputs).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "common/device/profile.h"
#include "common/memory/lines.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

// Division by a number that is fixed for a launch and usually a power of two: the width or the
// number of memory partitions. Each transaction needs several such divisions, and a division would
// cost more than the rest of its processing. A shift does not.

class Divisor {
 public:
  /// `value` is not 0.
  explicit Divisor(std::uint64_t value = 1)
      : value_(value),
        shift_(static_cast<std::uint32_t>(std::countr_zero(value))),
        is_power_(std::has_single_bit(value)) {}

  std::uint64_t quotient(std::uint64_t n) const { return is_power_ ? n >> shift_ : n / value_; }
  std::uint64_t remainder(std::uint64_t n) const {
    return is_power_ ? n & (value_ - 1) : n % value_;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_;
  std::uint32_t shift_;
  bool is_power_;
};

/// The cost of one warp-level access.
struct GlobalAccess {
  std::uint32_t requests = 0;         ///< 1; on cc 1.x one per half-warp with an active lane.
  std::uint32_t sectors = 0;          ///< 32-byte sectors moved.
  std::uint32_t lines = 0;            ///< 128-byte lines looked up; on cc 1.x transactions.
  std::uint32_t partial_sectors = 0;  ///< Sectors moved but not requested in full.
  std::uint32_t used_bytes = 0;       ///< Bytes requested; bytes shared by lanes count once.

  friend bool operator==(const GlobalAccess&, const GlobalAccess&) = default;
};

/// From Kepler on: each distinct sector of the warp moves once (Coalescing::kSectors).
GlobalAccess count_sectors(const Lines& lines);
GlobalAccess count_sectors(const Apart& apart);
GlobalAccess count_sectors(const Range& range);

/// cp.async.cg, 16 bytes per lane: L2 writes straight to shared memory. L1 counts the sectors of
/// shared memory that each line fills. L2 sends a sector once to each sector of shared memory that
/// gets a part of it. Each line has a tag looked up for each line of shared memory that it fills.
/// Equals an H200's counts (tests/evidence/golden/h200_copies). `access`: count_sectors() of the
/// sources.
struct CopyAccess {
  GlobalAccess access;
  std::uint32_t l2_sectors = 0;
};
CopyAccess count_copy(const Request& sources, const std::uint64_t* targets, GlobalAccess access);

/// Sectors that an atomic moves: per touched sector the most lanes on one of its words, summed,
/// because lanes on one word are serialised. Matches an H200's counts; an estimate elsewhere.
std::uint32_t count_atomic_sectors(const Request& request);

/// Clocks of L1's data stage for a request: the most 4-byte words in one of its 32 banks,
/// where a word that lanes share counts once. Requests of 8 or 16 bytes per lane run as
/// half-warps or quarter-warps. Measured on an H200 (tests/evidence/golden/l1_stages). `lines`
/// is scratch.
std::uint32_t l1_wavefronts(const Request& request, Lines& lines);

/// A burst on the memory bus of cc 1.x.
struct Transaction {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;  ///< 32, 64 or 128.

  friend bool operator==(const Transaction&, const Transaction&) = default;
};

/// The transactions of one access: at most two per lane (if misaligned).
struct Transactions {
  std::uint32_t count = 0;
  std::array<Transaction, 64> list;
  Lines asked;  ///< Scratch.
};

/// cc 1.x, half-warp by half-warp; `rule` is kHalfWarpStrict or kHalfWarpSegments.
/// Segments (cc 1.2, 1.3): the lowest active lane's aligned segment (32 bytes for 1-byte words,
/// 64 for 2-byte, else 128) serves all lanes in it. It shrinks to the half that they use, but not
/// below 32 bytes. This repeats for the lanes left.
/// Strict (cc 1.0, 1.1): one segment of 16 words (two for 16-byte words) if the k-th lane uses the
/// k-th word and words have 4, 8 or 16 bytes; else 32 bytes per lane.
GlobalAccess count_transactions(device::Coalescing rule, const Request& request,
                                Transactions& transactions);

// A cache for count_transactions() of warps that access a row of adjacent words.
//
// The result of such a request depends only on its offset from the start of two segments, so each
// offset is computed once. Other requests, and those with more than a few transactions, are
// computed each time. The result does not depend on the cache.

class TransactionMemo {
 public:
  /// Equals count_transactions(); `transactions` gets list and count.
  GlobalAccess count(device::Coalescing rule, const run::MemoryEvent& event,
                     Transactions& transactions);

 private:
  static constexpr std::uint64_t kPeriod = 256;  // two segments of the longest kind
  static constexpr std::size_t kFew = 6;
  struct Row {
    device::Coalescing rule{};
    std::uint32_t bytes = 0;  ///< Bytes per lane; 0: unused entry.
    std::uint32_t count = 0;
    std::array<Transaction, kFew> list;  ///< Addresses relative to the start of the period.
    GlobalAccess access;
  };
  std::array<Row, kPeriod / 4> rows_{};  ///< By the first lane's 4-byte word in the period.
};

// The work that a warp's atomic on global memory causes in the L2 units for atomics.
//
// Units are interleaved every 512 bytes and do one pass at a time. A pass updates each word of one
// sector for one lane, so lanes on the same word need as many passes. Derived from the time of
// atomics on 1 to 2^20 words on an H200 (tests/evidence/golden/h200_micro, same_red and
// random_bins): 64 words keep one unit busy, 256 words two, 1,024 words eight, and 32 lines 4,096
// bytes apart fifteen.

struct AtomicWork {
  std::uint64_t piece = 0;   ///< Address / 512.
  std::uint64_t sector = 0;  ///< Address / 32 if it is the work on one sector, else 0.
  std::uint16_t passes = 0;  ///< Passes for sectors whose lanes all use different words.
  std::uint16_t again = 0;   ///< Passes for other sectors: per sector, the most lanes on one word.

  friend bool operator==(const AtomicWork&, const AtomicWork&) = default;
};

struct AtomicWorks {
  std::uint32_t count = 0;
  std::array<AtomicWork, 32> list;
};

/// One element per piece, or if `by_sector` per sector, that the request touches, in the order of
/// their first lanes.
AtomicWorks atomic_works(const Request& request, bool by_sector = false);

/// The number of lanes on the address that most active lanes use.
std::uint32_t most_on_one_word(const Request& request);

}  // namespace warpgrade::memory

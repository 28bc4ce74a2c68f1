// SPDX-License-Identifier: Apache-2.0
// Coalescing: the cost of a warp's accesses to global memory, by generation.
//
// Pure functions of addresses, mask and size, without caches. Sources: CUDA C Programming Guide
// 5.5, appendix G (cc 1.x, 3.x), and counters of an H200 (tests/evidence/golden/h200 and
// h200_outputs).
#pragma once

#include <array>
#include <cstdint>

#include "common/device/profile.h"
#include "common/memory/lines.h"
#include "common/memory/request.h"

namespace warpgrade::memory {

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

}  // namespace warpgrade::memory

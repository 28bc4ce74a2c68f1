// SPDX-License-Identifier: Apache-2.0
// Coalescing: what the accesses of a warp to global memory cost, by generation.
//
// Pure functions of addresses, mask and size; no cache is known here. Sources: CUDA C Programming
// Guide 5.5, appendix G (cc 1.x, 3.x), and counters of an H200 (tests/evidence/golden/h200 and
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
  std::uint32_t requests = 0;         ///< 1; on cc 1.x one for each half-warp with an active lane.
  std::uint32_t sectors = 0;          ///< 32-byte sectors moved.
  std::uint32_t lines = 0;            ///< 128-byte lines looked up; on cc 1.x transactions.
  std::uint32_t partial_sectors = 0;  ///< Sectors moved of which not every byte is asked for.
  std::uint32_t used_bytes = 0;       ///< Bytes asked for, one that several lanes share once.

  friend bool operator==(const GlobalAccess&, const GlobalAccess&) = default;
};

/// From Kepler on: each distinct sector of the warp moves once (Coalescing::kSectors).
GlobalAccess count_sectors(const Lines& lines);
GlobalAccess count_sectors(const Apart& apart);
GlobalAccess count_sectors(const Range& range);

/// Sectors that an atomic moves: summed over the sectors touched, the most lanes on one word of it,
/// since lanes on one word go one after the other. Counted so on an H200; elsewhere an estimate.
std::uint32_t count_atomic_sectors(const Request& request);

/// Clocks that L1's data stage takes for a request: the words of 4 bytes that the busiest of its 32
/// banks hands out, one that lanes share once; of lanes of 8 or 16 bytes half-warps or quarters by
/// themselves. Measured on an H200 (tests/evidence/golden/l1_stages). `lines` is
/// scratch.
std::uint32_t l1_wavefronts(const Request& request, Lines& lines);

/// A burst on the memory bus of cc 1.x.
struct Transaction {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;  ///< 32, 64 or 128.

  friend bool operator==(const Transaction&, const Transaction&) = default;
};

/// The transactions of one access: at worst two a lane (a misaligned one).
struct Transactions {
  std::uint32_t count = 0;
  std::array<Transaction, 64> list;
  Lines asked;  ///< Scratch.
};

/// cc 1.x, half-warp by half-warp; `rule` is kHalfWarpStrict or kHalfWarpSegments.
/// Segments (cc 1.2, 1.3): the lowest active lane's aligned segment (32 bytes for 1-byte words, 64
/// for 2-byte, else 128) takes with it all lanes in it, and shrinks to the half that they use, not
/// below 32; repeated for the lanes left.
/// Strict (cc 1.0, 1.1): one segment of 16 words (two for 16-byte words) where the k-th lane is at
/// its k-th word and the words have 4, 8 or 16 bytes; else 32 bytes a lane.
GlobalAccess count_transactions(device::Coalescing rule, const Request& request,
                                Transactions& transactions);

}  // namespace warpgrade::memory

// SPDX-License-Identifier: Apache-2.0
// The sums that Counters keeps per instruction: one row per counted space.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/run/observer.h"

namespace warpgrade::memory {

/// Sums over all executions of one instruction in one space.
struct InstructionCounters {
  run::Operation operation{};
  std::uint64_t requests = 0;         ///< Warp-level accesses (cc 1.x: half-warps); 0: never
                                      ///< executed.
  std::uint64_t sectors = 0;          ///< 32-byte sectors moved; not for shared memory.
  std::uint64_t lines = 0;            ///< 128-byte lines looked up; global and local only.
  std::uint64_t partial_sectors = 0;  ///< Sectors touched only in part; global and local only.
  std::uint64_t bytes = 0;            ///< Bytes that lanes request, counted for each lane.
  std::uint64_t used_bytes = 0;       ///< The same, but a byte that lanes of a request share counts
                                      ///< once; global and local only. At most 32 per sector.
  std::uint64_t wavefronts = 0;       ///< Wavefronts of shared memory; shared only.
  std::uint64_t conflicts = 0;  ///< Wavefronts beyond the least for its requests; shared only.

  InstructionCounters& operator+=(const InstructionCounters& other) {
    if (requests == 0) operation = other.operation;
    requests += other.requests;
    sectors += other.sectors;
    lines += other.lines;
    partial_sectors += other.partial_sectors;
    bytes += other.bytes;
    used_bytes += other.used_bytes;
    wavefronts += other.wavefronts;
    conflicts += other.conflicts;
    return *this;
  }
  friend bool operator==(const InstructionCounters&, const InstructionCounters&) = default;
};

/// The counted spaces, in the order of their rows in Counters::instructions(). The second row of
/// shared memory contains the loads of atomics that machine code does in a loop, the second of
/// local memory the loads of spilled registers.
constexpr std::array<run::Space, 6> kCountedSpaces = {run::Space::kGlobal,  run::Space::kShared,
                                                      run::Space::kLocal,   run::Space::kShared,
                                                      run::Space::kCluster, run::Space::kLocal};

/// The same by name.
enum Row : std::size_t {
  kGlobalRow,
  kSharedRow,
  kLocalRow,
  kLoopLoadRow,
  kClusterRow,
  kSpillLoadRow
};

/// The row of an instruction for `operation`.
inline InstructionCounters& row_of(std::vector<InstructionCounters>& rows, std::size_t instruction,
                                   Row row, run::Operation operation) {
  const std::size_t at = instruction * kCountedSpaces.size() + row;
  if (at >= rows.size()) rows.resize((instruction + 1) * kCountedSpaces.size());
  rows[at].operation = operation;
  return rows[at];
}

}  // namespace warpgrade::memory

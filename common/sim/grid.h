// SPDX-License-Identifier: Apache-2.0
// The state that the blocks of a launch share while they take turns.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace warpgrade::sim {

/// The barrier of the grid, and what its blocks need for their turns.
struct Grid {
  std::uint64_t phases = 0;  ///< How often all blocks have arrived.
  std::uint64_t wakes = 0;   ///< How often a warp has found a new value where it polls.
  std::uint64_t stalled =
      0;  ///< Warps that poll, if blocks take turns in the order of their clocks.
  std::uint64_t failed_swaps = 0;  ///< See run::Result.
  /// By instruction: accesses that warps make in the order of their clocks, and those of them
  /// through which warps find out about each other.
  std::vector<bool> ordered;
  std::vector<bool> strong;
  std::vector<bool> swaps;  ///< By instruction, with clocks: compare-and-swaps.
  // With clocks: the clock at which the current turn began, and when a resource is free after all
  // earlier accesses. A warp may wait within its turn, and others use the resource meanwhile.
  double now = 0;
  double memory = 0;            ///< The busiest one, after plain accesses.
  std::vector<double> issue;    ///< By multiprocessor: its issue slots.
  std::vector<double> polling;  ///< By multiprocessor: lanes that poll words of shared memory.
  std::unordered_map<std::uint64_t, double> words;  ///< Atomics in global memory, by address.
  double queue = 0;  ///< Clocks of the accesses to the word that was polled and changed last.
  // The addresses in global memory that the current turn has written, and whether it has written
  // to shared memory.
  std::uint64_t first_written = 0;
  std::uint64_t end_written = 0;
  bool has_written_shared = false;
  std::uint64_t random = 0;  ///< State of the latency of DRAM.
};

}  // namespace warpgrade::sim

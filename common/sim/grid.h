// SPDX-License-Identifier: Apache-2.0
// The state that the blocks of a launch share while they take turns.
#pragma once

#include <cstdint>
#include <vector>

namespace warpgrade::sim {

/// The barrier of the grid, and what its blocks need for their turns.
struct Grid {
  std::uint64_t phases = 0;  ///< How often all blocks have arrived.
  std::uint64_t wakes = 0;   ///< How often a warp has found a new value where it polls.
  std::uint64_t stalled =
      0;  ///< Warps that poll, if blocks take turns in the order of their clocks.
  std::uint64_t failed_swaps = 0;  ///< See run::Result.
  /// By instruction: accesses that warps make in the order of their clocks.
  std::vector<bool> ordered;
};

}  // namespace warpgrade::sim

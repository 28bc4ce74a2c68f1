// SPDX-License-Identifier: Apache-2.0
// Blocks of a cooperative launch: all are resident, run in turns on one host thread, and can wait
// for each other.
#pragma once

#include <cstdint>
#include <vector>

#include "common/sim/share.h"

namespace warpgrade::sim {

/// The barrier of the grid.
struct Grid {
  std::uint64_t phases = 0;  ///< How often all blocks have arrived.
  std::uint64_t wakes = 0;   ///< How often a warp has found a new value where it polls.
};

/// Runs the blocks of a cooperative launch, one a share, to their ends or to the first fault. A
/// launch whose blocks wait for ever is the fault of one of them.
void run_residents(std::vector<Share>& shares, std::uint64_t seed, std::uint64_t launch_budget,
                   Progress& progress);

}  // namespace warpgrade::sim

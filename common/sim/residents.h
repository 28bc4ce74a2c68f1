// SPDX-License-Identifier: Apache-2.0
// Blocks that are resident together, run in turns on one host thread, and can wait for each other:
// all blocks of a cooperative launch, or the blocks of one thread block cluster after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "common/base/dim3.h"
#include "common/sim/share.h"

namespace warpgrade::sim {

/// The barrier of the grid.
struct Grid {
  std::uint64_t phases = 0;  ///< How often all blocks have arrived.
  std::uint64_t wakes = 0;   ///< How often a warp has found a new value where it polls.
};

/// Runs the blocks of a cooperative launch, one per share, to their ends or to the first fault. A
/// launch whose blocks wait forever is the fault of one of them.
void run_residents(std::vector<Share>& shares, std::uint64_t seed, std::uint64_t launch_budget,
                   Progress& progress);

/// Runs each cluster of `extent` blocks with one of the blocks in `list`, one after the other, to
/// their ends or to the first fault. shares[r] runs the blocks of rank r; their output goes to
/// shares[0] cluster by cluster.
void run_clusters(std::vector<Share>& shares, const BlockList& list, const base::Dim3& extent,
                  std::uint64_t seed, std::uint64_t launch_budget, Progress& progress);

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
// Blocks that are resident together, run in turns on one host thread, and can wait for each other:
// all blocks of a cooperative launch, or the blocks of one thread block cluster after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "common/base/dim3.h"
#include "common/sim/grid.h"
#include "common/sim/share.h"

namespace warpgrade::sim {

/// Runs the blocks of a cooperative launch, one per share, to their ends or to the first fault. A
/// launch whose blocks wait forever is the fault of one of them.
void run_residents(std::vector<Share>& shares, std::uint64_t seed, std::uint64_t launch_budget,
                   Progress& progress);

/// Runs each cluster of `extent` blocks with one of the blocks in `list`, one after the other, to
/// their ends or to the first fault. shares[r] runs the blocks of rank r; their output goes to
/// shares[0] cluster by cluster.
void run_clusters(std::vector<Share>& shares, const BlockList& list, const base::Dim3& extent,
                  std::uint64_t seed, std::uint64_t launch_budget, Progress& progress);

/// Runs the blocks of `list`, one per share at a time, in the order of their clocks
/// (Options::turns). Sets the waits and clocks of `result`.
void run_in_time(std::vector<Share>& shares, const BlockList& list, std::uint64_t launch_budget,
                 Progress& progress, run::Result& result);

}  // namespace warpgrade::sim

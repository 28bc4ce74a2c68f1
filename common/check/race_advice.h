// SPDX-License-Identifier: Apache-2.0
// The advice for a race between two threads of a block: which barrier, and at which place.
//
// A __syncthreads() in a branch for one warp would deadlock, so a race within a warp needs a
// __syncwarp(). If one statement reads and writes elements of several threads, no barrier fits
// between its two accesses, so the value must pass through a variable. Blocks of a cluster need its
// barrier.
#pragma once

#include <cstdint>

#include "common/check/launch_view.h"

namespace warpgrade::check {

struct BlockRace {
  std::uint32_t before = 0;  ///< Instruction of the earlier access.
  std::uint32_t now = 0;     ///< Instruction of the later access.
  bool both_write = false;
  bool same_warp = false;
  bool across_blocks = false;  ///< Between two blocks of a cluster.
};

/// Only during the launch.
base::BarrierAdvice race_advice(const LaunchView& view, const BlockRace& race);

}  // namespace warpgrade::check

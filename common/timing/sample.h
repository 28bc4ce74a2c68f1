// SPDX-License-Identifier: Apache-2.0
// Selects the blocks of a launch that the time model traces.
//
// If addresses are hashed over the memory channels, SMs are alike, so a few of them with their
// share of the chip's common resources represent all. They get the blocks that the dispatcher would
// give them (block b to SM b modulo their number), in rows across the whole grid. If partitions are
// simply interleaved, it matters which blocks are resident together: the sample is windows of
// neighbouring blocks, and all SMs are simulated.
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/run/runner.h"

namespace warpgrade::timing {

struct Sample {
  std::uint32_t sms = 0;                ///< Multiprocessors to simulate.
  double chip_share = 1;                ///< Their part of the SMs that have work.
  double blocks = 0;                    ///< Blocks that they run in the launch, traced or not.
  std::vector<run::BlockRange> ranges;  ///< Blocks to trace.
  run::BlockRange neighbours;  ///< Blocks whose accesses are close together in time; empty with
                               ///< plain partitions, which see every access.
  run::BlockRange next_row;    ///< The blocks one row after `neighbours`, if the grid has rows.
  std::vector<run::BlockRange> drawn;  ///< Executed to compare their work with the traced
                                       ///< blocks: see draw().

  /// Adds `count` blocks of `grid_blocks` that depend on `number`, which a kernel cannot know, and
  /// the last eight, which have the largest indices.
  void draw(std::uint64_t count, std::uint64_t number, std::uint64_t grid_blocks);
  /// All blocks to execute: ranges, neighbours and drawn blocks, ascending and disjoint.
  std::vector<run::BlockRange> executed() const;

  bool contains(std::uint64_t linear) const;
};

/// A sample of `blocks` blocks, `resident` of which fit on an SM (0 counts as 1). Rows of the grid
/// have `row` blocks; 0: a single row.
Sample choose_sample(const device::Profile& profile, std::uint32_t resident, std::uint64_t blocks,
                     std::uint64_t row = 0);

/// All blocks of a third of the SMs, for a launch whose blocks differ. With plain partitions or few
/// busy SMs: the whole launch.
Sample third_of_chip(const device::Profile& profile, std::uint64_t blocks);

/// All blocks and SMs.
Sample whole_launch(const device::Profile& profile, std::uint64_t blocks);

}  // namespace warpgrade::timing

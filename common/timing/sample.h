// SPDX-License-Identifier: Apache-2.0
// Which blocks of a launch the time model looks at.
//
// If addresses are hashed over the memory's channels, multiprocessors are alike: a few of them
// stand for all, with their share of what the chip has in common. They get the blocks that the
// dispatcher gives them, block b to multiprocessor b modulo their number, in rows over all of the
// grid. Where partitions interleave plainly, what counts is which blocks are resident together: the
// sample is windows of neighbouring blocks, and all multiprocessors are simulated.
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/run/runner.h"

namespace warpgrade::timing {

struct Sample {
  std::uint32_t sms = 0;                ///< Multiprocessors to simulate.
  double chip_share = 1;                ///< Their part of the multiprocessors that have work.
  double blocks = 0;                    ///< Blocks that they run in the launch, traced or not.
  std::vector<run::BlockRange> ranges;  ///< To trace.
  run::BlockRange neighbours;  ///< Blocks whose accesses come close together in time; none where
                               ///< partitions are plain, which see every access.
  run::BlockRange next_row;    ///< Of a grid of rows, those behind the neighbours in the next row.
  std::vector<run::BlockRange> drawn;  ///< To execute, so that their work can be compared with that
                                       ///< of those traced: see draw().

  /// Adds `count` blocks of `grid_blocks` that follow from `number`, which a kernel cannot know,
  /// and the last eight, which have the largest indices.
  void draw(std::uint64_t count, std::uint64_t number, std::uint64_t grid_blocks);
  /// Everything that must be executed: ranges, neighbours and what was drawn, ascending and apart.
  std::vector<run::BlockRange> executed() const;

  bool contains(std::uint64_t linear) const;
};

/// A sample of `blocks` blocks, of which `resident` fit on a multiprocessor; 0 is taken as 1. Rows
/// of the grid have `row` blocks; 0: there is one row.
Sample choose_sample(const device::Profile& profile, std::uint32_t resident, std::uint64_t blocks,
                     std::uint64_t row = 0);

/// All blocks and multiprocessors.
Sample whole_launch(const device::Profile& profile, std::uint64_t blocks);

}  // namespace warpgrade::timing

// SPDX-License-Identifier: Apache-2.0
// Selects the blocks of a launch that the time model traces, and compares them with the others.
//
// In: the grid and the profile. Out: the blocks to trace, their counters, and how much more work
// a mean block does than a traced one. A kernel that knows the sample could let its blocks idle;
// counters of every block reveal that.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/run/observer.h"
#include "common/run/runner.h"
#include "common/timing/trace.h"

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

// Counters of some blocks of a launch, whether or not others are executed.
//
// The time model estimates the traffic of a launch from these blocks. A launch that is executed
// whole gets the same estimate as a sample of it: counters of all its blocks would show how often
// its bytes are used, but not how soon they are reused.

class SampleCounters final : public run::Observer {
 public:
  /// Counts the blocks in `ranges` (ascending and disjoint).
  SampleCounters(const device::Profile& profile, std::vector<run::BlockRange> ranges,
                 memory::MachineAccesses machine = {});

  std::unique_ptr<run::Observer> fork() const override;
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  void on_launch_beside(const run::LaunchContext& context, run::Observer& first) override;
  void on_block_begin(std::uint64_t linear_block) override;
  void on_memory(const run::MemoryEvent& event) override;
  void on_bulk(const run::BulkEvent& event) override;

  void on_block_end() override;

  const memory::Counters& counters() const { return counters_; }
  /// Requests of the counted block that has most, to global and shared memory.
  std::uint64_t most_requests() const { return most_requests_; }
  /// Number of blocks in the ranges.
  std::uint64_t blocks() const;

 private:
  std::vector<run::BlockRange> ranges_;
  memory::Counters counters_;
  bool is_counted_ = false;     ///< The current block is.
  std::uint64_t requests_ = 0;  ///< The current block has so many.
  std::uint64_t most_requests_ = 0;
};

// Compares the work of the traced blocks with the work of the others.
//
// The time model follows a sample of the blocks and extrapolates. A kernel that knows the sample
// could let these blocks idle and the others do their work. Counters see every block, so their
// results are compared with the trace: instructions, sectors below L1 and shared memory wavefronts,
// each per mean block.

/// The work of a mean executed block (of `blocks`) relative to a mean traced one, for the measure
/// that differs most; at least 1. Work that no traced block does counts as done once by all of them
/// together.
double sample_bias(const Trace& trace, const memory::Counters& counters, const run::Result& result,
                   std::uint64_t blocks);

/// How many times as many requests as any traced block another block makes that has `requests`; 1
/// if less than six times. Such a block can take longer than all others, and no trace has it.
double long_block(const Trace& trace, std::uint64_t requests);

/// Whether the traced blocks do similar work, so that they may represent the others: at most a
/// quarter of them execute less than half or more than twice the mean, and none has four times the
/// mean instructions or sectors. A few such blocks can take longer than all others, and a sample
/// may miss them.
bool is_even(const Trace& trace);

}  // namespace warpgrade::timing

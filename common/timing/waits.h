// SPDX-License-Identifier: Apache-2.0
// Times of launches whose blocks or warps wait for each other, or share work by tickets.
//
// Blocks that run one after the other show neither: the first block empties a queue alone, and
// finds nothing to wait for. Such a launch is executed again with blocks in turns
// (sim/turn_orders.cpp). The trace of that execution has the work as a GPU distributes it, and its
// last clock is the least time of a launch that waits. Barriers of the grid and of clusters cost
// what an H200 needs for them (tests/evidence/golden/h200_blocks).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/device/profile.h"
#include "common/run/observer.h"
#include "common/run/runner.h"
#include "common/timing/bound.h"
#include "common/timing/model.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

/// Whether blocks that run one after the other may do another's work, or wait forever: the kernel
/// takes tickets by an atomic, or has an instruction that can wait for another block. That is a
/// load, a compare-and-swap or an exchange in memory that others write, whose result can decide
/// where a thread goes on.
bool may_need_turns(const ptx::Function& function);

/// Why a launch must be executed with blocks in turns.
struct TurnNeeds {
  bool waits = false;  ///< It has executed an instruction that can wait for another block.
  bool queue = false;  ///< A few blocks or warps took the tickets of all.
  bool finds = false;  ///< Most warps decide by values that earlier blocks may have left.

  bool any() const { return waits || queue; }
};

/// The needs of `launch`. `blocks` of its blocks were run one after another for `result` and
/// `trace`; `is_even`: the traced blocks did about the same work.
TurnNeeds turn_needs(const ptx::Function& function, const run::Launch& launch,
                     const run::Result& result, std::uint64_t blocks, const Trace& trace,
                     bool is_even);

/// Seconds that plain accesses to global memory take if no block waits.
struct Pace {
  double access = 0;  ///< Busy time of the busiest resource for an access of a thread.
  bool is_from_dram = false;
};

/// The pace of a launch with this estimate, of which `share` of the blocks gave `result`.
Pace pace_of(const ptx::Function& function, const run::Result& result, double share,
             const TimeEstimate& estimate);

/// The clocks of waits on the profile.
run::Turns turns_of(const device::Profile& profile, const Occupancy& occupancy, const Pace& pace);

/// Raises the estimate to the time of the waits in `result`, from running `share` of the blocks of
/// `function` in turns, and marks the estimate where such times are known to be off.
void add_waits(const device::Profile& profile, const ptx::Function& function,
               const run::Result& result, double share, TimeEstimate& estimate);

/// Whether a loop of the kernel's own code sleeps, or tests the phase of a barrier object, until
/// another thread is done. The number of rounds depends on when that thread runs, so a GPU executes
/// more or fewer than the simulator.
bool sleeps_until_others(const ptx::Function& function);

/// A loop of the kernel's own code that reads a clock and accesses no memory: it ends at a moment,
/// and not after a number of passes. Whatever a GPU issues meanwhile changes no time.
struct ClockLoop {
  std::size_t begin = 0;  ///< Its instructions.
  std::size_t end = 0;
  bool is_timer = false;  ///< %globaltimer, in nanoseconds.
};
std::vector<ClockLoop> clock_loops(const ptx::Function& function);

/// Counts the barriers of the grid and of clusters that a block passes, and the instructions of
/// each block between them. Each block waits there for the longest one.
class WideBarriers final : public run::Observer {
 public:
  std::unique_ptr<run::Observer> fork() const override { return std::make_unique<WideBarriers>(); }
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  void on_block_begin(std::uint64_t linear_block) override;
  bool wants_instructions() const override { return has_barriers_; }
  std::uint64_t on_instruction(std::uint32_t warp, std::uint32_t instruction) override;
  void on_grid(const run::GridEvent& event) override;
  void on_barrier(const run::BarrierEvent& event) override;
  void on_block_end() override;

  /// How much longer the launch takes because blocks wait at these barriers. A phase, from one
  /// barrier to the next, takes as long as its longest block. The result is the sum of these times,
  /// divided by the time of the longest block without waits.
  double lateness() const;
  /// Adds the time of the barriers to the estimate, and marks it if blocks arrive late. A
  /// multiprocessor holds `resident` blocks.
  void add_time(const device::Profile& profile, std::uint32_t resident,
                TimeEstimate& estimate) const;

 private:
  struct Passed {
    std::uint64_t grid = 0;
    std::uint64_t cluster = 0;
  };
  /// The blocks of a cluster, or all blocks of a cooperative launch.
  struct Group {
    std::vector<std::uint64_t> longest;  ///< By phase: the instructions of the longest block.
    std::uint64_t block = 0;             ///< The instructions of the longest block in all phases.
  };

  void end_phase(std::size_t phase);

  Passed here_;  ///< By the current block.
  Passed most_;
  bool has_barriers_ = false;          ///< The launch is cooperative, or has clusters.
  std::uint64_t instructions_ = 0;     ///< The current block's, since its last barrier.
  std::vector<std::uint64_t> phases_;  ///< The same, before it.
  std::vector<Group> groups_;          ///< By the place of the block in its fork.
  std::size_t begun_ = 0;              ///< Blocks of this fork.
  double blocks_ = 0;
  double threads_ = 0;  ///< Per block.
};

}  // namespace warpgrade::timing

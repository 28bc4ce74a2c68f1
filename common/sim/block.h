// SPDX-License-Identifier: Apache-2.0
// One block in execution: its warps, its shared and local memory, its barriers.
//
// A Block belongs to one host thread, and runs one block of the grid after another. Warps take
// turns; a warp runs until it waits, ends or has used up its fuel. block_barriers.cpp has the
// barriers, and turn_orders.cpp other orders of turns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/place.h"
#include "common/run/launch.h"
#include "common/run/observer.h"
#include "common/run/runner.h"
#include "common/sim/memory/address_space.h"
#include "common/sim/micro_op.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {

// The state that the blocks of a launch share while they take turns.

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

/// Limit on the output of a launch in bytes.
constexpr std::size_t kPrintedLimit = run::kPrintedBytes;
/// Limit on the lines with warnings in a launch.
constexpr std::size_t kMostWarnings = 16;
/// Whether `warnings` need no further entry of this kind and line, because it is present or the
/// limit is reached.
bool is_told(const std::vector<base::Diagnostic>& warnings, base::DiagnosticKind kind,
             const base::SourceLocation& where);
/// The same for skipped barriers.
bool is_noted(const std::vector<base::SkippedBarrier>& skipped, const base::SourceLocation& where);

struct Cluster;

/// The parts of a launch that all its blocks have in common.
struct LaunchParts {
  const Code& code;
  const run::Launch& launch;
  const run::Options& options;
  AddressSpace& memory;
  std::uint32_t shared_bytes = 0;     ///< Per block, with Code::shared_padding.
  std::optional<base::Dim3> cluster;  ///< Blocks per cluster, if the launch has clusters.
  const run::Turns* turns = nullptr;  ///< Blocks take turns in the order of their clocks.

  std::uint64_t threads() const { return base::volume(launch.block); }
  std::uint32_t warps() const {
    return static_cast<std::uint32_t>((threads() + run::kWarpSize - 1) / run::kWarpSize);
  }
};

/// The results of a share's blocks so far.
struct ShareResult {
  std::vector<run::InstructionCount> counts;   ///< By instruction.
  std::string printed;                         ///< Stops growing at kPrintedLimit.
  std::vector<base::Diagnostic> warnings;      ///< Errors that stop nothing; one per source line.
  std::vector<base::SkippedBarrier> skipped;   ///< One per source line.
  std::optional<base::Diagnostic> diagnostic;  ///< The fault that ended the last block early.
};

/// The blocks with which a block runs in turns (residents.cpp), and its place among them.
struct Neighbours {
  Grid* grid = nullptr;        ///< nullptr: the block runs alone.
  Cluster* cluster = nullptr;  ///< nullptr: a cluster of this block alone.
  std::uint32_t rank = 0;      ///< In the cluster.
  std::uint32_t slot = 0;      ///< The place on the device of a block with clocks.
};

/// The outcome of a block's turn if blocks run in turns (residents.cpp).
struct Turn {
  bool ran = false;           ///< Some warp has executed something.
  bool is_last = false;       ///< All threads have ended, or there is a diagnostic.
  bool frees_others = false;  ///< A barrier has released warps of the block.
};

/// The work of a block (micro_op.h), with its limit Options::block_budget.
class WorkMeter {
 public:
  explicit WorkMeter(std::uint64_t budget) : budget_(budget) {}
  /// A block begins, which costs `charged` units.
  void restart(std::uint64_t charged) {
    charged_ = charged;
    steps_ = 0;
  }
  /// Adds units for work other than micro-ops.
  void charge(std::uint64_t units) { charged_ += units; }
  /// Counts micro-ops, including predicated-off ones.
  void add_steps(std::uint64_t steps) { steps_ += steps; }

  std::uint64_t budget() const { return budget_; }
  /// At least the warp instructions that the block has executed.
  std::uint64_t used() const { return steps_ + charged_; }
  bool is_within_budget() const { return used() <= budget_; }
  /// Whether the work other than micro-ops alone exceeds the budget.
  bool is_overcharged() const { return charged_ > budget_; }

 private:
  std::uint64_t budget_;
  std::uint64_t charged_ = 0;
  std::uint64_t steps_ = 0;  // since the block began
};

/// The register files of a block's warps, and its shared memory. Both begin at cache lines.
class BlockStorage {
 public:
  explicit BlockStorage(const LaunchParts& parts);
  std::byte* registers(std::uint32_t warp) const { return begin_ + warp * register_bytes_; }
  std::byte* shared() const { return shared_; }

 private:
  std::size_t register_bytes_;  // of a warp
  std::vector<std::byte> bytes_;
  std::byte* begin_;
  std::byte* shared_;
};

/// Local memory of a block's threads, one after the other.
struct LocalMemory {
  explicit LocalMemory(const LaunchParts& parts);
  std::byte* at(std::uint64_t thread, std::uint64_t offset) const {
    return bytes.get() + thread * bytes_per_thread + offset;
  }

  std::uint64_t bytes_per_thread;
  std::unique_ptr<std::byte[]> bytes;
  LocalWritten written;
};

/// The last accesses to device memory, from which the next ones are found faster.
struct LastAccesses {
  const Region* region = nullptr;
  std::vector<std::uintptr_t> host;  ///< Addresses, by warp and instruction.
};

class Block {
 public:
  /// Allocates memory for blocks of a launch and fills every constant slot. Everything that the
  /// arguments refer to must outlive the block.
  Block(const LaunchParts& launch_parts, const Neighbours& neighbours,
        std::vector<run::Observer*> all_observers, ShareResult& result);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  const LaunchParts parts;
  const Neighbours beside;
  ShareResult& out;
  WorkMeter work;
  LocalMemory local;
  LastAccesses recent;
  Frames frames;                        ///< Calls that its threads are in.
  std::array<std::byte, 64> nowhere{};  ///< Target of one bad access.

  /// Runs block `linear` of the grid to its end or to a fault.
  void run(std::uint64_t linear);
  /// run() in parts, if blocks run in turns (residents.cpp): the start, turns until one is the
  /// last, and the end of a block without a diagnostic.
  void start(std::uint64_t linear);
  Turn take_turn(bool polls_again);
  void finish();
  /// The same with clocks (turn_orders.cpp): sets the clocks of a started block; runs the warp, and
  /// sets the clocks of warps that a barrier releases.
  void set_clocks(double now);
  Turn take_warp_turn(Warp& warp);
  /// Whether warps execute the instruction in the order of their clocks.
  bool is_ordered(std::uint32_t instruction) const;
  std::vector<Warp>& warps() { return warps_; }
  std::byte* shared() const { return storage_.shared(); }
  /// Index of the block that runs.
  const base::Dim3& index() const { return index_; }
  /// Whether all its threads have exited.
  bool has_ended() const { return has_ended_; }
  bool is_alone() const { return beside.grid == nullptr; }
  bool is_timed() const { return parts.turns != nullptr; }
  /// Observers that want the block's instructions.
  const std::vector<run::Observer*>& watchers() const { return watchers_; }
  /// Ends the stall of a warp, which gets a turn.
  void wake(Warp& warp) const;
  /// Adds the clocks of `steps` instructions to their warp.
  void issue(Warp& warp, std::uint64_t steps) const;
  /// Clocks until shared memory answers, which serves one lane that polls after another.
  double shared_answer() const;
  /// The lanes that may use the value of a conditional load.
  std::uint32_t lanes_that_use(Warp& warp, const MicroOp& op) const;
  /// Adds the clocks of an access to its warp, which lets others run after some.
  void pass_time(Warp& warp, const MicroOp& op, run::Space space, std::uint32_t mask) const;
  /// Faults a warp that polls a place that no thread changes. Returns false if no warp polls.
  bool report_endless_poll();
  /// Reports threads that wait forever; with `elsewhere`, not the threads that wait at the
  /// barrier of the cluster. Returns false if no thread does.
  bool report_endless_wait(bool elsewhere);

  /// Reports an access by `warp` (its address array) of `bytes` per lane to the observers.
  void tell(Warp& warp, const MicroOp& op, run::Space space, std::uint32_t mask,
            std::uint32_t bytes, std::int64_t stride, const std::byte* data,
            const std::uint64_t* other_side = nullptr);
  /// Reports a barrier to the observers.
  void tell(const run::BarrierEvent& event);
  /// Reports a fence, or order by an object.
  void tell(const run::OrderEvent& event);
  /// Reports the handling of asynchronous copies.
  void tell(const run::CopyEvent& event);
  void tell(const run::BulkEvent& event);
  void tell(const run::GridEvent& event);

  /// bar.sync and similar: the running split of `warp` arrives at barrier `number`.
  void arrive(Warp& warp, const MicroOp& op, std::uint32_t number, std::uint32_t expected);
  /// bar.arrive: lanes `mask` of `warp` are counted, but do not wait.
  void arrive_only(const Warp& warp, const MicroOp& op, std::uint32_t number, std::uint32_t mask);

  /// barrier.cluster.arrive: lanes `mask` of `warp` arrive, and release their earlier accesses
  /// unless .relaxed.
  void cluster_arrive(Warp& warp, const MicroOp& op, std::uint32_t mask, bool releases);
  /// barrier.cluster.wait: lanes wait until all threads of the cluster have arrived.
  void cluster_wait(Warp& warp, const MicroOp& op, std::uint32_t mask);

  /// The atomic `op` has added the block's arrival to the barrier of the grid; `ends`: as the last
  /// of all blocks.
  void arrive_at_grid(const MicroOp& op, bool ends);
  /// Whether `warp` has to wait for other blocks in the load `op`. It continues when all have
  /// arrived.
  bool waits_at_grid(Warp& warp, const MicroOp& op);
  /// The load `op` has checked whether all blocks have arrived.
  void look_at_grid(const MicroOp& op);
  /// Reports that the block waits forever at the barrier of the grid.
  void report_grid_deadlock(std::string message);

  /// Warp instructions that the block has executed: its clock.
  std::uint64_t executed() const;
  void print(const run::PrintEvent& event);
  /// Whether the block is within its budget; if not, it faults.
  bool within_budget();
  /// `message` is empty if there are facts.
  void fault(base::DiagnosticKind kind, const MicroOp& op, std::uint32_t thread,
             std::string message, base::Facts facts = {});
  /// An error that does not stop the block.
  void warning(base::DiagnosticKind kind, const MicroOp& op, std::uint32_t thread,
               const std::string& message, base::Facts facts = {});
  /// Fills registers of `callee` that may be read too early with garbage, for lanes `mask` of
  /// `warp` that enter it.
  void fill_undefined(Warp& warp, const Callee& callee, std::uint32_t mask) const;
  /// Whether warning() has already reported this line, and would not report it again.
  bool has_warning(base::DiagnosticKind kind, const MicroOp& op) const;
  /// Source line of a micro-op.
  const base::SourceLocation& location(const MicroOp& op) const;

 private:
  void fill_constants(Warp& warp) const;
  void begin(std::uint64_t linear);
  void run_in_turns();
  void run_interleaved(std::uint64_t linear);
  bool take_turn_in_order(bool polls_again);
  bool take_turn_at_random(bool polls_again);
  bool can_run(const Warp& warp, bool polls_again) const;
  void note_poll(Warp& warp) const;
  bool release_barriers();
  bool release_cluster();
  void pass_cluster_barrier(bool all_wait, std::uint64_t phase);
  bool all_wait_for_cluster() const;
  std::string cluster_barrier_text() const;
  void tell_barrier(std::uint32_t number, const MicroOp& op, bool all_wait);
  void finish_reduction(std::uint32_t number);
  std::string barrier_text(const Waiting& entry) const;
  void note_skipped(const MicroOp& op);
  void report_deadlock();
  std::uint64_t live_threads() const;

  /// Arrivals at the barriers of the block and of its cluster.
  struct Arrivals {
    std::array<std::uint64_t, 16> only{};  ///< By bar.arrive, at each of the block's barriers.
    std::uint32_t awaited = 0;             ///< Barriers at which some warp waits, one bit each.
    bool awaits_cluster = false;           ///< Some warp waits at the cluster's barrier.
    bool relaxed = false;  ///< Some thread has arrived there with .relaxed in this phase.
  };
  /// The same at the barrier of the grid.
  struct AtGrid {
    std::uint64_t arrivals = 0;
    const MicroOp* wait = nullptr;  ///< The load in which the block waited last.
  };

  std::vector<run::Observer*> observers_;
  std::vector<run::Observer*> watchers_;
  BlockStorage storage_;
  std::vector<Warp> warps_;
  base::Dim3 index_;
  Arrivals arrivals_;
  AtGrid at_grid_;
  bool has_ended_ = false;
  std::uint64_t executed_before_ = 0;
  std::uint64_t random_ = 0;  ///< State of the random turns of residents.
};

}  // namespace warpgrade::sim

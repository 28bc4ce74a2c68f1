// SPDX-License-Identifier: Apache-2.0
// One block in execution: its warps, its shared and local memory, its barriers.
//
// A Block belongs to one host thread, and runs one block of the grid after another. Warps take
// turns; a warp runs until it waits, ends or has used up its fuel. block_barriers.cpp has the
// barriers, and turn_orders.cpp other orders of turns.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/place.h"
#include "common/run/launch.h"
#include "common/run/launch_limits.h"
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

/// The outcome of a block's turn if blocks run in turns (residents.cpp).
struct Turn {
  bool ran = false;           ///< Some warp has executed something.
  bool is_last = false;       ///< All threads have ended, or there is a diagnostic.
  bool frees_others = false;  ///< A barrier has released warps of the block.
};

struct Block {
  const Code* code = nullptr;
  const run::Launch* launch = nullptr;
  AddressSpace* memory = nullptr;
  run::InstructionCount* counts = nullptr;  ///< By instruction.
  std::vector<run::Observer*> observers;
  std::vector<run::Observer*> watchers;  ///< Observers that want the block's instructions.
  std::uint64_t seed = 0;
  std::uint64_t budget = 0;   ///< Units of work (micro_op.h), see Options::block_budget.
  std::uint64_t charged = 0;  ///< Units used by work other than micro-ops.

  std::byte garbage{};                                       ///< See Options::garbage.
  const std::vector<std::byte>* register_garbage = nullptr;  ///< See Options.
  const std::vector<std::byte>* shared_garbage = nullptr;    ///< See Options.
  std::uint32_t multiprocessors = 1;                         ///< See Options::multiprocessors.
  bool independent_lanes = true;                             ///< See Options.
  bool ignores_bad_addresses = false;                        ///< See Options.
  std::array<std::byte, 64> nowhere{};                       ///< Target of one bad access.
  std::byte* shared = nullptr;                               ///< The block's shared memory.
  std::uint32_t shared_bytes = 0;                            ///< With Code::shared_padding.
  std::byte* local = nullptr;               ///< Local memory of its threads, one after the other.
  LocalWritten local_written;               ///< Initialized bytes of it.
  Frames frames;                            ///< Calls that its threads are in.
  base::Dim3 index;                         ///< Index of the block that runs.
  base::Dim3 cluster_extent;                ///< Blocks per cluster of the launch.
  bool has_clusters = false;                ///< The launch or the kernel requests clusters.
  Cluster* cluster = nullptr;               ///< nullptr: a cluster of this block alone.
  std::uint32_t cluster_rank = 0;           ///< Rank in the cluster.
  bool has_ended = false;                   ///< All its threads have exited.
  Grid* grid = nullptr;                     ///< Grid of blocks that run in turns, or nullptr.
  std::uint64_t grid_arrivals = 0;          ///< At its barrier, of this block.
  const run::Turns* turns = nullptr;        ///< Blocks take turns in the order of their clocks.
  const MicroOp* grid_wait = nullptr;       ///< The load in which it waited there last.
  const Region* last_region = nullptr;      ///< Region of the last access to device memory.
  std::vector<std::uintptr_t> last_access;  ///< Host address, by warp and instruction.
  std::optional<base::Diagnostic> diagnostic;  ///< The fault that ended it early.
  std::vector<base::Diagnostic> warnings;      ///< Errors that stop nothing; one per source line.
  std::vector<base::SkippedBarrier> skipped;   ///< One per source line.
  std::string printed;  ///< Output of all blocks so far; stops growing at kPrintedLimit.

  /// Allocates memory for blocks of `launch` and fills every constant slot.
  void prepare();
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
  /// Ends the stall of a warp, which gets a turn.
  void wake(Warp& warp) const;
  std::uint32_t slot = 0;  ///< The place on the device of a block with clocks.
  /// Adds the clocks of `steps` instructions to their warp.
  void issue(Warp& warp, std::uint64_t steps) const;
  /// Clocks until shared memory answers, which serves one lane that polls after another.
  double shared_answer() const;
  /// Adds the clocks of an access to its warp, which lets others run after some.
  void pass_time(Warp& warp, const MicroOp& op, run::Space space, std::uint32_t mask) const;
  /// Faults a warp that polls a place that no thread changes. Returns false if no warp polls.
  bool report_endless_poll();
  /// Reports threads that wait forever; with `elsewhere`, not the threads that wait at the
  /// barrier of the cluster. Returns false if no thread does.
  bool report_endless_wait(bool elsewhere);

  /// Reports an access by `warp` (its address array) of `bytes` per lane to the observers.
  void tell(Warp& warp, const MicroOp& op, run::Space space, std::uint32_t mask,
            std::uint32_t bytes, std::int64_t stride, const std::byte* data);
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

  /// The used part of the budget of the last block: at least executed().
  std::uint64_t used() const { return steps_ + charged; }
  /// Warp instructions that the block has executed: its clock.
  std::uint64_t executed() const;
  void print(const run::PrintEvent& event);
  /// Counts micro-ops, including predicated-off ones.
  void add_steps(std::uint64_t steps) { steps_ += steps; }
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
  void fill_constants(Warp& warp);
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

  std::uint64_t threads_ = 0;
  std::vector<Warp> warps_;
  std::vector<std::byte> storage_;  ///< Register files and shared memory.
  std::unique_ptr<std::byte[]> stacks_;
  std::vector<std::uint64_t> arrived_only_ = std::vector<std::uint64_t>(16, 0);
  std::uint32_t awaited_ = 0;      ///< Barriers at which some warp waits, one bit each.
  bool awaits_cluster_ = false;    ///< Some warp waits at the cluster's barrier.
  bool relaxed_arrivals_ = false;  ///< Some thread has arrived there with .relaxed in this phase.
  std::uint64_t executed_before_ = 0;
  std::uint64_t steps_ = 0;   ///< Micro-ops since the block began.
  std::uint64_t random_ = 0;  ///< State of the random turns of residents.
};

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
// Runs launches of a compiled program: on the simulator (sim/) or on a GPU (gpu/). A Sequence is
// several launches over the same buffers that are checked, counted and timed as one.
//
// A single launch converts to a sequence, so every function for sequences accepts launches.
// Buffers and module variables keep their content within a sequence; each sequence begins with
// new ones. Shared memory, registers, local memory and the simulator's malloc() heap are reset
// per launch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/program.h"
#include "common/run/launch.h"
#include "common/run/observer.h"

namespace warpgrade::run {

struct Sequence {
  std::vector<Launch> launches;  ///< In order; at least one.
  /// By buffer: the buffer that holds its content at the end, because launches may swap buffers.
  /// Empty: no buffer moves.
  std::vector<std::size_t> places;

  Sequence() = default;
  Sequence(Launch launch)  // NOLINT(google-explicit-constructor): one launch is a sequence
      : launches{std::move(launch)} {}

  const Launch& first() const { return launches.front(); }
  bool is_one_launch() const { return launches.size() == 1; }
};

/// The kernel's name in the source: "scan_step" for "_Z9scan_stepPij", "reduce<4>".
std::string kernel_text(const Launch& launch);

/// "launch 3 of 12, scan_step" for the launch with that index.
std::string launch_text(const Sequence& sequence, std::size_t index);

/// The launch with that index; nullopt if it is the only one.
std::optional<base::InLaunch> place_of(const Sequence& sequence, std::size_t index);
/// `message` about the launch with that index; names the launch if there are several.
std::string in_launch(const Sequence& sequence, std::size_t index, const std::string& message);

/// The distinct kernels, for messages: "sums, add (12 launches)"; for a single launch its kernel's
/// name.
std::string kernels_text(const Sequence& sequence);

/// Moves each element of `all` (one per buffer) to its place after the sequence.
template <typename T>
void put_in_place(const Sequence& sequence, std::vector<T>& all) {
  if (sequence.places.empty()) return;
  std::vector<T> out(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) out[i] = std::move(all[sequence.places[i]]);
  all = std::move(out);
}

/// The same for the contents of `buffers`; their names stay.
void put_in_place(const Sequence& sequence, std::vector<Buffer>& buffers);

/// The host call that a card needs before `sequence`, for the launch with the most dynamic shared
/// memory; empty if no launch needs it. `program` contains the kernels.
std::string shared_attribute_text(const Sequence& sequence, const compile::Program& program);

/// How often each PTX instruction of the kernel was executed, by index; empty on a GPU.
struct InstructionCount {
  std::uint64_t warps = 0;    ///< Warps that executed it with at least one active lane.
  std::uint64_t threads = 0;  ///< Active lanes, summed.
};

/// A register that some thread reads before the code assigns a value to it.
struct UndefinedRegister {
  std::uint32_t number = 0;     ///< Index into Options::register_garbage.
  base::Diagnostic diagnostic;  ///< To report if the register's content changes the result.
};

struct Result {
  /// Empty if the launch finished; otherwise the buffers contain partial results.
  std::vector<base::Diagnostic> diagnostics;
  /// Diagnostics without a deduction, of severity kWarning.
  std::vector<base::Diagnostic> warnings;
  std::vector<InstructionCount> instructions;
  double seconds = 0;   ///< sim: host time of the execution. gpu: time between two events.
  std::string printed;  ///< Output of the kernel.
  /// Simulator only: work of the launch in units of Options::launch_budget. Exceeds the budget if
  /// the launch was stopped for it.
  std::uint64_t work = 0;
  /// Simulator only: registers that a thread may have read before assigning a value.
  std::vector<UndefinedRegister> undefined_registers;
  /// With Options::turns: how often a warp waited for a word that another warp wrote, and the clock
  /// at the end of the last block.
  std::uint64_t waits = 0;
  double clocks = 0;
  /// The same: lanes that found a lock locked again, waits for a block that had not begun, and the
  /// blocks that took turns.
  std::uint64_t failed_swaps = 0;
  std::uint64_t waits_for_later = 0;
  std::uint64_t blocks_in_turns = 0;
  /// Simulator only: one per source line, and only a few.
  std::vector<base::SkippedBarrier> skipped_barriers;
};

/// Instructions that all warps of the launch have executed.
inline std::uint64_t warp_instructions(const Result& result) {
  std::uint64_t sum = 0;
  for (const auto& count : result.instructions) sum += count.warps;
  return sum;
}

/// Instructions that all threads of the launch have executed.
inline std::uint64_t thread_instructions(const Result& result) {
  std::uint64_t sum = 0;
  for (const auto& count : result.instructions) sum += count.threads;
  return sum;
}

/// Linear indices [begin, end).
struct BlockRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Blocks that take turns in the order of their clocks (sim/turn_orders.cpp), and what a warp's
/// clock counts.
struct Turns {
  std::uint32_t resident = 1;         ///< Blocks that run at once.
  std::uint32_t multiprocessors = 1;  ///< Block i runs on i modulo this one.
  double block = 0;                   ///< Clocks until a block begins.
  double instruction = 0;             ///< Clocks of a warp instruction,
  double issue = 0;                   ///< and of a multiprocessor for it.
  double load = 0;                    ///< Until L2 answers a load.
  double plain_load = 0;              ///< The same on average for plain loads, from L2 or DRAM,
  double plain_tail = 0;   ///< and the mean of its part that is distributed exponentially.
  double plain_pass = 0;   ///< Clocks of the busiest resource for a plain access of a thread.
  double atomic = 0;       ///< Until L2 answers an atomic.
  double shared = 0;       ///< The same in shared memory.
  double load_pass = 0;    ///< L2 serves accesses to one word one by one: a load,
  double atomic_pass = 0;  ///< and a lane of an atomic.
  double store = 0;        ///< Until others can see a store.
  double block_fence = 0;  ///< A fence of the block.
  double fence = 0;        ///< A fence of the device,
  double fence_after = 0;  ///< and one behind a store or load.
  double barrier = 0;      ///< After the last warp of a block has arrived.
};

struct Options {
  std::uint64_t seed = 0;     ///< sim: execution order of warps and blocks; 0: by index.
  std::uint32_t threads = 0;  ///< sim: host threads; 0: one per available core.
  /// Work after which a block counts as a runaway, in units of a warp instruction. sim/micro_op.h
  /// has the units of more expensive operations.
  std::uint64_t block_budget = std::uint64_t{1} << 30;
  /// Work of all blocks of a launch together.
  std::uint64_t launch_budget = std::uint64_t{1} << 37;
  /// Number of multiprocessors in %nsmid; %smid assigns blocks to them round-robin.
  std::uint32_t multiprocessors = 1;
  /// From Volta on: lanes of a warp make progress independently, and warp-synchronous calls of one
  /// kind and mask can meet from different places. false: older devices.
  bool independent_lanes = true;
  /// Initial value of every byte of shared and local memory, and of registers without a
  /// value.
  std::byte garbage{0xff};
  /// The same for single registers, by UndefinedRegister::number; others get `garbage`.
  std::vector<std::byte> register_garbage;
  /// The same for single bytes of a block's shared memory; others get `garbage`.
  std::vector<std::byte> shared_garbage;
  /// sim continues after misaligned and out-of-bounds accesses: loads return zeros, stores have no
  /// effect, and each line gets one diagnostic. Shows the other findings of a launch.
  bool ignores_bad_addresses = false;
  /// The blocks that sim executes, ascending and disjoint; empty: all. Outputs of other blocks stay
  /// unchanged, so this serves timing only.
  std::vector<BlockRange> blocks;
  std::vector<Observer*> observers;  ///< Receive the events of sim; a GPU has no events.
  /// For sim: how blocks take turns; nullopt: one runs after the other. Not for cooperative
  /// launches and clusters, whose blocks always take turns.
  std::optional<Turns> turns;
  /// For sim, if several launches share a module: the initial content of its variables (empty: as
  /// in the program), replaced by their final content. nullptr: variables are reset.
  std::vector<std::vector<std::byte>>* variables = nullptr;
};

class Runner {
 public:
  virtual ~Runner() = default;

  /// Selects the program whose kernels launch() runs; its variables are reset for each launch.
  /// `program` must outlive its use. Throws base::ToolError. An unsupported feature becomes a
  /// diagnostic of kind kUnsupported at the launch that needs it.
  virtual void load(const compile::Program& program) = 0;

  /// Copies the buffers in, runs the kernel once, and copies them back. Throws base::UsageError if
  /// geometry or arguments do not match the kernel or the device, and base::ToolError if the device
  /// fails for a reason outside the kernel.
  virtual Result launch(const Launch& launch, std::vector<Buffer>& buffers,
                        const Options& options) = 0;
};

// Ranges of blocks that are ascending and disjoint.

inline bool contains(const std::vector<BlockRange>& ranges, std::uint64_t block) {
  const auto behind =
      std::upper_bound(ranges.begin(), ranges.end(), block,
                       [](std::uint64_t b, const BlockRange& range) { return b < range.begin; });
  return behind != ranges.begin() && block < std::prev(behind)->end;
}

inline std::uint64_t block_count(const std::vector<BlockRange>& ranges) {
  return std::accumulate(
      ranges.begin(), ranges.end(), std::uint64_t{0},
      [](std::uint64_t sum, const BlockRange& range) { return sum + range.end - range.begin; });
}

}  // namespace warpgrade::run

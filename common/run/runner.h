// SPDX-License-Identifier: Apache-2.0
// Runs launches of a compiled program: on the simulator (sim/) or on a GPU (gpu/).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/dim3.h"
#include "common/compile/program.h"
#include "common/run/launch.h"
#include "common/run/observer.h"

namespace warpgrade::run {

/// How often each PTX instruction of the kernel was executed, by its index; empty on a GPU.
struct InstructionCount {
  std::uint64_t warps = 0;    ///< Warps that executed it with at least one active lane.
  std::uint64_t threads = 0;  ///< Active lanes, summed.
};

/// A register that the code reads before anything gives it a value, for some thread at least.
struct UndefinedRegister {
  std::uint32_t number = 0;     ///< Its place in Options::register_garbage.
  base::Diagnostic diagnostic;  ///< To be told if its content changes the result.
};

/// A barrier of the whole block that some of its threads never reach, because they end before it.
struct SkippedBarrier {
  base::SourceLocation where;
  base::Dim3 block;              ///< The first block in which it happened.
  std::string threads;           ///< Threads that ended: "threads 64 to 127".
  std::uint64_t reached = 0;     ///< Number of threads that reach it.
  std::uint64_t block_size = 0;  ///< Number of threads of the block.
};

struct Result {
  /// Empty where the launch came to its end; else the buffers hold whatever it left.
  std::vector<base::Diagnostic> diagnostics;
  /// Diagnostics that cost nothing, of severity kWarning.
  std::vector<base::Diagnostic> warnings;
  std::vector<InstructionCount> instructions;
  double seconds = 0;   ///< sim: time that the execution took here. gpu: time between two events.
  std::string printed;  ///< Printed by the kernel.
  /// Simulator only: work that the launch did, in the units of Options::launch_budget. Where it was
  /// stopped for that, more than the budget.
  std::uint64_t work = 0;
  /// Simulator only: registers that a thread may have read before it gave them a value.
  std::vector<UndefinedRegister> undefined_registers;
  /// Simulator only: one a source line, a few at most.
  std::vector<SkippedBarrier> skipped_barriers;
};

/// Linear indices [begin, end).
struct BlockRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct Options {
  std::uint64_t seed = 0;     ///< Order in which sim runs warps and blocks; 0: by index.
  std::uint32_t threads = 0;  ///< Host threads of sim; 0: one a core that it may use.
  /// Work that one block may do before it is called a runaway, in units of a warp instruction:
  /// sim/work.h has those of what takes longer.
  std::uint64_t block_budget = std::uint64_t{1} << 30;
  /// Work that all blocks of a launch may do together.
  std::uint64_t launch_budget = std::uint64_t{1} << 37;
  /// Multiprocessors that %nsmid tells of; %smid deals the blocks out to them in turn.
  std::uint32_t multiprocessors = 1;
  /// Lanes of a warp make progress by themselves, and warp-synchronous calls of one kind and mask
  /// meet from different places: since Volta. false: as on older devices.
  bool independent_lanes = true;
  /// The content of every byte of shared and local memory, and of registers without a value, before
  /// the kernel writes it.
  std::byte garbage{0xff};
  /// The same for single registers, by UndefinedRegister::number; those behind its end: `garbage`.
  std::vector<std::byte> register_garbage;
  /// The same for single bytes of a block's shared memory; those behind its end: `garbage`.
  std::vector<std::byte> shared_garbage;
  /// sim goes on past accesses that are misaligned or out of bounds, of which a load gives zeros
  /// and a store goes nowhere; each line has a diagnostic. To see what else of a launch matters.
  bool ignores_bad_addresses = false;
  /// The blocks that sim executes, ascending and apart; empty: all. What the others would have
  /// written stays as it was: for timing, not for results.
  std::vector<BlockRange> blocks;
  std::vector<Observer*> observers;  ///< Told of what sim executes; a GPU tells nothing.
  /// For sim, where one module serves several launches: what its variables hold before the launch
  /// (empty: as the program says), and after it. nullptr: they start afresh.
  std::vector<std::vector<std::byte>>* variables = nullptr;
};

class Runner {
 public:
  virtual ~Runner() = default;

  /// Makes `program` the one whose kernels launch() runs; its variables start afresh for each
  /// launch. `program` must outlive its use. Throws base::ToolError; what sim cannot execute is a
  /// diagnostic of kind kUnsupported at the launch that would need it.
  virtual void load(const compile::Program& program) = 0;

  /// Copies the buffers in, runs the kernel once, copies them back. Throws base::UsageError where
  /// geometry or arguments do not fit the kernel or the device, base::ToolError where the device
  /// fails for a reason that is not the kernel's.
  virtual Result launch(const Launch& launch, std::vector<Buffer>& buffers,
                        const Options& options) = 0;
};

}  // namespace warpgrade::run

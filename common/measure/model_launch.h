// SPDX-License-Identifier: Apache-2.0
// Executes some blocks of a launch on a profile and models the time of the whole launch.
//
// This is for sizes at which executing every block would take long. Checks are off, and buffers
// contain only the results of the executed blocks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/check/checks.h"
#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/measure/measurement.h"
#include "common/memory/counters.h"
#include "common/ptx/module.h"
#include "common/run/launch.h"
#include "common/run/runner.h"
#include "common/sim/memory/sparse_buffer.h"
#include "common/sim/simulator.h"
#include "common/timing/bound.h"
#include "common/timing/l2_contents.h"
#include "common/timing/model.h"
#include "common/timing/tracer.h"

namespace warpgrade::measure {

// Runs a sequence of launches on the simulator as one.
//
// Buffers and module variables pass from launch to launch, and all launches share one work limit. A
// launch that does not finish is the last one. Its diagnostics name the launch.

/// Whether the diagnostic reports a read of an undefined value.
bool is_undefined_read(const base::Diagnostic& found);

/// Steps before and after each launch of a sequence.
struct AroundLaunch {
  /// Adds observers to the launch's options.
  std::function<void(const run::Launch& launch, run::Options& options)> before;
  /// Gets the launch's own result, even if it did not finish.
  std::function<void(std::size_t index, const run::Result& result)> after;
};

/// Runs `sequence` with the program that `simulator` has loaded; `options` apply to the whole
/// sequence. Registers of its second kernel are numbered from kRegistersAKernel on, and so on.
run::Result run_sequence(sim::Simulator& simulator, const run::Sequence& sequence,
                         std::vector<run::Buffer>& buffers, const run::Options& options,
                         const AroundLaunch& around = {});

/// Collects the findings of checks in the launches of a sequence: all findings of the first faulty
/// launch, and undefined reads of every launch, one per source line.
class SequenceFindings {
 public:
  explicit SequenceFindings(const run::Sequence& sequence) : sequence_(sequence) {}

  void add(std::size_t index, const std::vector<base::Diagnostic>& found);
  const std::vector<base::Diagnostic>& all() const { return all_; }

 private:
  const run::Sequence& sequence_;
  std::vector<base::Diagnostic> all_;
  bool has_fault_ = false;
};

/// Passes on to the next launches which bytes of undefined buffers this one has written, as
/// observed by `checks`.
void keep_written(const check::Checks& checks, std::vector<run::Buffer>& buffers);

// Counts the launches of a sequence on a profile one after another, times them if requested, and
// adds them up.

/// How launches are timed.
enum class Timing : std::uint8_t {
  kNone,
  kBySample,       ///< A sample of the blocks is traced: see timing::choose_sample().
  kThird,          ///< All blocks of a third of the SMs: see timing::third_of_chip().
  kWhole,          ///< All blocks on all SMs.
  kTurns,          ///< As kWhole, with blocks in turns: see timing/waits.h.
  kTurnsBySample,  ///< As kBySample, in turns.
};

class SequenceCounts {
 public:
  /// Counts launches of `program` on `buffers`. The program and `profile` must outlive this.
  SequenceCounts(const device::Profile& profile, const compile::Program& program,
                 const std::vector<run::Buffer>& buffers, Timing timing,
                 bool follows_lines = false);

  /// Adds the observers of `launch` of the kernel `function` to `options`.
  void begin(const ptx::Function& function, const run::Launch& launch, run::Options& options);
  /// Adds the current launch, a launch of the kernel `function` with `result`.
  void end(const ptx::Function& function, const run::Result& result);
  /// The timing to use if a sample does not represent the blocks of a launch: kWhole or, with more
  /// instructions, kThird. kNone if the sample is good, or if there are too many instructions.
  Timing better_timing() const;
  /// After a count in turns: whether it shows what the first one could not.
  bool has_shown_turns(const SequenceCounts& first) const;
  /// Blocks in turns access memory at the pace of `first`, which counted the same launches.
  void use_paces(const SequenceCounts& first) { paces_ = first.paces_; }
  /// Whether a launch in turns has failed, so that waits have no time.
  bool has_failed() const { return has_failed_; }
  /// Stores the sums; the first launch determines the occupancy.
  void put_into(Measurement& measured) const;

 private:
  const device::Profile& profile_;
  const compile::Program& program_;
  Timing timing_;
  bool follows_lines_;
  bool has_begun_ = false;
  std::vector<std::uint64_t> buffer_bytes_;
  std::uint64_t blocks_ = 0;  // of the current launch, like the next two
  std::optional<memory::Counters> counters_;
  std::optional<timing::Observation> observation_;  // only if timed
  std::uint64_t instructions_ = 0;                  // of all warps
  timing::Occupancy occupancy_;                     // of the current launch, like the next
  run::Launch launch_;
  timing::TurnNeeds needs_;          // of all launches
  std::vector<timing::Pace> paces_;  // by launch
  std::uint64_t waits_ = 0;
  bool has_failed_ = false;
  bool is_even_ = true;  // all launches: see timing::is_even()
  memory::Totals totals_;
  timing::SequenceTime time_;
  timing::L2Contents l2_;
  Measurement sum_;  // lines, their instructions, arithmetic, bytes, launches' seconds, occupancy
};

/// The purpose of a partial execution.
enum class SampleUse : std::uint8_t {
  kTime,            ///< The blocks of the time model, and 32 others.
  kTimeAndResults,  ///< And up to 1,024 others, for results only.
  kResults,         ///< 1,024 random blocks and those in the corners of the grid, for results only.
};

/// A launch that executed only some blocks.
struct SampledLaunch {
  run::Result result;
  timing::Occupancy occupancy;
  timing::TimeEstimate time;            ///< Whole launch; meaningless after a diagnostic.
  std::vector<run::BlockRange> blocks;  ///< Executed; ascending and disjoint.
  /// The traced blocks differ, and 1,024 others showed how much a mean block does. Executing the
  /// whole launch would add nothing: its time comes from the same sample.
  bool is_drawn_widely = false;

  std::uint64_t executed() const;
};

/// Executes blocks without checks: the blocks of the model, further blocks drawn with `draw`, and
/// the last ones. If the blocks of a large launch differ, executes 1,024 more. Uses threads and
/// budgets of `options`.
SampledLaunch model_launch(const device::Profile& profile, const compile::Program& program,
                           const compile::Kernel& kernel, const run::Launch& launch,
                           std::vector<sim::SparseBuffer>& buffers, run::Options options,
                           std::uint64_t draw, SampleUse use);

/// Executes all blocks of a launch without checks and counters, some at a time, so that the host
/// needs memory only for the outputs of those. Each part begins with the contents of `patterns`;
/// the module's variables persist. `visit` gets the buffers after each part. Stops at a diagnostic.
run::Result run_in_parts(
    const compile::Program& program, const run::Launch& launch,
    const std::vector<run::Pattern>& patterns, run::Options options,
    const std::function<void(const std::vector<sim::SparseBuffer>& buffers)>& visit);

/// The blocks of a launch that the time model needs.
struct TimedBlocks {
  timing::Sample sample;
  std::vector<run::BlockRange> executed;  ///< Ascending and disjoint.
};

/// The blocks of the model, further ones drawn with `draw`, and the last ones. `function` is the
/// kernel.
TimedBlocks timed_blocks(const device::Profile& profile, const timing::Occupancy& occupancy,
                         const ptx::Function& function, const run::Launch& launch,
                         std::uint64_t draw);

/// The kernel that `launch` names. Throws base::UsageError if `program` does not contain it.
const compile::Kernel& kernel_of(const compile::Program& program, const run::Launch& launch);

/// The occupancy of an SM by this launch of `kernel`.
timing::Occupancy occupancy_of(const device::Profile& profile, const compile::Kernel& kernel,
                               const run::Launch& launch);

/// The reason why no SM can run a block of the launch: "43008 bytes of shared memory a block, 16384
/// at most"; empty if an SM can. Registers are those of the compiled code, which on older devices
/// is for another architecture (Profile::architecture).
std::string does_not_fit(const device::Profile& profile, const compile::Kernel& kernel,
                         const run::Launch& launch);

/// Why a cooperative launch cannot be made although a block of it fits: its blocks are not resident
/// together, or the device has no such launches. Empty if it can, and for other launches.
std::string not_resident(const device::Profile& profile, const compile::Kernel& kernel,
                         const run::Launch& launch);

}  // namespace warpgrade::measure

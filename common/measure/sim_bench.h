// SPDX-License-Identifier: Apache-2.0
// Measures launches on a simulated device. Several threads may ask at a time.
//
// The interface is abstract so that grading, profiling and studies are tested without a simulator.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/measure/measurement.h"
#include "common/measure/model_launch.h"
#include "common/run/runner.h"
#include "common/run/sequence.h"

namespace warpgrade::measure {

/// One more run of a launch, in another order of warps and blocks.
struct ScheduledRun {
  std::uint64_t seed = 0;
  std::vector<base::Diagnostic> diagnostics;
  std::vector<base::Diagnostic> warnings;  ///< Diagnostics that cost nothing.
  std::vector<run::Buffer> buffers;        ///< With the results.
};

/// Makes the buffers of a launch as they are before it; those that are only read may come without
/// bytes if not `inputs_too`.
using MakeBefore = std::function<std::vector<run::Buffer>(bool inputs_too)>;

/// A further device for which launches are counted while they are executed once.
struct CountedElsewhere {
  const device::Profile* profile = nullptr;
  const compile::Program* program = nullptr;  ///< Compiled for it; alike (sim/alike.h).
  std::string refusal = {};                   ///< Why that device cannot launch them; or empty, and
  Measurement measured = {};                  ///< as if they had been executed there.
};

class SimBench {
 public:
  virtual ~SimBench() = default;
  virtual const device::Profile& profile() const = 0;
  /// Runs launches of `program` with all checks on; buffers hold the result. They may have to be
  /// repeated: where the caller can make again what outputs hold before them, `before` saves a
  /// copy. The launches and their repetitions together may do Options::launch_budget units of work;
  /// Result::work is what they did. Throws base::UsageError where the device cannot launch them.
  virtual Measurement measure(const compile::Program& program, const run::Sequence& sequence,
                              std::vector<run::Buffer>& buffers, const run::Options& options,
                              const MakeBefore& before = {}) = 0;
  /// Does the same as measure() for callers that need no time: seconds, bound_by and shares may be
  /// missing. Fills in `others`, too.
  virtual Measurement count(const compile::Program& program, const run::Sequence& sequence,
                            std::vector<run::Buffer>& buffers, const run::Options& options,
                            const MakeBefore& before = {},
                            std::span<CountedElsewhere> others = {}) = 0;
  /// Runs launches of which measure() had no diagnostics once for each of `seeds` (not 0), with
  /// all checks on and those for races in global memory, which takes several times as long. A run
  /// that does many times the work of `measured` is a runaway, and so is one that passes what is
  /// left of `budget` units for all of them. Stops at the first run with diagnostics.
  virtual std::vector<ScheduledRun> run_in_schedules(const compile::Program& program,
                                                     const run::Sequence& sequence,
                                                     const std::vector<run::Buffer>& before,
                                                     const Measurement& measured,
                                                     const std::vector<std::uint64_t>& seeds,
                                                     std::uint64_t budget) = 0;
  /// Executes some blocks of a launch that is too large for all of them, see model_launch().
  virtual SampledLaunch measure_sample(const compile::Program& program,
                                       const compile::Kernel& kernel, const run::Launch& launch,
                                       std::vector<sim::SparseBuffer>& buffers,
                                       const run::Options& options, std::uint64_t draw,
                                       SampleUse use) = 0;
  /// Predicted seconds of the copy baseline to read `bytes` / 2 and to write as many. Kept, so
  /// asking again is free.
  virtual double copy_seconds(std::uint64_t bytes) = 0;
  /// All that copy_seconds() need not work out any more, by bytes.
  virtual std::map<std::uint64_t, double> copies() = 0;
};

/// `copies`: what copies() of such a bench has returned before, of the same program.
std::unique_ptr<SimBench> sim_bench(const device::Profile& profile,
                                    std::map<std::uint64_t, double> copies = {});

}  // namespace warpgrade::measure

// SPDX-License-Identifier: Apache-2.0
// The bench on the simulator: one execution is checked, counted and passed to the time model.
//
// A kernel's time on a profile depends only on its executed instructions and accesses. So one run
// is enough, and a program always gets the same time. The copy baseline is known to copy, so only
// the blocks that the model needs are executed. Repeated launches start from a copy of the
// buffers.
#pragma once

#include <array>
#include <cstddef>
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

namespace warpgrade::measure {

// A copy of a buffer's bytes, for launches that must be repeated.
//
// Outputs usually start as one repeated word: zeros or poison. Then only the word is kept, because
// a copy would need as much memory as the outputs themselves.

class Contents {
 public:
  Contents() = default;
  explicit Contents(const std::vector<std::byte>& bytes);

  std::vector<std::byte> bytes() const;
  /// Bytes that the copy itself uses.
  std::size_t kept() const { return all_.size(); }

 private:
  std::size_t size_ = 0;
  std::array<std::byte, 8> word_{};  ///< The repeated word, if all_ is empty.
  std::vector<std::byte> all_;
};

/// One more run of a launch, with another order of warps and blocks.
struct ScheduledRun {
  std::uint64_t seed = 0;
  std::vector<base::Diagnostic> diagnostics;
  std::vector<base::Diagnostic> warnings;  ///< Diagnostics without a deduction.
  std::vector<run::Buffer> buffers;        ///< With the results.
  std::uint64_t work = 0;
};

/// Creates the initial buffers of a launch; read-only buffers may be empty unless
/// `inputs_too`.
using MakeBefore = std::function<std::vector<run::Buffer>(bool inputs_too)>;

/// A further device for which the same execution is counted.
struct CountedElsewhere {
  const device::Profile* profile = nullptr;
  const compile::Program* program = nullptr;  ///< Compiled for it; equivalent (sim/simulator.h).
  std::string refusal = {};                   ///< Why that device cannot launch them.
  Measurement measured = {};                  ///< If it can: as if executed there.
};

class SimBench {
 public:
  virtual ~SimBench() = default;
  virtual const device::Profile& profile() const = 0;
  /// From now on measure() divides the time of warps among source lines, for a profile. A bench
  /// without a time model ignores it.
  virtual void follow_lines() {}
  /// Runs launches of `program` with all checks on; buffers contain the result. They may have to
  /// run again: if the caller can recreate the initial outputs with `before`, that saves a copy.
  /// All runs together may do Options::launch_budget units of work; Result::work is the work done.
  /// Throws base::UsageError if the device cannot launch them.
  virtual Measurement measure(const compile::Program& program, const run::Sequence& sequence,
                              std::vector<run::Buffer>& buffers, const run::Options& options,
                              const MakeBefore& before = {}) = 0;
  /// Like measure(), for callers that need no time: seconds, bound_by and shares may be missing.
  /// Also fills in `others`.
  virtual Measurement count(const compile::Program& program, const run::Sequence& sequence,
                            std::vector<run::Buffer>& buffers, const run::Options& options,
                            const MakeBefore& before = {},
                            std::span<CountedElsewhere> others = {}) = 0;
  /// Repeats launches that measure() accepted, once per seed in `seeds` (not 0), with all checks
  /// and those for races in global memory, which is several times slower. A run is a runaway if it
  /// does many times the work of `measured` or exceeds the rest of `budget` units for all runs.
  /// Stops at the first run with diagnostics.
  virtual std::vector<ScheduledRun> run_in_schedules(const compile::Program& program,
                                                     const run::Sequence& sequence,
                                                     const std::vector<run::Buffer>& before,
                                                     const Measurement& measured,
                                                     const std::vector<std::uint64_t>& seeds,
                                                     std::uint64_t budget) = 0;
  /// Executes some blocks of a launch that is too large to execute in full, see model_launch().
  virtual SampledLaunch measure_sample(const compile::Program& program,
                                       const compile::Kernel& kernel, const run::Launch& launch,
                                       std::vector<sim::SparseBuffer>& buffers,
                                       const run::Options& options, std::uint64_t draw,
                                       SampleUse use) = 0;
  /// Executes all blocks of a launch for their results, see measure::run_in_parts().
  virtual run::Result run_in_parts(
      const compile::Program& program, const run::Launch& launch,
      const std::vector<run::Pattern>& patterns, const run::Options& options,
      const std::function<void(const std::vector<sim::SparseBuffer>& buffers)>& visit) = 0;
  /// Predicted seconds of the copy baseline to read `bytes` / 2 and to write as many. Cached, so
  /// repeated calls are free.
  virtual double copy_seconds(std::uint64_t bytes) = 0;
  /// All cached results of copy_seconds(), by bytes.
  virtual std::map<std::uint64_t, double> copies() = 0;
};

/// `copies`: an earlier result of copies() for the same profile.
std::unique_ptr<SimBench> sim_bench(const device::Profile& profile,
                                    std::map<std::uint64_t, double> copies = {});

}  // namespace warpgrade::measure

// SPDX-License-Identifier: Apache-2.0
// One launch measured: executed on a backend, checked, counted and timed on a device.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/measure/comparison.h"
#include "common/memory/metrics.h"
#include "common/run/pattern.h"
#include "common/run/runner.h"
#include "common/timing/model.h"
#include "common/timing/occupancy.h"

namespace warpgrade::gpu {
class GpuRunner;
}

namespace warpgrade::measure {

struct Measurement {
  run::Result result;                       ///< Diagnostics, instruction counts.
  memory::Metrics metrics;                  ///< Empty on a GPU: see Bench::count().
  std::vector<memory::LineCounters> lines;  ///< Empty on a GPU.
  timing::Occupancy occupancy;
  double seconds = 0;    ///< Modelled (sim) or the median of the samples (gpu).
  std::string bound_by;  ///< sim: the model's; gpu: "measured".
  std::vector<timing::Share> shares;
  std::uint64_t bytes = 0;  ///< Bytes of global memory read plus written at least once.
};

/// One more run of a launch, in another order of warps and blocks.
struct ScheduledRun {
  std::uint64_t seed = 0;
  std::vector<base::Diagnostic> diagnostics;
  std::vector<run::Buffer> buffers;  ///< With the results.
};

/// A launch whose time is compared with the copy baseline's, from several contents in turn.
struct TimedCase {
  compile::Kernel kernel;
  run::Launch launch;
  std::vector<run::Pattern> before;
  /// One a buffer: an input whose elements could as well stand in any other order, and do.
  std::vector<bool> any_order;
  /// Makes of the buffers what is right, in a launch of its own.
  const compile::Program* reference = nullptr;
  run::Launch reference_launch;
  /// What is wrong with the buffers that a launch has made of `before`, where the reference makes
  /// `after` (without inputs), in words; empty where nothing is.
  std::function<std::string(const std::vector<run::Buffer>& before,
                            const std::vector<run::Buffer>& after,
                            const std::vector<run::Buffer>& got)>
      difference;
  bool is_timed = true;        ///< Or only checked.
  std::vector<double> bounds;  ///< That gates ask for.
  double narrow = 0.01;        ///< See StoppingOptions.
};

struct CopyComparison {
  Measurement measured;              ///< Diagnostics, what was printed, the median of the times.
  std::string difference;            ///< The first launch that was not right; empty: all were.
  std::optional<Fraction> fraction;  ///< Where all were right and the case is timed.
  /// Why the time cannot be true, in words; empty where it can.
  std::string impossible;
  std::vector<std::string> notes;  ///< For whoever set the case.
};

/// What the card's own counters say of one launch.
struct GpuCounters {
  memory::Metrics metrics;  ///< Those of memory::metric_names() that a profiler of the card has.
  std::string reason;       ///< Why there are none, in words; empty where there are.
};

/// Cases of one submission on the way through their comparisons.
class CopyComparisons {
 public:
  virtual ~CopyComparisons() = default;
  /// Times launches of the kernel and of the copy baseline in turn until the case's bounds are
  /// decided or it takes too long, and checks every one of them. Throws base::ToolError where the
  /// reference fails, else as Bench::measure() does. Not to be asked again after it has thrown or
  /// a comparison has found diagnostics.
  virtual CopyComparison compare(std::size_t which) = 0;
};

/// Makes the buffers of a launch as they are before it, those that are only read without bytes.
using MakeBefore = std::function<std::vector<run::Buffer>()>;

/// Where launches are measured: one backend and one device. On the simulator several threads may
/// ask at a time.
class Bench {
 public:
  virtual ~Bench() = default;
  virtual const device::Profile& profile() const = 0;
  virtual std::string backend() const = 0;  ///< "sim" or "gpu".
  /// Runs one launch of `kernel` of `program` with all checks on; buffers hold the result. A GPU
  /// makes as many launches as `options` asks for, and takes the median of their times. One may
  /// have to be repeated: where the caller can make again what outputs hold before it, `before`
  /// saves a copy.
  virtual Measurement measure(const compile::Program& program, const compile::Kernel& kernel,
                              const run::Launch& launch, std::vector<run::Buffer>& buffers,
                              const run::Options& options, const MakeBefore& before = {}) = 0;
  /// Runs a launch of which measure() had no diagnostics once for each of `seeds` (not 0), with
  /// all checks on and those for races in global memory, which takes several times as long.
  /// `measured` bounds what it may execute before it is called a runaway. Stops at the first run
  /// with diagnostics. Empty on a GPU.
  virtual std::vector<ScheduledRun> run_in_schedules(const compile::Program& /*program*/,
                                                     const run::Launch& /*launch*/,
                                                     const std::vector<run::Buffer>& /*before*/,
                                                     const Measurement& /*measured*/,
                                                     const std::vector<std::uint64_t>& /*seeds*/) {
    return {};
  }
  /// Begins to compare these cases of `program`, which outlives it, with the copy baseline. Only a
  /// GPU needs it: nullptr on sim, whose times have no noise.
  virtual std::unique_ptr<CopyComparisons> comparisons(const compile::Program& /*program*/,
                                                       std::vector<TimedCase> /*cases*/) {
    return nullptr;
  }
  /// The card's counters of one launch that measure() found nothing wrong with, from the content
  /// `before`; takes seconds. Only of a GPU.
  virtual std::optional<GpuCounters> count(const compile::Program& /*program*/,
                                           const run::Launch& /*launch*/,
                                           const std::vector<run::Buffer>& /*before*/) {
    return std::nullopt;
  }
  /// Seconds that the copy baseline takes on this backend and device to read `bytes` / 2 and to
  /// write as many. Kept, so asking again is free. `scratch`: buffers that are done with, whose
  /// memory the copy may take.
  virtual double copy_seconds(std::uint64_t bytes, std::vector<run::Buffer> scratch = {}) = 0;
  /// All that copy_seconds() need not work out any more, by bytes.
  virtual std::map<std::uint64_t, double> copies() { return {}; }
};

/// Thread instructions of a launch.
std::uint64_t thread_instructions(const run::Result& result);

/// `copies`: what copies() of such a bench has returned before, of the same program.
std::unique_ptr<Bench> sim_bench(const device::Profile& profile,
                                 std::map<std::uint64_t, double> copies = {});

struct GpuBenchOptions {
  double floor = 0.01;                ///< What differs between processes; see StoppingOptions.
  std::filesystem::path lock_folder;  ///< Empty: that of the machine.
  double lock_patience = 600;         ///< Seconds to wait for other graders.
};

/// Of the GPU that `runner` has. Throws base::ToolError where there is no profile of it.
std::unique_ptr<Bench> gpu_bench(std::unique_ptr<gpu::GpuRunner> runner,
                                 const GpuBenchOptions& options = {});

}  // namespace warpgrade::measure

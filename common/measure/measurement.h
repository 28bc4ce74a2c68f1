// SPDX-License-Identifier: Apache-2.0
// The results of a measurement, on the simulator or on a GPU.
//
// A sequence of launches is measured as one: executed on a backend, checked and timed. The
// simulator also counts it, and a GPU's own profiler may. Numbers are sums over the launches. A
// CopyComparison is the result of timing a kernel and the copy baseline in turn on a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/measure/baselines.h"
#include "common/measure/comparison.h"
#include "common/memory/metrics.h"
#include "common/run/runner.h"
#include "common/timing/arithmetic.h"
#include "common/timing/bound.h"
#include "common/timing/model.h"
#include "common/verify/compare.h"

namespace warpgrade::measure {

// Counters of one launch from the GPU's own profiler, or the reason why they are missing.

struct GpuCounters {
  memory::Metrics metrics;  ///< The names of memory::metric_names() that the profiler has, too.
  std::string reason;       ///< Why counters are missing; empty on success.
};

struct Measurement {
  run::Result result;                       ///< Diagnostics, instruction counts.
  memory::Metrics metrics;                  ///< Empty on a GPU: see GpuBench::count().
  std::vector<memory::LineCounters> lines;  ///< Empty on a GPU.
  std::vector<memory::LineInstructions> instruction_lines;  ///< Empty on a GPU.
  timing::Occupancy occupancy;                              ///< First launch only.
  std::vector<double> launch_seconds;                       ///< By launch; empty if none ran.
  double seconds = 0;        ///< Modelled (sim) or the median of the samples (gpu).
  timing::Bound bound_by{};  ///< sim: from the model; gpu: kMeasured.
  std::vector<timing::Share> shares;
  timing::TimeParts parts;           ///< sim: they add up to `seconds`.
  timing::Arithmetic arithmetic;     ///< Empty on a GPU.
  timing::Skew skew;                 ///< sim: uneven work, if it is the cause of `bound_by`.
  timing::UnmodelledSet unmodelled;  ///< sim: makes `seconds` inexact.
  /// sim: what warps do, by line, if SimBench::follow_lines() was called and the sample shows it.
  std::vector<timing::LineActivity> line_activity;
  std::optional<timing::WarpTimeline> timeline;  ///< Likewise; of the first launch.
  /// sim: by launch, to ask the model again; empty if a trace is large.
  std::vector<std::shared_ptr<const timing::ModelInputs>> model_inputs;
  std::uint64_t bytes = 0;  ///< Bytes of global memory read plus written, each counted once.
  /// By buffer: the most distinct bytes that one of the launches reads. Empty on a GPU.
  std::vector<std::uint64_t> read_bytes;

  /// The value of a metric; 0 if it is missing.
  double metric(std::string_view name) const {
    const auto found = metrics.find(name);
    return found == metrics.end() ? 0 : found->second;
  }
};

struct CopyComparison {
  Measurement measured;  ///< Diagnostics, printed text, the median of the times.
  /// The difference in the first wrong launch; nullopt if all were right.
  std::optional<verify::OutputDifference> difference;
  std::optional<Fraction> fraction;  ///< Set if all launches were right and the case is timed.
  std::optional<Roofline> roofline;  ///< Medians; set with `fraction`, if the case has operations.
  /// The reason why the time is impossible; empty if it is plausible.
  std::string impossible;
  std::vector<std::string> notes;  ///< For the author of the case.
};

/// The cases of one submission during their comparisons.
class CopyComparisons {
 public:
  virtual ~CopyComparisons() = default;
  /// Times launches of the kernel and of the copy baseline in turn, and checks each launch, until
  /// the case's bounds are decided or time runs out. Throws base::ToolError if the reference fails,
  /// and otherwise like GpuBench::measure(). Must not be called again after an exception or after a
  /// comparison with diagnostics.
  virtual CopyComparison compare(std::size_t which) = 0;
};

}  // namespace warpgrade::measure

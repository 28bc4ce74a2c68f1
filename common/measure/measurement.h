// SPDX-License-Identifier: Apache-2.0
// A sequence of launches measured as one: executed on a backend, checked and timed. The simulator
// also counts it. Numbers are sums over the launches.
#pragma once

#include <cstdint>
#include <vector>

#include "common/memory/line_instructions.h"
#include "common/memory/metrics.h"
#include "common/run/runner.h"
#include "common/timing/model.h"
#include "common/timing/occupancy.h"

namespace warpgrade::measure {

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
  timing::Skew skew;                 ///< sim: uneven work, if it is the cause of `bound_by`.
  timing::UnmodelledSet unmodelled;  ///< sim: makes `seconds` inexact.
  std::uint64_t bytes = 0;  ///< Bytes of global memory read plus written, each counted once.
};

/// Sum over all instructions of a launch.
std::uint64_t thread_instructions(const run::Result& result);

}  // namespace warpgrade::measure

// SPDX-License-Identifier: Apache-2.0
// Measures a calibration card on this machine's GPU.
#pragma once

#include <string>
#include <vector>

#include "common/measure/gpu_bench.h"
#include "grader/grade/plan/gpu_calibration.h"
#include "grader/report/report.h"

namespace warpgrade::grader::author {

/// Compares the copy baseline with itself on `bench`, with `bytes` bytes per buffer, once in each
/// of `processes` processes; sets the card's `within` and `between`. Throws base::ToolError if the
/// copy is wrong.
void measure_noise(measure::GpuBench& bench, std::uint64_t bytes, std::size_t processes,
                   grade::GpuCalibration& calibration);

/// The GPU-measured gates in `report`, which grades the solutions.
std::vector<grade::SolutionOnGpu> solutions_on_gpu(const report::Report& report);

/// The card as text for people.
std::string render_calibration(const grade::GpuCalibration& calibration);

}  // namespace warpgrade::grader::author

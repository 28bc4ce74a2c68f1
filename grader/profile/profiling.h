// SPDX-License-Identifier: Apache-2.0
// Profiles one launch of one kernel, as the command line describes it, or a sequence of launches
// from a file.
// In: a profiled launch and a bench: a simulated device or the GPU. Out: a report, with advice on
// the time and, on request, pictures; and the buffers with the results.
// Advice follows from the model's account of the time. Pictures need a second simulation of a few
// blocks, with a trace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/device/profile.h"
#include "common/measure/gpu_bench.h"
#include "common/measure/measurement.h"
#include "common/measure/sim_bench.h"
#include "grader/profile/prepared_launches.h"
#include "grader/report/profile_report.h"

namespace warpgrade::grader::profile {

// Suggests changes that would shorten a launch, from the model's account of its time.

/// Sentences, the limiting resource first, unless skew is the cause (see
/// report/render_measurements.h); `blocks` is the grid's size. Empty for a launch that did not run.
std::vector<std::string> time_advice(const device::Profile& profile,
                                     const measure::Measurement& measured, std::uint64_t blocks);

/// Compiles the file and runs the launches on `bench`. `buffers` holds the results afterwards. The
/// report's diagnostics describe the program's faults.
report::ProfileReport profile(const ProfiledLaunch& asked, measure::SimBench& bench,
                              std::vector<run::Buffer>& buffers);
report::ProfileReport profile(const ProfiledLaunch& asked, measure::GpuBench& bench,
                              std::vector<run::Buffer>& buffers);

}  // namespace warpgrade::grader::profile

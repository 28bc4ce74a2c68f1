// SPDX-License-Identifier: Apache-2.0
// One launch of one kernel as the command line describes it, or a sequence of launches as a file
// does: checked against the kernels, run, reported.
#pragma once

#include <vector>

#include "common/measure/gpu_bench.h"
#include "common/measure/sim_bench.h"
#include "grader/profile/prepared_launches.h"
#include "grader/report/profile_report.h"

namespace warpgrade::grader::profile {

/// Compiles the file and runs the launches on `bench`. `buffers` holds the results afterwards. The
/// report's diagnostics describe the program's faults.
report::ProfileReport profile(const ProfiledLaunch& asked, measure::SimBench& bench,
                              std::vector<run::Buffer>& buffers);
report::ProfileReport profile(const ProfiledLaunch& asked, measure::GpuBench& bench,
                              std::vector<run::Buffer>& buffers);

}  // namespace warpgrade::grader::profile

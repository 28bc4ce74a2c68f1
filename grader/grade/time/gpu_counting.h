// SPDX-License-Identifier: Apache-2.0
// The GPU's own counts of launches that the simulator has counted, on request.
#pragma once

#include <vector>

#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/plan/plan.h"
#include "grader/report/case_report.h"

namespace warpgrade::grader::grade {

/// Counts the right ones of the measured `runs` that were simulated on the GPU's profile. The
/// counts change no grade: if the GPU fails, the result contains the reason. Throws base::ToolError
/// if the reference fails.
std::vector<report::CountedCase> count_on_gpu(const Plan& plan, const std::vector<CaseRun>& runs);

}  // namespace warpgrade::grader::grade

// SPDX-License-Identifier: Apache-2.0
// Converts the runs of a submission's cases to findings for a report.
#pragma once

#include <vector>

#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/judge/findings.h"
#include "grader/grade/plan/grading_services.h"

namespace warpgrade::grader::grade {

/// Adds the cases of `places` to `found`, with all findings of their `runs`. The runs belong to the
/// first places; a place without a run is reported as not run.
void add_runs(const GradingTask& task, const std::vector<Place>& places,
              const std::vector<CaseRun>& runs, Findings& found);

}  // namespace warpgrade::grader::grade

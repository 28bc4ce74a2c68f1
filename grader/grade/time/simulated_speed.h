// SPDX-License-Identifier: Apache-2.0
// The speed of a simulated case: the predicted time of a copy divided by its own predicted time.
//
// A measured case is executed whole at its own size, with all checks, and timed at the size whose
// speed is graded (sampled_case.h). If blocks differ too much for a sample, a large launch executes
// more of its blocks at that size, and any other launch executes all of them.
#pragma once

#include "grader/cases/sized_case.h"
#include "grader/grade/execute/case_job.h"
#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/plan/plan.h"

namespace warpgrade::grader::grade {

/// The outcome with its speed, if it is right and a gate needs it.
CaseOutcome with_speed(const Plan& plan, const CaseJob& job, CaseOutcome executed);

/// Sets the speed of `out` from the times of the baselines for `required`, and of the launch;
/// `peak_seconds` is 0 without operations.
void take_speed(const cases::RequiredWork& required, double copy_seconds, double peak_seconds,
                double seconds, CaseOutcome& out);

}  // namespace warpgrade::grader::grade

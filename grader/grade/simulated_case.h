// SPDX-License-Identifier: Apache-2.0
// One case on a simulated device: launched, checked, compared with the reference and measured; a
// small one in further orders of warps and blocks, too.
//
// A measured case is executed whole at its own size, with all checks, and timed at the size whose
// speed is graded (sampled_case.h). Where blocks differ too much for a sample, that is executed
// whole, too.
//
// A small case that is right runs in further orders, which the seed decides: a kernel that is right
// in one order only is wrong. Counts come from the order by number alone. Nothing here looks at
// other cases, so that several run at a time.
#pragma once

#include "grader/grade/case_outcome.h"
#include "grader/grade/gate_plan.h"
#include "grader/grade/grading_services.h"
#include "grader/grade/sampled_case.h"

namespace warpgrade::grader {

/// Runs the case within `limits`. Throws base::ToolError where the reference fails.
CaseOutcome simulate_case(const GradingServices& services, const GradingTask& task,
                          const GatePlan& plan, const Place& place, const CaseContents& contents,
                          const CaseLimits& limits);

}  // namespace warpgrade::grader

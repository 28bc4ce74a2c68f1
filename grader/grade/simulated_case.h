// SPDX-License-Identifier: Apache-2.0
// One case on a simulated device: launched, checked, compared with the reference and measured; a
// small one in further orders of warps and blocks, too.
//
// A measured case is executed whole at its own size, with all checks, and timed at the size whose
// speed is graded (sampled_case.h). If blocks differ too much for a sample, the launch at that size
// is executed completely, too.
//
// A small case that is right runs in further orders, which the seed decides: a kernel that is right
// in one order only is wrong. Counts come from the order by number alone. Nothing here looks at
// other cases, so that several run at a time.
//
// Devices for which the compiler has made the same PTX are served by one execution: it is counted
// by the rules of each, and each predicts a time of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/grade/case_outcome.h"
#include "grader/grade/gate_plan.h"
#include "grader/grade/grading_services.h"
#include "grader/grade/sampled_case.h"

namespace warpgrade::grader {

/// A case that was executed whole, before its speed is asked.
struct ExecutedCase {
  CaseOutcome outcome;
  std::uint64_t bytes = 0;  ///< That its launches must move at least.
};

/// Whether the execution of this case can serve another device, too: whether no time is taken of
/// it.
bool can_be_shared(const GatePlan& plan, const Place& place);

/// Runs the case within `limits`: for all of `places` at once; their programs must be alike
/// (sim/alike.h) and, if there are several, each place can_be_shared(). Throws base::ToolError if
/// the reference fails.
std::vector<ExecutedCase> execute_case(const GradingServices& services, const GradingTask& task,
                                       const GatePlan& plan,
                                       const std::vector<const Place*>& places,
                                       const CaseContents& contents, const CaseLimits& limits);

/// The outcome on one of these places, with its speed if a gate needs it.
CaseOutcome finish_case(const GradingServices& services, const GradingTask& task,
                        const GatePlan& plan, const Place& place, const CaseContents& contents,
                        const CaseLimits& limits, ExecutedCase executed);

}  // namespace warpgrade::grader

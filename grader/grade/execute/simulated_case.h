// SPDX-License-Identifier: Apache-2.0
// One case on a simulated device: launched, checked, compared with the reference and measured; a
// small one in further orders of warps and blocks, too.
//
// A measured case is executed whole at its own size, with all checks, and timed at the size whose
// speed is graded (sampled_case.h). If blocks differ too much for a sample, more blocks of a large
// launch are executed at that size, and all blocks of another.
//
// A small case that is right runs in further orders, which depend on the seed: a kernel that is
// right in only one order is wrong. Counts come only from the order by number. Cases are
// independent, so that several run at a time.
//
// Devices with the same PTX share one execution: it is counted by the rules of each, and each
// predicts its own time.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/execute/sampled_case.h"
#include "grader/grade/plan/gate_plan.h"
#include "grader/grade/plan/grading_services.h"

namespace warpgrade::grader {

/// Whether the execution of this case can serve another device, too: whether no time is taken of
/// it.
bool can_be_shared(const GatePlan& plan, const Place& place);

/// Runs the case within `limits`: for all of `places` at once; their programs must be alike
/// (sim/alike.h) and, if there are several, each place can_be_shared(). Throws base::ToolError if
/// the reference fails. The outcomes have no speed yet.
std::vector<CaseOutcome> execute_case(const GradingServices& services, const GradingTask& task,
                                      const GatePlan& plan, const std::vector<const Place*>& places,
                                      const CaseContents& contents, const CaseLimits& limits);

/// The outcome on one of these places, with its speed if a gate needs it.
CaseOutcome finish_case(const GradingServices& services, const GradingTask& task,
                        const GatePlan& plan, const Place& place, const CaseContents& contents,
                        const CaseLimits& limits, CaseOutcome executed);

}  // namespace warpgrade::grader

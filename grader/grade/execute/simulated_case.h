// SPDX-License-Identifier: Apache-2.0
// One case on a simulated device: launched, checked, counted and compared with the reference; a
// small one in further orders of warps and blocks, too.
//
// A small case that is right runs in further orders, which depend on the seed: a kernel that is
// right in only one order is wrong. Counts come only from the order by number. Cases are
// independent, so that several run at a time.
//
// Devices with the same PTX share one execution: it is counted by the rules of each.
#pragma once

#include <vector>

#include "grader/grade/execute/case_job.h"
#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/plan/plan.h"

namespace warpgrade::grader::grade {

/// Whether the execution of this case can serve another device, too: only if it is not timed.
bool can_be_shared(const GatePlan& gates, const Place& place);

/// Runs the case, and counts it for `others` as well: their programs must be alike (sim/alike.h)
/// and, if there are any, each place can_be_shared(). Throws base::ToolError if the reference
/// fails. The outcomes, the job's own before those of `others`, have no speed yet.
std::vector<CaseOutcome> execute_case(const Plan& plan, const CaseJob& job,
                                      const std::vector<const Place*>& others = {});

/// Whether a block has reached the limit on work, and nothing else was found.
bool is_runaway(const CaseEnding& ending);

}  // namespace warpgrade::grader::grade

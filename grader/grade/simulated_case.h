// SPDX-License-Identifier: Apache-2.0
// One case on a simulated device: launched, checked, compared with the reference and measured; a
// small one in further orders of warps and blocks, too.
//
// A small case that is right runs in further orders, which the seed decides: a kernel that is right
// in one order only is wrong. Counts come from the order by number alone. Nothing here looks at
// other cases, so that several run at a time.
#pragma once

#include <cstdint>

#include "grader/grade/case_outcome.h"
#include "grader/grade/gate_plan.h"
#include "grader/grade/grading_services.h"

namespace warpgrade::grader {

struct CaseContents {
  std::uint64_t variant = 0;  ///< The contents of the case's buffers follow from it.
  bool is_shared = true;      ///< Others run with the same contents.
};

struct CaseLimits {
  std::uint64_t work = 0;  ///< Units that all runs of the case may use, see work_limits.h.
  unsigned threads = 0;    ///< Of the host's; 0: all.
};

/// Runs the case within `limits`. Throws base::ToolError where the reference fails.
CaseOutcome simulate_case(const GradingServices& services, const GradingTask& task,
                          const GatePlan& plan, const Place& place, const CaseContents& contents,
                          const CaseLimits& limits);

}  // namespace warpgrade::grader

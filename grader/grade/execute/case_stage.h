// SPDX-License-Identifier: Apache-2.0
// Runs cases in their order until one ends the grading: a case behind it is not in the result.
#pragma once

#include <cstdint>
#include <future>
#include <vector>

#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/plan/gate_plan.h"
#include "grader/grade/plan/grading_services.h"

namespace warpgrade::grader {

/// Runs small cases, whose contents follow from the seed alone.
std::vector<CaseRun> run_small_cases(const GradingServices& services, const GradingTask& task,
                                     const GatePlan& plan, const std::vector<Place>& places);

/// Runs measured cases, whose contents follow from `salt` as well.
std::vector<CaseRun> run_measured_cases(const GradingServices& services, const GradingTask& task,
                                        const GatePlan& plan, const std::vector<Place>& places,
                                        std::uint64_t salt);

/// Begins to compile the copy baseline for the measured `places` that need it. The small cases need
/// none, and run meanwhile.
std::vector<std::future<void>> begin_copies(const GradingTask& task, const GatePlan& plan,
                                            const std::vector<Place>& places);

}  // namespace warpgrade::grader

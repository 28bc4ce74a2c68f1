// SPDX-License-Identifier: Apache-2.0
// Runs cases in their order until one ends the grading. The result contains no later case.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "grader/grade/execute/case_job.h"
#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/plan/plan.h"

namespace warpgrade::grader::grade {

/// Processes a simulated case after its execution; several threads call it.
using Finish = std::function<CaseOutcome(const CaseJob& job, CaseOutcome executed)>;
/// The outcome of a place on the GPU, by its number; called in order.
using OnGpu = std::function<CaseOutcome(std::size_t number)>;

/// Runs `places`, all small ones or all measured ones. `begin_on_gpu` is called with consecutive
/// places on the GPU before the first of them runs.
std::vector<CaseRun> run_cases(
    const Plan& plan, const std::vector<Place>& places, const Finish& finish,
    const std::function<OnGpu(const std::vector<Place>& group)>& begin_on_gpu);

}  // namespace warpgrade::grader::grade

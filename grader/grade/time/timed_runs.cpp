// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/time/timed_runs.h"

#include <iterator>
#include <memory>
#include <utility>

#include "grader/grade/execute/case_stage.h"
#include "grader/grade/time/gpu_counting.h"
#include "grader/grade/time/gpu_timing.h"
#include "grader/grade/time/simulated_speed.h"

namespace warpgrade::grader::grade {
namespace {

// A gate may be decided by the worst of all cases, small ones as well.
void time_small(const Plan& plan, std::vector<CaseRun>& runs) {
  for (auto& [place, outcome] : runs) {
    outcome = place.target->is_gpu() ? with_gpu_speed(plan, place, std::move(outcome))
                                     : with_speed(plan, {place}, std::move(outcome));
  }
}

std::vector<CaseRun> run_measured(const Plan& plan, const GatePlan& gates,
                                  const std::vector<Place>& places) {
  return run_cases(
      plan, places,
      [&](const CaseJob& job, CaseOutcome executed) {
        return with_speed(plan, job, std::move(executed));
      },
      [&](const std::vector<Place>& group) {
        auto timing = std::make_shared<GpuTiming>(plan, gates, group);
        return [timing](std::size_t i) { return timing->time(i); };
      });
}

}  // namespace

TimedRuns time_cases(const Plan& plan, Execution execution) {
  TimedRuns out;
  out.gates = plan.gates;
  const bool is_right = execution.is_right();
  out.compiled = std::move(execution.compiled);
  out.runs = std::move(execution.small);
  time_small(plan, out.runs);
  if (!is_right) return out;
  if (needs_course(out.gates)) {
    const auto& course_values = plan.services.gpu->course_values;
    enter_course(course_values ? course_values(plan.task) : CourseValues(), out.gates);
  }
  auto measured = run_measured(plan, out.gates, out.compiled.measured);
  out.counted = count_on_gpu(plan, measured);
  std::ranges::move(measured, std::back_inserter(out.runs));
  return out;
}

}  // namespace warpgrade::grader::grade

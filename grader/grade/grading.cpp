// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/grading.h"

#include <utility>

#include "common/measure/card_profile.h"
#include "grader/grade/answers.h"
#include "grader/grade/execute/execution.h"
#include "grader/grade/explain/explanation.h"
#include "grader/grade/judge/judged.h"
#include "grader/grade/time/timed_runs.h"

namespace warpgrade::grader::grade {

Grading::Grading(GradingServices services, std::string only_device)
    : services_(std::move(services)), only_device_(std::move(only_device)) {}

void Grading::prepare(const GradingTask& task) const {
  if (task.exercise->kernel() == nullptr) return;
  begin_compilations(plan_grade(services_, task, only_device_));
}

report::ExerciseReport Grading::grade(const GradingTask& task) const {
  if (task.exercise->kernel() != nullptr) return grade_kernel(task);
  // A card without a profile has no answers.
  const bool has_profile = only_device_ != measure::kUnknownCard;
  return grade_answers(task, has_profile ? only_device_ : std::string());
}

report::ExerciseReport Grading::grade_kernel(const GradingTask& task) const {
  const auto plan = plan_grade(services_, task, only_device_);
  auto execution = execute(plan);
  const auto timed = time_cases(plan, std::move(execution));
  auto judged = judge_runs(plan, timed);
  return explain(plan, timed, std::move(judged));
}

}  // namespace warpgrade::grader::grade

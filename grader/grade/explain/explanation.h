// SPDX-License-Identifier: Apache-2.0
// The last stage of a grade: its report, with remarks, pictures and advice. None of them affects
// the points.
#pragma once

#include "grader/grade/judge/judged.h"
#include "grader/grade/plan/grade_plan.h"
#include "grader/grade/time/timed_runs.h"
#include "grader/report/report.h"

namespace warpgrade::grader {

ExerciseReport explain(const GradePlan& plan, const TimedRuns& timed, Judged judged);

}  // namespace warpgrade::grader

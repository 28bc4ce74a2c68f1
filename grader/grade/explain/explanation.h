// SPDX-License-Identifier: Apache-2.0
// The last stage of a grade: its report, with remarks, pictures and advice. None of them affects
// the points.
#pragma once

#include "grader/grade/judge/judged.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/time/timed_runs.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

report::ExerciseReport explain(const Plan& plan, const TimedRuns& timed, Judged judged);

}  // namespace warpgrade::grader::grade

// SPDX-License-Identifier: Apache-2.0
// The fourth stage of a grade: its findings, the decisions on its gates, and its points.
#pragma once

#include "grader/grade/judge/findings.h"
#include "grader/grade/judge/rubric.h"
#include "grader/grade/plan/grade_plan.h"
#include "grader/grade/time/timed_runs.h"

namespace warpgrade::grader {

struct Judged {
  Findings found;
  Judgement judgement;
};

Judged judge_runs(const GradePlan& plan, const TimedRuns& timed);

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
// The fourth stage of a grade: its findings, the decisions on its gates, and its points.
#pragma once

#include "grader/grade/judge/findings.h"
#include "grader/grade/judge/rubric.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/time/timed_runs.h"

namespace warpgrade::grader::grade {

struct Judged {
  Findings found;
  Judgement judgement;
};

Judged judge_runs(const Plan& plan, const TimedRuns& timed);

}  // namespace warpgrade::grader::grade

// SPDX-License-Identifier: Apache-2.0
// What judging writes into the report of a submission: how its cases ended, then the verdict and
// the points that follow.
// Points for gates are given for a right result only: a fast wrong kernel earns nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/grade/plan/plan.h"
#include "grader/grade/plan/planned_case.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

/// The report of `task` before anything was found: it names the submission.
report::ExerciseReport report_on(const GradingTask& task);

/// Adds the `cases` with all findings of those that ran; the others are reported as not run.
void add_cases(const GradingTask& task, const std::vector<PlannedCase>& cases,
               report::ExerciseReport& report);

// The verdict and the points that follow from the findings.
//
// The reason is the first that applies: it does not compile; a diagnostic; a wrong result; a gate
// on the mechanism; a gate on fraction_of_copy; the tool could not judge.

/// Judges a kernel; a right result earns `correctness_points`.
void judge(std::uint32_t correctness_points, report::ExerciseReport& report);

/// Judges an exercise that asks questions, each a gate. No question depends on another, so each
/// earns its points; of several answers, each wrong one costs a point.
void judge_answers(report::ExerciseReport& report);

}  // namespace warpgrade::grader::grade

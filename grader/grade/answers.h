// SPDX-License-Identifier: Apache-2.0
// Grades a file of answers: labs/LAB/EXERCISE.toml, one key per question.
//
// A question's key holds an integer, or an array of integers if the question has several answers.
// Each question is a gate: its value is the share of right answers, and it earns its points only if
// all are right. A file that is not valid TOML, misses or misspells a key, or gives too few numbers
// is the student's mistake: a compile_error with its place.
#pragma once

#include "grader/grade/plan/grading_services.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

/// Grades `task`, whose exercise asks questions. Once all are answered, the report gives the
/// answers for `own_device`, the student's own card, if it is set.
report::ExerciseReport grade_answers(const GradingTask& task, const std::string& own_device = {});

}  // namespace warpgrade::grader::grade

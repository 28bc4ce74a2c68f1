// SPDX-License-Identifier: Apache-2.0
// Grades a file of answers: labs/LAB/EXERCISE.toml, one key a question.
//
// A question's key holds a whole number, or an array of them where the question asks for several.
// Each question is a gate: the right answers out of all, and its points only where all are right. A
// file that is not valid TOML, misses or misspells a key, or gives too few numbers is the student's
// mistake: a compile_error with its place.
#pragma once

#include "grader/grade/grading_services.h"
#include "grader/report/report.h"

namespace warpgrade::grader {

/// Grades `task`, whose exercise asks questions. Once all are answered, the report says what holds
/// on `own_device`, the student's own card, where one is named.
ExerciseReport grade_answers(const GradingTask& task, const std::string& own_device = {});

}  // namespace warpgrade::grader

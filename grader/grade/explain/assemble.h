// SPDX-License-Identifier: Apache-2.0
// Fills the report of an exercise; no other file does.
#pragma once

#include "grader/grade/judge/judged.h"
#include "grader/grade/plan/grading_services.h"
#include "grader/report/report.h"

namespace warpgrade::grader {

/// Puts what was found of `task` into a report, with advice.
ExerciseReport assemble(const GradingTask& task, Judged judged);

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
// Fills the report of an exercise; no other file does.
#pragma once

#include "grader/grade/judge/judged.h"
#include "grader/grade/plan/grading_services.h"
#include "grader/report/report.h"

namespace warpgrade::grader {

/// Makes the report of `task` and adds advice.
ExerciseReport assemble(const GradingTask& task, Judged judged);

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
// Fills the report of an exercise; no other file does.
#pragma once

#include "grader/grade/judge/judged.h"
#include "grader/grade/plan/grading_services.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

/// Makes the report of `task` and adds advice.
report::ExerciseReport assemble(const GradingTask& task, Judged judged);

}  // namespace warpgrade::grader::grade

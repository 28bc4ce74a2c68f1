// SPDX-License-Identifier: Apache-2.0
// Fills the report of an exercise; no other file does.
#pragma once

#include "grader/grade/judge/findings.h"
#include "grader/grade/plan/grading_services.h"
#include "grader/report/report.h"

namespace warpgrade::grader {

/// Judges the findings of `task`, advises, and puts all of it into a report.
ExerciseReport assemble(const GradingTask& task, Findings found);

}  // namespace warpgrade::grader

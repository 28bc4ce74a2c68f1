// SPDX-License-Identifier: Apache-2.0
// The causes of a failure, the most likely one first.
//
// In: a judged report and the outcomes of its cases. Out: causes with their lines and texts.
// One table has a row for each form of a cause: when it applies, its name, and its sentences. The
// order is: faults, then the simplest case whose result is wrong, then what costs most time, then
// counts. The table is in cause_rows.def, and docs/causes.md describes it.
#pragma once

#include <optional>
#include <vector>

#include "grader/course/exercise.h"
#include "grader/grade/explain/repair.h"
#include "grader/grade/plan/planned_case.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

/// The causes of the failure of `report`, which is judged by `cases`; empty without a failure.
/// Parameters of kernels are called as in `exercise`; nullptr: as in the file.
/// `repair` is what makes wrong cases right, if it is known.
std::vector<report::Cause> ranked_causes(const std::vector<PlannedCase>& cases,
                                         const report::ExerciseReport& report,
                                         const course::KernelExercise* exercise = nullptr,
                                         const Trials& trials = {});

}  // namespace warpgrade::grader::grade

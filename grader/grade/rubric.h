// SPDX-License-Identifier: Apache-2.0
// From findings to a verdict and points.
//
// The reason is the first that applies: it does not compile; a diagnostic; a wrong result; a gate
// on how it was done; a gate on fraction_of_copy; the tool could not judge. Points for gates are
// given for a right result only: a fast wrong kernel earns nothing.
#pragma once

#include "grader/report/report.h"

namespace warpgrade::grader {

/// Sets verdict, reason, correct and all points of `report` from its diagnostics, cases and gates.
void judge(ExerciseReport& report);

/// The same for an exercise that asks questions, each a gate: no question depends on another, so
/// each gives its points.
void judge_answers(ExerciseReport& report);

/// Whether `value` is within the gate's bounds; NaN never is.
bool within(const GateResult& gate, double value);

}  // namespace warpgrade::grader

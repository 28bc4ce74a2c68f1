// SPDX-License-Identifier: Apache-2.0
// Reports as Gradescope's results.json.
//
// One test per exercise, with its points and its report. An exercise that could not be judged is a
// test without points, and the text at the top reports missing grades: Gradescope has no other way.
// Rules: https://gradescope-autograders.readthedocs.io/en/latest/specs/ (Output format).
#pragma once

#include <string>

#include "grader/report/report.h"

namespace warpgrade::grader::report {

/// There is always a score at the top: the points of the judged exercises.
std::string render_gradescope(const Report& report);

}  // namespace warpgrade::grader::report

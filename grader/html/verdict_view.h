// SPDX-License-Identifier: Apache-2.0
// The verdict on an exercise and its reasons: points, findings, results, gates, answers.
#pragma once

#include <string>

#include "grader/report/report.h"

namespace warpgrade::grader::html {

/// `<span class="badge ...">PASS</span>`.
std::string verdict_badge(report::Verdict verdict);

/// Heading and points.
std::string heading_view(const report::ExerciseReport& item);

/// What is wrong, the next thing to try, and a hint.
std::string next_view(const report::ExerciseReport& item);

/// The messages of the compiler, the checks and the grader itself.
std::string findings_view(const report::ExerciseReport& item);

/// The number of runs with a right result, and a description of the first wrong one.
std::string results_view(const report::ExerciseReport& item);

/// The gates that failed, then the others.
std::string gates_view(const report::ExerciseReport& item);

/// Wrong answers to questions, with the way to the right ones.
std::string answers_view(const report::ExerciseReport& item);

/// Remarks, and the text that the kernel printed.
std::string remarks_view(const report::ExerciseReport& item);

}  // namespace warpgrade::grader::html

// SPDX-License-Identifier: Apache-2.0
// The decisions of a report as text: the gates of an exercise, the fault of a submission, and one
// line per exercise.
// In: a report. Out: a table of gates with details of the failed ones, one sentence on the first
// fault, and a summary with a bar of points.
// Failed gates come first. A guard is a gate without points: passing ones are only counted.
#pragma once

#include <string>
#include <string_view>

#include "grader/report/report.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::report {

/// The table, and details that do not fit into it; empty if no gate was measured.
std::string render_gates(const ExerciseReport& item, const text::Style& style);

/// Meaning and source lines of the gates that are the reason of the failure.
std::string render_failed_gates(const ExerciseReport& item, const text::Style& style);

/// Why a gate passes although its value misses its bound; empty for any other gate.
std::string spared_text(const Gate& gate);

/// ">= 0.6", "= 4096", "1 to 2": the values that the bounds let through.
std::string render_bound(const GateBounds& bounds);

// One sentence on the fault of a graded submission, for the first lines of a report.

/// The cause, or the first wrong answer; empty if the submission passes, was not graded, or does
/// not compile: the compiler names that fault.
std::string failure_text(const ExerciseReport& item);

// One line per exercise, with a bar of its points and the obstacle to more, then the total.
//
//   PASS  coalescing/copy       10/10  ##########
//   FAIL  coalescing/transpose   4/10  ####......  stores_coalesced is 4, needs >= 28
//
//   14 of 20 points, 1 of 2 exercises passed

/// "PASS", "FAIL", "INCONCLUSIVE" or "NOT GRADED".
std::string_view word_of(Verdict verdict);
text::Colour colour_of(Verdict verdict);

/// A short description of the first fault: "race in line 14"; empty if all passed.
std::string first_trouble(const ExerciseReport& item);

/// `points` of `most` as ten characters: "####......". Full only if all points are earned.
std::string bar(std::uint32_t points, std::uint32_t most);

/// One line per exercise.
std::string render_brief(const Report& report, const text::Style& style);

/// The end of a report: the lines of several exercises, and the total.
std::string render_summary(const Report& report, const text::Style& style);

}  // namespace warpgrade::grader::report

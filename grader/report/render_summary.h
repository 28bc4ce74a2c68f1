// SPDX-License-Identifier: Apache-2.0
// One line per exercise, with a bar of its points and the obstacle to more, then the total.
//
//   PASS  coalescing/copy       10/10  ##########
//   FAIL  coalescing/transpose   4/10  ####......  stores_coalesced is 4, needs >= 28
//
//   14 of 20 points, 1 of 2 exercises passed
#pragma once

#include <string>
#include <string_view>

#include "grader/report/report.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::report {

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

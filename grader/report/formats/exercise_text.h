// SPDX-License-Identifier: Apache-2.0
// Texts that several formats share: an exercise's name, its report as a terminal shows it, and why
// it has no grade.
//
// All of them are valid UTF-8 without control characters other than newlines, for every
// submission.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "grader/report/report.h"

namespace warpgrade::grader::report {

/// "coalescing/copy".
std::string exercise_name(const ExerciseReport& item);

/// Whether the exercise passed or failed. An error or an inconclusive measurement does not count as
/// a grade.
bool is_judged(const ExerciseReport& item);

/// Why an exercise that is not judged has no grade, and advice: a sentence or two.
std::string missing_grade_text(const ExerciseReport& item);

/// How many exercises of `report` are not judged.
std::size_t missing_grades(const Report& report);

/// "warpgrade 0.2.0 (6885a25), simulated on k40, seed 7", and a sentence if grades are missing.
std::string report_heading(const Report& report);

/// The report of `item` alone, as a terminal without colours shows it; text past `most_bytes` is
/// cut off at the end of a line, with a note.
std::string exercise_text(const ExerciseReport& item, std::size_t most_bytes = 60'000);

/// The limit in bytes on each exercise's text that keeps a JSON file with all of them below 1 MB,
/// the limit of several services.
std::size_t text_share(const Report& report);

/// `text` with control characters and invalid UTF-8 escaped; newlines stay.
std::string safe_text(std::string_view text);

/// On several lines, with a newline at the end.
std::string dump_lines(const nlohmann::ordered_json& json);

}  // namespace warpgrade::grader::report

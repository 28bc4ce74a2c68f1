// SPDX-License-Identifier: Apache-2.0
// Parts that several formats share: texts of an exercise, remarks about single places of a
// submission, and the environment variables of a service.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "grader/report/report.h"

namespace warpgrade::grader::report {

// Environment variables, by which a service identifies itself to a program.

/// The value of an environment variable; empty if it is not set.
using Environment = std::function<std::string(const std::string& name)>;

/// The process's own.
std::string process_environment(const std::string& name);

// Texts that several formats share: an exercise's name, its report as a terminal shows it, and why
// it has no grade.
//
// All of them are valid UTF-8 without control characters other than newlines, for every
// submission.

/// "coalescing/copy".
std::string exercise_name(const ExerciseReport& item);

/// Whether the exercise passed or failed. An error or an inconclusive measurement does not count as
/// a grade.
bool is_judged(const ExerciseReport& item);

/// Why an exercise that is not judged has no grade, and advice: a sentence or two.
std::string missing_grade_text(const ExerciseReport& item);

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

// Remarks about single places of a submission, for editors and pull requests.
//
// A remark is a diagnostic, a wrong result, a wrong answer or a failed gate, with its line if
// known: for a wrong result the line that stores it, for a gate the line that moves most of the
// memory in question.

struct Remark {
  std::string rule;       ///< A diagnostic's kind, or "incorrect", "wrong_answer", "mechanism", ...
  bool is_error = false;  ///< A failed gate is a warning.
  base::SourceLocation where;
  std::string message;  ///< Safe to show, with newlines.
  std::vector<base::RelatedPlace> related;
};

/// A diagnostic as a remark.
Remark remark_of(const base::Diagnostic& diagnostic);

/// The remarks of an exercise that failed, errors first; none if it passed or was not judged.
std::vector<Remark> remarks_of(const ExerciseReport& item);

}  // namespace warpgrade::grader::report

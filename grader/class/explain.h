// SPDX-License-Identifier: Apache-2.0
// All data of the book about one student: answers "why do I have a 0?".
//
// In: the book and a student. Out: every received file and its use, and every attempt with its
// time, deadline and deduction. Then follow the points that count, with their reasons.
// The standing of a student in an exercise is graded, open, missing or excused. The views of the
// book store its name; the program decides by the type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/class/book_file.h"

namespace warpgrade::grader::class_book {

// The standing of a student in one exercise: graded, open, missing or excused.
//
// The book stores its name in the column `verdict` of its views, and reports, pages and exports
// show the name. The program decides by this type.

enum class Standing : std::uint8_t {
  kUngraded,  ///< No grade and no reason yet.
  kPass,
  kFail,
  kInconclusive,
  kError,
  kOpen,     ///< Received, and without a grade for a reason.
  kMissing,  ///< Nothing was received.
  kNotDue,   ///< Nothing was received before the deadline has passed.
  kExcused,
};

/// "pass", "fail", "inconclusive", "error", "open", "missing", "not due", "excused"; empty for
/// kUngraded.
std::string_view name(Standing standing);

/// The standing of that name; kUngraded for any other text.
Standing standing_called(std::string_view name);

struct ExplainedFile {
  std::string path;
  std::string state;     ///< As in the book: attempt, part, open, unused or ignored.
  std::string exercise;  ///< LAB/EXERCISE; empty if it was not assigned.
  std::string reason;
  std::string received_at;  ///< UTC; empty if unknown.
  std::int64_t bytes = 0;
  std::string sha256;
};

struct ExplainedAttempt {
  std::string source;
  std::string submitted_at;  ///< UTC; empty if unknown.
  std::string deadline;      ///< UTC, of the class; may be empty.
  bool late_mark = false;
  double late_share = 0;
  std::optional<double> full_points;
  std::optional<double> points;
  Standing standing{};
  std::string reason;
  std::string open_reason;
  std::string waived;  ///< Gates that everybody passes on this card.
  std::string backend;
  std::string graded_at;
  bool is_found = false;  ///< The last run of its source found it again.
  bool counts = false;
};

struct ExplainedExercise {
  std::string lab;
  std::string exercise;
  double max_points = 0;
  std::optional<double> points;
  Standing standing{};
  std::string reason;
  std::string open_reason;
  std::string deadline;                 ///< UTC, with an extension; may be empty.
  std::vector<std::string> exceptions;  ///< In words: extension, excuse, points by hand, bonus.
  std::vector<ExplainedAttempt> attempts;
};

struct ExplainedStudent {
  std::string student;
  std::string name;
  bool in_roster = false;
  bool is_unmatched = false;
  std::string policy;
  std::string timezone;
  std::vector<std::string> given;   ///< Other names in the submissions.
  std::vector<std::string> groups;  ///< "Team 1: ada, bob".
  std::vector<ExplainedFile> files;
  std::vector<ExplainedExercise> exercises;
};

/// Throws base::UsageError with the nearest names if the book has no such student.
ExplainedStudent explain_student(Sqlite& book, const std::string& student);

std::string render_text(const ExplainedStudent& student);
/// {"schema":"warpgrade.class_explain/1", ...}
std::string render_json(const ExplainedStudent& student);

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// All data of the book about one student: answers "why do I have a 0?".
//
// In: the book and a student. Out: every received file and its use, and every attempt with its
// time, deadline and deduction. Then follow the points that count, with their reasons.
// Other modules read the rows of the view `standing` here, too: exports, feedback and the page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/class/book_file.h"

namespace warpgrade::grader::class_book {

/// The book stores its name in the column `verdict` of its views, and reports, pages and exports
/// show the name.
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

/// A person's decision about a student's work; both texts are empty without one.
struct Decision {
  std::string who;
  std::string why;
};

/// A row of the view `standing`: what counts of a student's work for one exercise.
struct StudentWork {
  std::string student;
  std::string name;  ///< The student's; may be empty.
  std::string lab;
  std::string exercise;
  double max_points = 0;
  std::optional<double> points;
  Standing standing{};
  std::string reason;
  std::optional<std::string> open_reason;
  std::optional<double> full_points;  ///< Before deductions.
  double late_share = 0;
  std::int64_t attempts = 0;
  std::int64_t attempt = 0;  ///< The row of the one that counts; 0 without one.
  std::int64_t grade = 0;    ///< The row of its grade; 0 without one.
  std::string submitted_at;  ///< UTC, as all times; empty if unknown.
  std::string deadline;      ///< With an extension; may be empty.
  std::string extended_until;
  Decision extension;
  Decision excuse;
  std::optional<double> adjusted_points;
  Decision adjustment;
  double bonus = 0;
  Decision bonus_decision;
  Decision comment;  ///< `why` is its text.

  std::string id() const { return lab + "/" + exercise; }
};

/// The work of `student`, or of all students one after the other if it is empty, in the order of
/// the course.
std::vector<StudentWork> read_work(Sqlite& book, const std::string& student = "");

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
  StudentWork work;
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

// SPDX-License-Identifier: Apache-2.0
// An instructor's rules for a class: class.toml, and the deductions for late work.
//
// In: class.toml beside the submissions or in their folder, with the files that it names. Out:
// the rules as a struct, and in the book the share of points that each attempt loses.
// The book has the deadline of each attempt and the rule for late work of its source. Therefore
// an extension changes a deduction without another run, and never shortens a deadline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/class/book_file.h"
#include "grader/class/exceptions.h"
#include "grader/class/gradebook.h"
#include "grader/class/identities.h"
#include "grader/class/layout.h"
#include "grader/class/names.h"
#include "grader/class/timestamps.h"
#include "grader/course/course.h"

namespace warpgrade::grader::class_book {

enum class Policy : std::uint8_t { kLatest, kBest, kFirst };
std::string_view name(Policy policy);
/// Returns nullopt if no policy has that name.
std::optional<Policy> policy_called(std::string_view text);

struct LatePolicy {
  std::int64_t grace_seconds = 0;
  double share_a_day = 0;  ///< Share of the points, 0 to 1.
  double most_share = 1;

  /// The share of its points, 0 to 1, that an attempt loses if it came at `submitted`.
  double share(std::int64_t deadline, std::int64_t submitted, const TimeZone& zone) const;
};

struct Rules {
  std::optional<NameRule> rule;
  std::vector<Enrolled> roster;
  std::string roster_bytes;                    ///< The roster's file; empty without a roster.
  std::map<std::string, std::string> columns;  ///< Titles in the roster by lab or lab/exercise.
  IdentityTitles identity;                     ///< Titles of the roster that name the students.
  PointScale scale = PointScale::kPoints;
  std::vector<std::string> exercises;  ///< Selections as of course.h; empty: all.
  Policy policy = Policy::kLatest;
  bool strict = false;  ///< `class run --strict`: grades with waived gates stay open.
  /// Seconds since 1970 by "" (all), lab or lab/exercise.
  std::map<std::string, std::int64_t> deadlines;
  LatePolicy late;
  bool has_late = false;  ///< class.toml has a table [late].
  std::optional<Layout> layout;
  std::optional<std::size_t> level;  ///< Folders above those of the students.
  TimeZone zone;
  std::string time_format;
  bool has_time_group = false;       ///< `rule` finds a time.
  std::vector<std::string> ignored;  ///< Patterns of names of files to ignore.
  /// The path of class.toml; if it does not exist, the paths that it could have.
  std::vector<std::string> files;
  std::string unused_file;           ///< A second class.toml, which is not read; may be empty.
  std::vector<StudentGroup> groups;  ///< Members are as the file names them.
  /// Exercises and students are as class.toml names them until resolve_exercises() and
  /// resolve_students().
  std::vector<StudentException> exceptions;

  /// Whether the roster has the time at which Moodle received each student's work.
  bool has_submission_times() const;

  /// The class's deadline, without extensions.
  std::optional<std::int64_t> deadline_of(const std::string& lab,
                                          const std::string& exercise) const;
};

/// Gives `columns` and `deadlines` the course's names of exercises. Throws base::UsageError if an
/// exercise does not exist.
void resolve_titles_and_deadlines(Rules& rules, const course::Course& course);

/// A sentence for each setting of class.toml that has no effect on `exercises`, with what to do. A
/// run prints them first.
std::vector<std::string> idle_settings(const Rules& rules,
                                       const std::vector<course::Selected>& exercises);

/// The class.toml in the folder `submissions` or beside it. Throws TomlError with the place of a
/// mistake, base::UsageError if the roster cannot be read.
Rules read_rules(const std::filesystem::path& submissions);

/// Gives attempts of an export without times those of the roster, after match_roster(); the time of
/// a student whom the roster does not name is unknown.
void apply_submission_times(HandedIn& handed_in, const Rules& rules);

/// Keeps the deadlines of `exercises`, and the rule for late work that holds for a source.
void keep_late_rules(Sqlite& book, std::int64_t source,
                     const std::vector<course::Selected>& exercises, const Rules& rules);

/// Computes the deductions of a student's attempts again; of all students if `student` is empty.
/// Attempts that an earlier program took in keep theirs until a run finds them again.
void refresh_late_shares(Sqlite& book, const std::string& student);

/// The time zone of the class, as of the last run.
TimeZone zone_of_book(Sqlite& book);

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// An instructor's rules for a class in class.toml, beside the submissions or in their folder:
//
//   name                       of files in an LMS's export, a regular expression:
//                              '(?<student>[a-z0-9]+)_(?<time>\d+)_(?<exercise>\w+)\.cu'
//   layout                     "canvas", "moodle", "blackboard", "brightspace", "gradescope",
//                              "github", "nbgrader" or "folders"; guessed if this and `name` are
//                              missing
//   timezone                   "Europe/Berlin": the zone of local times; default: UTC
//   time_format                of the rule's group `time`, as of strptime(): "%b %d, %Y %I%M %p"
//   ignore                     ["*.txt"]: names of files to ignore, with * and ?
//   roster                     a platform's export of its gradebook, or a CSV file with a column
//                              `student`
//   [columns]                  titles of the roster's columns, unless they are the exercises' names
//     "coalescing/copy"        "Lab 1: copy"; of a lab: the sum of its exercises
//   exercises                  ["coalescing", "coarsening/factor"]; default: all
//   policy                     which attempt counts: "latest", "best" or "first"
//   deadline                   2026-11-20T23:59:00+01:00, or as a text; a date alone is the end of
//                              that day
//   [deadlines]                of a lab or an exercise, instead of the one above:
//     coalescing               "2026-11-10T23:59:00Z"
//   extensions                 deadlines, excuses and bonuses of single students: the name of a
//                              CSV file, or tables [[extensions]] (exceptions_file.h)
//   groups                     students who hand in together: the name of a CSV file, or a table
//                              [groups] (groups.h)
//   [late]
//     grace_minutes            without a deduction; each day of delay has them, too
//     percent_a_day            for each day begun; a day is a calendar day of the time zone
//     at_most                  percent
//
// Every key is optional, and so is the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/class/exceptions.h"
#include "grader/class/gradebook.h"
#include "grader/class/groups.h"
#include "grader/class/layout.h"
#include "grader/class/name_rule.h"
#include "grader/class/time_zone.h"

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
  std::optional<std::vector<Enrolled>> roster;
  std::string roster_bytes;                    ///< The roster's file.
  std::map<std::string, std::string> columns;  ///< Titles in the roster by lab or lab/exercise.
  std::vector<std::string> exercises;          ///< Selections as of course.h; empty: all.
  Policy policy = Policy::kLatest;
  bool strict = false;  ///< `class run --strict`: grades with waived gates stay open.
  /// Seconds since 1970 by "" (all), lab or lab/exercise.
  std::map<std::string, std::int64_t> deadlines;
  LatePolicy late;
  std::optional<Layout> layout;
  TimeZone zone;
  std::string time_format;
  std::vector<std::string> ignored;  ///< Patterns of names of files to ignore.
  /// The path of class.toml; if it does not exist, the paths that it could have.
  std::vector<std::string> files;
  std::vector<StudentGroup> groups;  ///< Members are as the file names them.
  /// Exercises and students are as class.toml names them until resolve_exercises() and
  /// resolve_students().
  std::vector<StudentException> exceptions;

  /// The class's deadline, without extensions.
  std::optional<std::int64_t> deadline_of(const std::string& lab,
                                          const std::string& exercise) const;
};

/// The class.toml in the folder `submissions` or beside it. Throws TomlError with the place of a
/// mistake, base::UsageError if the roster cannot be read.
Rules read_rules(const std::filesystem::path& submissions);

}  // namespace warpgrade::grader::class_book

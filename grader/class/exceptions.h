// SPDX-License-Identifier: Apache-2.0
// Exceptions that an instructor grants one student: a later deadline, an excuse, a bonus.
//
// In: decisions of commands, and `extensions` of class.toml as a CSV file or as tables. Out: rows
// of the book with person, reason and time.
// An exception is for one exercise, all exercises of a lab, or the whole class. If several apply,
// the most specific one counts, and of those the newest. Each run compares class.toml with the
// previous run's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/class/book_file.h"
#include "grader/class/gradebook.h"
#include "grader/class/timestamps.h"
#include "grader/course/course.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::class_book {

enum class ExceptionKind : std::uint8_t { kExtension, kExcuse, kBonus };
/// "extension", "excuse" or "bonus": as in the book.
std::string_view name(ExceptionKind kind);

struct StudentException {
  std::string student;
  std::string lab;       ///< Empty: all exercises.
  std::string exercise;  ///< Empty: all exercises of the lab.
  ExceptionKind kind = ExceptionKind::kExtension;
  std::int64_t until = 0;  ///< Seconds since 1970, of an extension.
  double points = 0;       ///< Bonus points.
  std::string who;
  std::string why;
  std::string place;  ///< "extensions.csv:3", for messages; empty for a command.
};

/// Adds a decision of a command. The caller makes the transaction.
void grant(Sqlite& book, const StudentException& one);
/// Withdraws the decision with the same student, exercises and kind; false if none exists.
bool take_back(Sqlite& book, const StudentException& one);

/// Brings the decisions of class.toml up to date. Adds new and changed ones; withdraws removed ones
/// unless a command was later. `files` are the paths of class.toml; several only if none of them
/// exists. Decisions of other files stay: each export of a class may have its own. Leaves out
/// students who are not in the book.
void take_in_exceptions(Sqlite& book, const std::vector<StudentException>& all,
                        const std::vector<std::string>& files);

/// Those of `all` whose student is neither in the book nor one of `present`.
std::vector<StudentException> of_unknown_students(Sqlite& book,
                                                  const std::vector<StudentException>& all,
                                                  const std::vector<std::string>& present);

/// "all exercises", "LAB" or "LAB/EXERCISE".
std::string exercises_of(const StudentException& one);

/// "until 2026-12-01 23:59 CET", "excused", "1.5 bonus points".
std::string described(const StudentException& one, const TimeZone& zone);

/// The decisions that count now, by student and exercise.
std::vector<StudentException> current_exceptions(Sqlite& book);

// Extensions, excuses and bonuses as class.toml has them. `extensions` is the name of a CSV file
// with the columns
//
//   student, exercise, until, excused, bonus, by, why
//
// or an array of tables with these keys, [[extensions]]. `exercise` is LAB/EXERCISE or LAB; all
// exercises if it is empty. At least one of `until`, `excused` and `bonus` is set.

/// A time as a text, or as TOML writes times and dates. `node` is the value of `key`. Throws
/// TomlError with its place.
std::int64_t time_in_toml(const toml::node& node, text::Table& table, std::string_view key,
                          const TimeZone& zone);

/// Reads `extensions` of class.toml; `table` is its wrapper around `parsed`, `folder` is the
/// file's. Throws base::UsageError with the line of a mistake.
std::vector<StudentException> read_exceptions(const toml::table& parsed, text::Table& table,
                                              const std::filesystem::path& folder,
                                              const TimeZone& zone);

/// The course's names of the exercises. Throws base::UsageError with the place if an exercise does
/// not exist, or if a bonus is not for one exercise.
void resolve_exercises(std::vector<StudentException>& all, const course::Course& course);

/// The book's keys of students whom class.toml names by another field of the roster: a login, a
/// number, an e-mail address, or a name that only one student has. Throws base::UsageError with the
/// place if two decisions of one kind are for the same student and exercises.
void resolve_students(std::vector<StudentException>& all, const std::vector<Enrolled>& roster);

}  // namespace warpgrade::grader::class_book

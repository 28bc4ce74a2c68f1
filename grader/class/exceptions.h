// SPDX-License-Identifier: Apache-2.0
// Exceptions that an instructor grants one student: a later deadline, an excuse, a bonus, each for
// one exercise, all exercises of a lab, or the whole class. The book keeps every such decision with
// person, reason and time. If several apply, the most specific one counts, and of those the newest.
// Decisions come from commands (`class extend`, `class excuse`, `class adjust --bonus`) and from
// `extensions` in class.toml, which every run compares with the previous run's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/class/sqlite.h"
#include "grader/class/time_zone.h"

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

/// "until 2026-12-01 23:59 CET", "excused", "1.5 bonus points".
std::string described(const StudentException& one, const TimeZone& zone);

/// The decisions that count now, by student and exercise.
std::vector<StudentException> current_exceptions(Sqlite& book);

}  // namespace warpgrade::grader::class_book

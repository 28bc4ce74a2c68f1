// SPDX-License-Identifier: Apache-2.0
// Extensions, excuses and bonuses as class.toml has them. `extensions` is the name of a CSV file
// with the columns
//
//   student, exercise, until, excused, bonus, by, why
//
// or an array of tables with these keys, [[extensions]]. `exercise` is LAB/EXERCISE or LAB; all
// exercises if it is empty. At least one of `until`, `excused` and `bonus` is set.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "grader/class/exceptions.h"
#include "grader/class/gradebook.h"
#include "grader/course/course.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::class_book {

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

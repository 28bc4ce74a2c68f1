// SPDX-License-Identifier: Apache-2.0
// The meaning of the columns of a gradebook or worksheet, by their titles in several languages.
//
// In: the titles of a file, and titles that class.toml gives. Out: the column of each meaning. The
// titles are in column_titles.toml. English and the language with most of the titles count, since a
// word may mean different things in different languages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/class/timestamps.h"

namespace warpgrade::grader::class_book {

enum class ColumnMeaning : std::uint8_t {
  kStudent,
  kFirst,
  kLast,
  kName,
  kLogin,
  kNumber,
  kId,
  kEmail,
  kMaximum,   ///< The most points of the assignment.
  kModified,  ///< When the work was submitted.
  kFeedback,  ///< Text that the student reads.
};

/// Titles by meaning, as `[columns] identity` of class.toml gives them.
using IdentityTitles = std::map<ColumnMeaning, std::string>;

/// "student", "first", "last", "name", "login", "number", "id", "email", ...: as in class.toml.
std::string_view name(ColumnMeaning meaning);
/// Nullopt if no meaning has that name.
std::optional<ColumnMeaning> meaning_called(std::string_view text);

/// The column of each meaning; titles in `own` come before the known ones.
std::map<ColumnMeaning, std::size_t> meanings_of(const std::vector<std::string>& titles,
                                                 const IdentityTitles& own);

/// A time as Moodle shows it to people: "Freitag, 20. November 2026, 23:58", "20 November 2026,
/// 11:58 PM", "2026年11月20日 23:58". Nullopt for any other text.
std::optional<std::int64_t> moodle_time(const std::string& text, const TimeZone& zone);

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// Groups of students who hand in together. Canvas, Moodle and Brightspace put a group's work into
// their exports once, under the name of the group or of one member. `groups` of class.toml lists
// the members; the work then counts for each of them. It is a table
//
//   [groups]
//   "Team 1" = ["ada", "bob"]
//
// or the name of a CSV file with a column `group` and columns that name students as a roster's do:
// Canvas's export of a group set, Moodle's grading worksheet, or one of your own.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/class/gradebook.h"
#include "grader/class/hand_in.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::class_book {

/// A group as class.toml has it.
struct StudentGroup {
  std::string name;
  std::vector<std::string> members;  ///< Names or keys; keys of students once they are resolved.
  std::vector<Enrolled> rows;        ///< Members as a CSV file has them, until then.
};

/// Reads `groups` of class.toml; `table` is its wrapper around `parsed`, `folder` is the file's.
/// Members keep the file's names until resolve_groups(). Throws base::UsageError with the place of
/// a mistake.
std::vector<StudentGroup> read_groups(const toml::table& parsed, text::Table& table,
                                      const std::filesystem::path& folder);
/// The groups of a CSV file; `shown` is its name in messages.
std::vector<StudentGroup> groups_in_csv(std::string_view bytes, const std::string& shown);

/// Gives members the keys of matching students of the roster.
void resolve_groups(std::vector<StudentGroup>& groups, const std::vector<Enrolled>& roster);

/// Gives each member the work under the name of the group or of another member. Call it after
/// match_roster(); `roster` is the same. Members who are not in a roster stay unmatched.
void share_group_work(HandedIn& handed_in, const std::vector<StudentGroup>& groups,
                      const std::vector<Enrolled>& roster);

}  // namespace warpgrade::grader::class_book

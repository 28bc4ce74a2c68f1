// SPDX-License-Identifier: Apache-2.0
// Matches submissions with people. A platform, a roster and a person may give one student several
// keys. The book keeps each attempt with the name that the submissions gave it. If a student gets
// another key, attempts, files and decisions of instructors follow.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/class/book_file.h"
#include "grader/class/gradebook.h"
#include "grader/class/hand_in.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::class_book {

/// Gives the students of `handed_in` the roster's keys; students in `decided` get the keys that a
/// person chose. `roster` may be empty if the class has none.
void match_roster(HandedIn& handed_in, const std::vector<Enrolled>& roster,
                  const std::map<std::string, std::string>& decided = {});

/// The roster's key of a student; none if no row fits, or several do.
std::optional<std::string> roster_key(const std::vector<Enrolled>& roster,
                                      const std::string& student, const HandedIdentity& identity);

/// Distinguishes students of one name by address, or by their number in the export.
class Namesakes {
 public:
  /// `place`: the folder in which the export numbers its students.
  void add(const std::string& student, const std::string& place, const HandedIdentity& identity);
  /// The student's name, with the number or address behind it if it is the name of several.
  std::string key(const std::string& student, const HandedIdentity& identity) const;

 private:
  std::map<std::string, std::map<std::string, std::set<std::string>>> tags_;
};

// Groups of students who hand in together. Canvas, Moodle and Brightspace put a group's work into
// their exports once, under the name of the group or of one member. `groups` of class.toml lists
// the members; the work then counts for each of them. It is a table
//
//   [groups]
//   "Team 1" = ["ada", "bob"]
//
// or the name of a CSV file with a column `group` and columns that name students as a roster's do:
// Canvas's export of a group set, Moodle's grading worksheet, or one of your own.

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

/// The student of each name in submissions for which a person decided it, by the roster's key.
std::map<std::string, std::string> decided_students(Sqlite& book,
                                                    const std::vector<Enrolled>& roster);

/// Students of the book who have another key in the `roster` or in `handed_in`: the old
/// key and the new one. Read it before the new roster is taken in.
std::map<std::string, std::string> changed_keys(Sqlite& book, const std::vector<Enrolled>& roster,
                                                const HandedIn& handed_in);

/// Moves all counted work of student `from` to student `to`, who must be in the book. A decision of
/// an instructor about `to` prevails over one about `from`.
void move_student(Sqlite& book, const std::string& from, const std::string& to);

/// Stores the possible rows of unmatched students, and marks the students who are unmatched now.
void keep_candidates(Sqlite& book, const HandedIn& handed_in);
void mark_unmatched(Sqlite& book);

/// A person's decision about the work that came under the name `given`.
struct IdentityDecision {
  std::string given;
  std::optional<std::string> student;  ///< `given` itself: not in the roster; nullopt: withdrawn.
  std::string who;
  std::string why;
};

/// Throws base::UsageError if the book has no work under the name `given`.
void expect_given(Sqlite& book, const std::string& given);

/// Keeps the decision and applies it to all work of that name. Throws base::UsageError if the book
/// has no such name or student.
void decide_student(Sqlite& book, const IdentityDecision& decision);

struct UnmatchedStudent {
  std::string student;
  std::string name;
  std::vector<std::string> nearest;  ///< Students of the roster without work, the likeliest first.
};

std::vector<UnmatchedStudent> unmatched_students(Sqlite& book);

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// Assigns work to students, in the book. A platform, a roster and a person may give one student
// several keys. The book keeps each attempt with the name that the submissions gave it. If a
// student gets another key, attempts, files and decisions of instructors follow. Work of a student
// who is not in the roster is reported until a person assigns it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/class/book_file.h"
#include "grader/class/hand_in.h"
#include "grader/class/rules.h"

namespace warpgrade::grader::class_book {

/// The student of each name in submissions for which a person decided it, by the roster's key.
std::map<std::string, std::string> decided_students(Sqlite& book, const Rules& rules);

/// Students of the book who have another key in the roster of `rules` or in `handed_in`: the old
/// key and the new one. Read it before the new roster is taken in.
std::map<std::string, std::string> changed_keys(Sqlite& book, const Rules& rules,
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

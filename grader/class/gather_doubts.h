// SPDX-License-Identifier: Apache-2.0
// Finds doubts about the submissions as a whole: times that an export wrote, and a folder that is
// one level too high. Each doubt becomes a problem of the result, and costs no points.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "grader/class/given_file.h"
#include "grader/class/hand_in.h"
#include "grader/class/rules.h"

namespace warpgrade::grader::class_book {

/// Adds the student of a folder without files, unless the student has others.
void add_empty_student(const std::string& folder, std::set<std::string>& students, HandedIn& out);

/// Removes the times from files whose times are those of an export or a copy: all are equal, or all
/// are after the deadline and within an hour, and in an archive also in its order (Moodle stamps
/// each entry while it writes it).
void doubt_times(const Rules& rules, bool has_archives, std::vector<GivenFile>& files,
                 HandedIn& out);

/// Warns if a student's folder looks like a folder of students.
void expect_students_below(const std::set<std::string>& students, HandedIn& out);

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// Reads a class's submissions by the rules of class.toml.
//
// In: a folder with one folder per student (which may hold archives), an LMS's archive, or a
// folder of such archives. Out: attempts, students, the use of every file, and problems.
// Each file gets the facts that its name or layout gives; then its student's files are sorted
// into attempts. Irregular files become problems of the result; none is dropped silently.
// Doubts about the submissions as a whole are problems, too, and cost no points.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/class/hand_in.h"
#include "grader/class/rules.h"
#include "grader/course/course.h"

namespace warpgrade::grader::class_book {

/// A file that was found, with the facts that its name or layout gives.
struct GivenFile {
  FoundFile file;
  std::string student = {};   ///< Empty if it is not known.
  std::string group = {};     ///< One hand-in of the student.
  std::string exercise = {};  ///< LAB/EXERCISE by the rule; empty if the path contains it.
  bool is_companion = false;
  bool is_stamped = true;  ///< Its time is the file's own, not one that a platform wrote down.
  HandedIdentity identity = {};
};

/// Removes the times from files whose times are those of an export or a copy: all are equal, or all
/// are after the deadline and within an hour, and in an archive also in its order (Moodle stamps
/// each entry while it writes it).
void doubt_times(const Rules& rules, bool has_archives, std::vector<GivenFile>& files,
                 HandedIn& out);

/// The files of `book` are not work; what archives hold waits in temporary files beside it. Throws
/// base::UsageError if `submissions` does not exist, or if the level of its students is not clear.
HandedIn gather(const course::Course& course, const Rules& rules,
                const std::filesystem::path& submissions, const std::filesystem::path& book = {});

}  // namespace warpgrade::grader::class_book

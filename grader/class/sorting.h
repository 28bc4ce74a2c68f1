// SPDX-License-Identifier: Apache-2.0
// Sorts the files that were found for a student into attempts: which exercise a path means, which
// headers go with it, and what nobody can make anything of. Nothing is dropped without a word.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/class/hand_in.h"
#include "grader/course/course.h"

namespace warpgrade::grader {

/// A file as it was found, read or refused.
struct FoundFile {
  std::string path;  ///< In the student's folder, or in the archive.
  std::string bytes;
  std::string refused;  ///< Why it was not read.
  std::int64_t time = 0;
  bool unread = false;  ///< Refused for want of a right or by a failing disk, not for what it is.
};

/// The exercise that a path or a rule's words name: "LAB/EXERCISE.cu", "EXERCISE.cu", "EXERCISE"
/// where only one lab has it. Its folder in the path may lie deeper. Nothing where there is none.
std::optional<Selected> named_exercise(const Course& course, std::string_view path);

/// Sorts the `files` of one student into `out`; `source` names the place before their paths.
void sort_files(const Course& course, const std::string& student, const std::string& source,
                std::vector<FoundFile> files, HandedIn& out);

/// Whether the system put the file there and no student (".DS_Store", "__MACOSX/").
bool is_by_the_way(std::string_view path);

/// A path safe to print, cut where it is very long.
std::string shown_name_of(std::string_view path);

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
// Sorts the files of a student into attempts: which exercise a file is for, and which headers
// belong to it. Every file is accounted for: it is an attempt, a part of one, open with its reason,
// unused or ignored.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/class/hand_in.h"
#include "grader/course/course.h"

namespace warpgrade::grader::class_book {

/// A file that was read or refused.
struct FoundFile {
  std::string path;  ///< In the student's folder, or in the archive.
  std::string bytes;
  std::string refused;  ///< Why it was not read.
  std::optional<std::int64_t> time = 0;
  bool unread = false;  ///< Refused by permissions or a failing disk, not by content.
  std::string shown;    ///< From SUBMISSIONS, for people; empty: made of the source and `path`.
  bool late_mark = false;
  std::int64_t number = 0;  ///< Attempt number, if the platform counts.
};

/// The exercise that a path or a rule's groups name: "LAB/EXERCISE.cu", "EXERCISE.cu", or
/// "EXERCISE" if only one lab has it. Its folder in the path may be deeper. Nullopt if it does not
/// exist.
std::optional<course::Selected> named_exercise(const course::Course& course, std::string_view path);

/// Sorts the `files` of one student into `out`; `source` names the place before their paths. Files
/// that no exercise of the course names are assigned to one of `selected`, if only one fits.
void sort_files(const course::Course& course, const std::vector<course::Selected>& selected,
                const std::string& student, const std::string& source, std::vector<FoundFile> files,
                HandedIn& out);

/// Whether a system or a build put the file there and not a student (".DS_Store", "__MACOSX/").
bool is_by_the_way(std::string_view path);

/// Whether macOS put it into an archive beside a file: "__MACOSX/._copy.cu".
bool is_mac_copy(std::string_view path);

/// A path safe to print, cut if it is very long.
std::string shown_name_of(std::string_view path);

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// Makes the student's course: the project without solutions, secret cases and tests.
//
// In: the course and an empty folder. Out: the students' files, with encoded hints and manifests
// without secret cases, in which comments and order are kept.
// The files to copy are listed by name, so a stray file in the tree never reaches students.
// leaks() checks the result independently, by content and by loading it with the program.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/course/course.h"

namespace warpgrade::grader::author {

// Removes the secret cases from the text of a manifest, for packs.
//
// Comments and order are kept, so students read the manifest that the instructor wrote. A case is a
// line `name = { ... }` of a set, a table [cases.SET.NAME], or an element of an exercise's `cases`.

/// `manifest` without the cases marked `secret = true`; adds their number to `count`. Throws
/// base::UsageError if the text is not TOML, or if a secret case is written in another form.
std::string without_secret_cases(std::string_view manifest, std::size_t& count);

struct Packed {
  std::size_t files = 0;
  std::size_t secret_cases = 0;  ///< Taken out of manifests.
};

/// Copies the student's part of `course` into `folder`, which must be empty or missing; labs and
/// chapters that `course` lacks are left out. Throws base::UsageError if the folder has files,
/// base::ToolError if it cannot be written.
Packed pack(const course::Course& course, const std::filesystem::path& folder);

/// The same with only the labs, their chapters and the students' README, for an installed program.
Packed write_course_folder(const course::Course& course, const std::filesystem::path& folder);

/// Finds files in `folder` that must not be in students' hands, a sentence each: a file with the
/// content of a solution, of a wrong one or of a test's, a secret case, a manifest that cannot be
/// read.
std::vector<std::string> leaks(const course::Course& course, const std::filesystem::path& folder);

/// `manifest` with each `hints = [...]` as hints_rot13.
std::string with_hidden_hints(std::string_view manifest);

}  // namespace warpgrade::grader::author

// SPDX-License-Identifier: Apache-2.0
// Makes what students get: the project without solutions, wrong solutions, secret cases and tests.
//
// Left out: solutions/, tests/ (which holds other right solutions), studies/ (whose kernels solve
// exercises; chapter_figures.h hands out what they draw), the instructors' chapter, and of each
// manifest the cases marked `secret = true`; its hints are no longer in the clear, since `warpgrade
// hint` shows them one by one. Copied is a list of names, not everything but: a
// file that somebody left in the tree is not handed out. leaks() then reads the result with other
// eyes: by content and by what the program makes of it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/course/course.h"

namespace warpgrade::grader {

struct Packed {
  std::size_t files = 0;
  std::size_t secret_cases = 0;  ///< Taken out of manifests.
};

/// Copies what students get of `course` into `folder`, which must not exist or be empty. Throws
/// base::UsageError where it is neither, base::ToolError where it cannot be written.
Packed pack(const Course& course, const std::filesystem::path& folder);

/// The same with the labs and their chapters alone: for who has the program installed.
Packed write_course_folder(const Course& course, const std::filesystem::path& folder);

/// Finds files in `folder` that must not be in students' hands, a sentence each: a file with the
/// content of a solution, of a wrong one or of a test's, a secret case, a manifest that cannot be
/// read.
std::vector<std::string> leaks(const Course& course, const std::filesystem::path& folder);

/// `manifest` without the [[exercise.case]] tables that say `secret = true`; counts them.
std::string without_secret_cases(std::string_view manifest, std::size_t& count);

/// `manifest` with each `hints = [...]` as hints_rot13.
std::string with_hidden_hints(std::string_view manifest);

}  // namespace warpgrade::grader

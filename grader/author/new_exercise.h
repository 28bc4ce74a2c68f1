// SPDX-License-Identifier: Apache-2.0
// Starts an exercise: a manifest entry, a skeleton, a reference kernel, a right and a wrong
// solution.
//
// In: LAB/EXERCISE, and the templates that the build embeds. Out: new files that work at once,
// with places marked FILL IN. The example kernel copies a vector.
// Everything is composed and read back before the first file is written, so a mistake changes
// nothing on disk.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/course/course.h"

namespace warpgrade::grader::author {

/// A file to write: new, or an existing one with text added at its end.
struct ComposedFile {
  std::filesystem::path path;  ///< Relative to the course's root.
  std::string content;
  bool is_extended = false;
};

/// The files of the new exercise `name`, LAB/EXERCISE, of the course in `root`, which may have no
/// labs yet. `call` is the command that starts this program. Throws base::UsageError if the name is
/// malformed, if the exercise or one of its files exists, or if the lab's manifest has a mistake.
std::vector<ComposedFile> compose_exercise(const std::filesystem::path& root,
                                           const std::string& name, const std::string& call);

/// Writes `files` below `root`. On failure it removes the files that it has created and throws
/// base::ToolError.
void write_exercise(const std::filesystem::path& root, const std::vector<ComposedFile>& files);

/// A sentence, "FILE:LINE: FILL IN: ...", for each place of the labs that is still to be filled in.
std::vector<std::string> places_to_fill_in(const course::Course& course);

}  // namespace warpgrade::grader::author

// SPDX-License-Identifier: Apache-2.0
// What to tell each student, in a folder of its own: an overview with the points, and the report of
// each exercise. Nothing of another student is in it.
#pragma once

#include <cstddef>
#include <filesystem>

#include "grader/class/sqlite.h"

namespace warpgrade::grader {

/// Writes FOLDER/STUDENT/feedback.txt for every student, and beside it LAB_EXERCISE.html where the
/// book has a page. Returns the number of students. Throws base::ToolError where it cannot be
/// written.
std::size_t write_feedback(Sqlite& book, const std::filesystem::path& folder);

}  // namespace warpgrade::grader

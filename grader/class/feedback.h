// SPDX-License-Identifier: Apache-2.0
// What to tell each student, in a folder of its own: an overview with the points, and the report of
// each exercise, as text and as pages. Nothing of another student is in it, nor of secret cases:
// the grades' texts and pages were made so (student_view.h).
#pragma once

#include <cstddef>
#include <filesystem>

#include "grader/class/sqlite.h"

namespace warpgrade::grader {

/// Writes FOLDER/STUDENT/feedback.txt and index.html for every student, and beside them
/// LAB_EXERCISE.html of each grade. Returns the number of students. Throws base::ToolError if it
/// cannot write them.
std::size_t write_feedback(Sqlite& book, const std::filesystem::path& folder);

}  // namespace warpgrade::grader

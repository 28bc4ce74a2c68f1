// SPDX-License-Identifier: Apache-2.0
// Feedback for each student, in a separate folder: an overview with the points, and the report of
// each exercise, as text and as pages. It has no data of other students or secret cases:
// student_view.h removed them from the grades' texts and pages.
#pragma once

#include <cstddef>
#include <filesystem>

#include "grader/class/sqlite.h"

namespace warpgrade::grader::class_book {

/// Writes FOLDER/STUDENT/feedback.txt and index.html for every student, and beside them
/// LAB_EXERCISE.html of each grade. Returns the number of students. Throws base::ToolError if it
/// cannot write them.
std::size_t write_feedback(Sqlite& book, const std::filesystem::path& folder);

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// A run's summary of the submissions, printed before grading: the layout, the numbers of students
// and attempts, ungraded files, and students without a submission. Problems are printed up to a
// number; a file beside the book has all of them.
#pragma once

#include <filesystem>

#include "grader/class/hand_in.h"
#include "grader/class/rules.h"
#include "grader/class/say.h"

namespace warpgrade::grader::class_book {

/// Writes all problems to `all`. Throws base::ToolError if it cannot be written.
void report_intake(const HandedIn& handed_in, const Rules& rules, const std::filesystem::path& all,
                   const Say& say);

}  // namespace warpgrade::grader::class_book

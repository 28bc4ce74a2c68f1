// SPDX-License-Identifier: Apache-2.0
// The chapters of a packed course as one HTML page, in the course's order, made by pandoc.
//
// `handouts/make_book.sh` says how; its style and its search stand beside it. The page is for
// students, who have no pandoc: what they get must have it already.
#pragma once

#include <filesystem>

#include "grader/course/course.h"

namespace warpgrade::grader {

/// The page's path in a packed course.
std::filesystem::path book_of(const std::filesystem::path& folder);

/// Makes it of the chapters and figures of `folder`. False where pandoc is missing, or the course
/// has no chapters of its own; throws base::ToolError where pandoc fails.
bool make_course_book(const Course& course, const std::filesystem::path& folder);

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
// The chapters of a packed course as one HTML page, in the course's order, made by pandoc.
//
// `handouts/make_book.sh` makes the page; its style sheet and its search script are in the same
// folder. Students have no pandoc, so they get the finished page.
#pragma once

#include <filesystem>

#include "grader/course/course.h"

namespace warpgrade::grader::author {

/// The page's path in a packed course.
std::filesystem::path book_of(const std::filesystem::path& folder);

/// Makes the page from the chapters and figures of `folder`. Returns false if pandoc is missing, or
/// if the course has no chapters of its own. Throws base::ToolError if pandoc fails.
bool make_course_book(const course::Course& course, const std::filesystem::path& folder);

}  // namespace warpgrade::grader::author

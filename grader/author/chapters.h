// SPDX-License-Identifier: Apache-2.0
// The parts of a students' course that are made and not copied: figures and the book.
//
// Studies draw the figures. Pandoc makes the book: all chapters as one HTML page. An installed
// course already contains the figures, and no studies.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/course/course.h"

namespace warpgrade::grader::author {

// The figures that chapters show: `![caption](figures/NAME.svg)`, drawn by the study NAME.
//
// Students get no studies, since their kernels solve exercises; they get the figures. An installed
// course already contains them, and no studies.

/// NAME of each figure in a chapter, in order.
std::vector<std::string> figures_in(std::string_view chapter);

/// The figures of all chapters in `folder`/handouts, each once, sorted by name.
std::vector<std::string> figures_of(const std::filesystem::path& folder);

/// The sources of figures, and a callback that runs before each one is drawn.
struct FigureSource {
  std::filesystem::path root;   ///< Contains studies/.
  std::filesystem::path drawn;  ///< Finished figures, which are copied; may be empty.
  std::function<void(std::size_t number, std::size_t all, const std::string& name)> progress;
};

/// Adds the figures that the chapters of `folder` show and that it lacks: copies the drawn ones,
/// and runs the studies of the others on the simulator. Returns the number of figures shown. Throws
/// base::ToolError if gnuplot or the study is missing or fails.
std::size_t add_figures(const FigureSource& source, const std::filesystem::path& folder);

/// One sentence per figure that a chapter of `folder` shows but that does not exist.
std::vector<std::string> missing_figures(const std::filesystem::path& folder);

// The chapters of a packed course as one HTML page, in the course's order, made by pandoc.
//
// `handouts/make_book.sh` makes the page; its style sheet and its search script are in the same
// folder. Students have no pandoc, so they get the finished page.

/// The page's path in a packed course.
std::filesystem::path book_of(const std::filesystem::path& folder);

/// Makes the page from the chapters and figures of `folder`. Returns false if pandoc is missing, or
/// if the course has no chapters of its own. Throws base::ToolError if pandoc fails.
bool make_course_book(const course::Course& course, const std::filesystem::path& folder);

}  // namespace warpgrade::grader::author

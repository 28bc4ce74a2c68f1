// SPDX-License-Identifier: Apache-2.0
// The students' course: the project without solutions, secret cases and tests, with the figures of
// the chapters and their book.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/course/course.h"

namespace warpgrade::grader::author {

/// `manifest` without the cases marked `secret = true`: a line `name = { ... }` of a set, a table
/// [cases.SET.NAME], or an element of an exercise's `cases`. Comments and order are kept. Adds
/// their number to `count`. Throws base::UsageError if the text is not TOML, or if a secret case is
/// written in another form.
std::string without_secret_cases(std::string_view manifest, std::size_t& count);

struct Packed {
  std::size_t files = 0;
  std::size_t secret_cases = 0;  ///< Taken out of manifests.
};

/// Copies the student's part of `course` into `folder`, which must be empty or missing; labs and
/// chapters that `course` lacks are left out. Throws base::UsageError if the folder has files,
/// base::ToolError if it cannot be written.
Packed pack(const course::Course& course, const std::filesystem::path& folder);

/// The same with only the labs, their chapters, the students' README and files for editors, for an
/// installed program. `folder` may be moved later. Commands in the files call the program as
/// `call`.
Packed write_course_folder(const course::Course& course, const std::filesystem::path& folder,
                           const std::string& call);

/// Finds files in `folder` that must not be in students' hands, a sentence each: a file with the
/// content of a solution, of a wrong one or of a test's, a secret case, a manifest that cannot be
/// read.
std::vector<std::string> leaks(const course::Course& course, const std::filesystem::path& folder);

/// `manifest` with each `hints = [...]` as hints_rot13.
std::string with_hidden_hints(std::string_view manifest);

/// NAME of each figure `![caption](figures/NAME.svg)` in a chapter, in order. The study NAME draws
/// it.
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

/// The page's path in a packed course.
std::filesystem::path book_of(const std::filesystem::path& folder);

/// Makes one HTML page of the chapters and figures of `folder`, with `handouts/make_book.sh`.
/// Returns false if pandoc is missing, or if the course has no chapters of its own. Throws
/// base::ToolError if pandoc fails.
bool make_course_book(const course::Course& course, const std::filesystem::path& folder);

}  // namespace warpgrade::grader::author

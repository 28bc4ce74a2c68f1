// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/commands/chapters.h"

#include <fmt/format.h>

#include "common/base/error.h"
#include "grader/author/chapter_figures.h"
#include "grader/author/course_book.h"
#include "grader/cli/commands/commands.h"

namespace warpgrade::grader::cli {

namespace fs = std::filesystem;

std::size_t complete_chapters(const course::Course& course, const fs::path& folder,
                              const std::string& drawn, WithoutFigures without) {
  const author::FigureSource source{
      course.root, drawn, [](std::size_t number, std::size_t all, const std::string& name) {
        print(fmt::format("drawing figure {} of {}: {}\n", number, all, name));
      }};
  std::size_t figures = 0;
  try {
    figures = author::add_figures(source, folder);
  } catch (const base::ToolError& failure) {
    if (without == WithoutFigures::kFails) throw;
    print(fmt::format("without all figures of the chapters: {}\n", failure.what()));
  }
  std::error_code ignored;
  if (!fs::is_regular_file(author::book_of(folder), ignored) &&
      !author::make_course_book(course, folder)) {
    print(
        "without handouts/book.html, which pandoc makes from the chapters: sudo apt-get install "
        "pandoc\n");
  }
  return figures;
}

}  // namespace warpgrade::grader::cli

// SPDX-License-Identifier: Apache-2.0
#include "grader/author/course_book.h"

#include <fmt/format.h>

#include <chrono>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/child.h"

namespace warpgrade::grader::author {
namespace {

namespace fs = std::filesystem;

constexpr int kNotFound = 127;  // A shell's exit code for a program that does not exist.

}  // namespace

fs::path book_of(const fs::path& folder) { return folder / "handouts" / "book.html"; }

bool make_course_book(const course::Course& course, const fs::path& folder) {
  const auto handouts = folder / "handouts";
  const auto script = handouts / "make_book.sh";
  compile::Command command{"/bin/sh",
                           {script.string(), "pandoc", book_of(folder).string(), handouts.string()},
                           /*whole_environment=*/true};
  const auto fixed = command.arguments.size();
  for (const auto& lab : course.labs) {
    const auto chapter = handouts / (lab.id + ".md");
    if (fs::is_regular_file(chapter)) command.arguments.push_back(chapter.string());
  }
  if (!fs::is_regular_file(script) || command.arguments.size() == fixed) return false;
  constexpr std::chrono::minutes kTime{5};
  const auto child = compile::run_child(command, {}, kTime);
  if (child.exit_code == kNotFound) return false;
  std::error_code ignored;
  const bool is_made = fs::is_regular_file(book_of(folder), ignored);
  if (child.timed_out || child.signal != 0 || child.exit_code != 0 || !is_made) {
    throw base::ToolError(fmt::format("{}: pandoc could not make the book of the chapters{}",
                                      base::escape_controls(book_of(folder).string()),
                                      child.timed_out ? ": out of time" : ""));
  }
  return true;
}

}  // namespace warpgrade::grader::author

// SPDX-License-Identifier: Apache-2.0
// The parts of a students' course that are made and not copied: figures and the book.
//
// In: chapters with `![caption](figures/NAME.svg)`, and the study NAME of each figure. Out: the
// drawn figures, and all chapters as one HTML page in the course's order.
// Students get no studies, since their kernels solve exercises, and they have no pandoc. They get
// the figures and the finished page.
#include "grader/author/chapters.h"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/child.h"
#include "grader/course/course.h"
#include "grader/study/canvas.h"
#include "grader/study/figure.h"
#include "grader/study/run_study.h"
#include "grader/study/study_reader.h"
#include "grader/text/files.h"

namespace warpgrade::grader::author {
namespace {

namespace fs = std::filesystem;

fs::path file_of(const fs::path& folder, const std::string& figure) {
  return folder / "handouts" / "figures" / (figure + ".svg");
}

bool has_content(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && fs::file_size(file, ignored) > 0;
}

// Runs the study `name` of `root` and returns its figure.
std::string draw_figure(const fs::path& root, const std::string& name) {
  std::error_code ignored;
  if (!fs::is_directory(root / "studies", ignored)) {
    throw base::ToolError("this course has no studies, which draw them");
  }
  const auto study = study::read_study(study::find_study(root, name), "studies/" + name + ".toml");
  const auto result = study::run_simulated(study, {});
  if (result.exit_code() != 0) {
    throw base::ToolError(
        fmt::format("the study `{0}` fails, so its figure cannot be drawn: run "
                    "./warpgrade study {0}",
                    name));
  }
  return study::draw_svg(study::figure_script(result));
}

}  // namespace

std::vector<std::string> figures_in(std::string_view chapter) {
  constexpr std::string_view kBegin = "](figures/";
  constexpr std::string_view kEnd = ".svg";
  std::vector<std::string> out;
  for (auto at = chapter.find(kBegin); at != std::string_view::npos; at = chapter.find(kBegin)) {
    chapter.remove_prefix(at + kBegin.size());
    auto name = chapter.substr(0, chapter.find(')'));
    if (!name.ends_with(kEnd)) continue;
    name.remove_suffix(kEnd.size());
    out.emplace_back(name);
  }
  return out;
}

std::vector<std::string> figures_of(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder / "handouts", ignored)) {
    if (entry.path().extension() != ".md") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (auto& name : figures_in(text)) names.insert(std::move(name));
  }
  return {names.begin(), names.end()};
}

std::size_t add_figures(const FigureSource& source, const fs::path& folder) {
  const auto names = figures_of(folder);
  std::size_t number = 0;
  for (const auto& name : names) {
    ++number;
    const auto file = file_of(folder, name);
    if (has_content(file)) continue;
    fs::create_directories(file.parent_path());
    const auto drawn = source.drawn / (name + ".svg");
    if (!source.drawn.empty() && has_content(drawn)) {
      fs::copy_file(drawn, file, fs::copy_options::overwrite_existing);
      continue;
    }
    if (source.progress) source.progress(number, names.size(), name);
    text::write_atomically(file, draw_figure(source.root, name));
  }
  return names.size();
}

std::vector<std::string> missing_figures(const fs::path& folder) {
  std::vector<std::string> out;
  for (const auto& name : figures_of(folder)) {
    if (has_content(file_of(folder, name))) continue;
    out.push_back(fmt::format("a chapter shows handouts/figures/{}.svg, which is not there",
                              base::escape_controls(name)));
  }
  return out;
}

namespace {

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

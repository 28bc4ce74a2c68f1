// SPDX-License-Identifier: Apache-2.0
// `warpgrade` without a command: prints the student's progress, the next step, and the way to
// help.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/base/text.h"
#include "grader/cli/commands/commands.h"
#include "grader/course/course.h"
#include "grader/report/render_summary.h"
#include "grader/text/program_call.h"
#include "grader/text/terminal.h"
#include "grader/watch/student_progress.h"

namespace warpgrade::grader::cli {
namespace {

std::string labs_table(const course::Course& course, const watch::StudentProgress& progress,
                       const text::Style& style) {
  text::Columns table({true, true, false, true});
  for (const auto& lab : course.labs) {
    std::uint32_t best = 0;
    std::uint32_t most = 0;
    std::size_t passed = 0;
    for (const auto& exercise : lab.exercises) {
      const auto found = progress.find(lab.id + "/" + exercise.id);
      most += exercise.max_points();
      if (found == progress.end()) continue;
      best += std::min(found->second.best, exercise.max_points());
      if (found->second.passed) ++passed;
    }
    const auto row = table.size();
    table.add({lab.id, report::bar(best, most), fmt::format("{} of {} points", best, most),
               fmt::format("{} of {} exercises passed", passed, lab.exercises.size())});
    table.colour(row, 0, text::Colour::kBold);
    if (passed == lab.exercises.size()) table.colour(row, 1, text::Colour::kGreen);
  }
  return table.text(2, style);
}

// The address of a lab's chapter in a packed course's book, by the name that pandoc gives it.
std::optional<std::string> chapter_in_book(const course::Course& course, std::string lab) {
  const std::string book = "handouts/book.html";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(course.root / book, ignored)) return std::nullopt;
  std::ranges::replace(lab, '_', '-');
  return book + "#" + lab;
}

std::string what_to_do(const course::Course& course, const course::Selected& next,
                       const text::Style& style) {
  const auto& lab = *next.lab;
  const auto& exercise = *next.exercise;
  const auto name = lab.id + "/" + exercise.id;
  std::string out = fmt::format("\nNext: {}  {}\n", style(text::Colour::kBold, name),
                                base::escape_controls(exercise.title));
  text::Columns table({true, true});
  const auto chapter = "handouts/" + lab.id + ".md";
  std::error_code ignored;
  if (std::filesystem::is_regular_file(course.root / chapter, ignored)) {
    table.add({"read", chapter_in_book(course, lab.id).value_or(chapter)});
  }
  table.add({"edit", shown_path(course, lab.folder / exercise.file_name())});
  table.add(
      {"grade", text::program_call() + " watch " + name + "   (at each save; h: a hint, q: quit)"});
  return out + table.text(2, style);
}

}  // namespace

int run_overview() {
  std::vector<std::string> mistakes;
  const auto course = course::read_usable_labs(course::find_root(), mistakes);
  const auto style = text::style_of_stdout();
  const auto progress = watch::read_progress(watch::progress_file(), course.root);
  auto out = fmt::format("warpgrade: course labs on GPU memory performance\n\n{}",
                         labs_table(course, progress, style));
  const auto all = select(course, {});
  const auto next = std::ranges::find_if(all, [&](const course::Selected& one) {
    const auto found = progress.find(one.lab->id + "/" + one.exercise->id);
    return found == progress.end() || !found->second.passed;
  });
  out += next == all.end() ? std::string("\nAll exercises are passed. Well done.\n")
                           : what_to_do(course, *next, style);
  out +=
      fmt::format("\nAll exercises: {0} list. All commands: {0} --help.\n", text::program_call());
  if (!progress.empty()) {
    out += fmt::format("Your progress is kept in {}.\n",
                       base::escape_controls(watch::progress_file().string()));
  }
  print(out);
  course::expect_no_mistakes(mistakes);
  return 0;
}

}  // namespace warpgrade::grader::cli

// SPDX-License-Identifier: Apache-2.0
// `warpgrade list`: the labs and their exercises.
#include <fmt/format.h>

#include "common/base/text.h"
#include "grader/cli/commands/commands.h"
#include "grader/course/course.h"
#include "grader/text/terminal.h"
#include "grader/watch/student_progress.h"

namespace warpgrade::grader::cli {
namespace {

// "passed", or the most points so far; empty if the exercise was never graded.
std::string reached(const watch::StudentProgress& progress, const std::string& exercise) {
  const auto found = progress.find(exercise);
  if (found == progress.end()) return {};
  return found->second.passed ? "passed" : fmt::format("best so far: {}", found->second.best);
}

}  // namespace

int run_list() {
  std::vector<std::string> mistakes;
  const auto course = course::read_usable_labs(course::find_root(), mistakes);
  const auto style = text::style_of_stdout();
  const auto progress = watch::read_progress(watch::progress_file(), course.root);
  std::string out;
  for (const auto& lab : course.labs) {
    if (!out.empty()) out += '\n';
    out += fmt::format("{}: {}\n", style(text::Colour::kBold, lab.id),
                       base::escape_controls(lab.summary));
    text::Columns table({true, true, false, true, true});
    for (const auto& exercise : lab.exercises) {
      table.add({lab.id + "/" + exercise.id, base::escape_controls(exercise.title),
                 fmt::format("{} points", exercise.max_points()),
                 shown_path(course, lab.folder / exercise.file_name()),
                 reached(progress, lab.id + "/" + exercise.id)});
    }
    out += table.text(2, style);
  }
  print(out);
  course::expect_no_mistakes(mistakes);
  return 0;
}

}  // namespace warpgrade::grader::cli

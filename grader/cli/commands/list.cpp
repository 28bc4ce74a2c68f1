// SPDX-License-Identifier: Apache-2.0
// `warpgrade list`: the labs and their exercises.
#include <fmt/format.h>

#include "common/base/text.h"
#include "grader/cli/commands/commands.h"
#include "grader/course/course.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader {

int run_list() {
  const auto course = read_course(find_root(), {});
  const auto style = style_of_stdout();
  std::string out;
  for (const auto& lab : course.labs) {
    if (!out.empty()) out += '\n';
    out +=
        fmt::format("{}: {}\n", style(Colour::kBold, lab.id), base::escape_controls(lab.summary));
    Columns table({true, true, false, true});
    for (const auto& exercise : lab.exercises) {
      table.add({lab.id + "/" + exercise.id, base::escape_controls(exercise.title),
                 fmt::format("{} points", exercise.max_points()),
                 shown_path(course, lab.folder / exercise.file_name())});
    }
    out += table.text(2, style);
  }
  print(out);
  return 0;
}

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
// `warpgrade hint`: shows the hints of an exercise one by one.
#include <fmt/format.h>

#include <algorithm>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/cli/commands/commands.h"
#include "grader/course/course.h"
#include "grader/text/program_call.h"
#include "grader/watch/seen_hints.h"

namespace warpgrade::grader::cli {

int run_hint(const HintOptions& options) {
  const auto course = course::read_course(course::find_root(), {options.exercise});
  const auto selected = select(course, {options.exercise});
  if (selected.size() != 1) {
    throw base::UsageError(fmt::format("'{}' has {} exercises: name one, such as {}/{}",
                                       base::escape_controls(options.exercise), selected.size(),
                                       selected.front().lab->id, selected.front().exercise->id));
  }
  const auto& exercise = *selected.front().exercise;
  const auto name = selected.front().lab->id + "/" + exercise.id;
  const auto key = (course.root / "labs" / name).string();
  const auto before = watch::seen_hints(watch::hints_file(), key);
  const auto count =
      std::clamp<std::size_t>(options.all ? exercise.hints.size() : before + (options.next ? 1 : 0),
                              1, exercise.hints.size());
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    out += base::escape_controls(exercise.shown_hint(i)) + '\n';
  }
  out += count < exercise.hints.size()
             ? fmt::format("The next one: {} hint {} --next\n", text::program_call(), name)
             : std::string("These are all.\n");
  if (count != before) watch::keep_seen_hints(watch::hints_file(), key, count);
  print(out);
  return 0;
}

}  // namespace warpgrade::grader::cli

// SPDX-License-Identifier: Apache-2.0
// `warpgrade grade`: submissions, the course's solutions, or one file.
#include <fmt/format.h>

#include "common/base/error.h"
#include "common/compile/compiler.h"
#include "grader/commands/commands.h"
#include "grader/course.h"
#include "grader/files.h"
#include "grader/render_json.h"
#include "grader/render_text.h"
#include "grader/session.h"

namespace warpgrade::grader {
namespace {

std::vector<Work> work_of(const GradeOptions& options, const Course& course) {
  const auto selected = select(course, options.selections);
  std::vector<Work> out;
  if (!options.file.empty()) {
    if (selected.size() != 1) {
      throw base::UsageError(fmt::format(
          "--file is the submission for one exercise, but {} are named; say LAB/EXERCISE",
          selected.size()));
    }
    // A wrong name on the command line is no exercise that could not be graded.
    static_cast<void>(compile::read_source(options.file));
    out.push_back(file_work(course, selected.front(), options.file));
    return out;
  }
  for (const auto& one : selected) {
    out.push_back(options.solutions ? solution_work(course, one) : student_work(course, one));
  }
  return out;
}

}  // namespace

int run_grade(const GradeOptions& options) {
  if (options.counters && options.backend == "sim") {
    throw base::UsageError(
        "--counters shows what a card counts, and --backend sim leaves the card out: the "
        "simulator's counters are in the report without it");
  }
  const auto course = read_course(find_root(), options.selections);
  std::vector<Work> work;
  for (const auto& one : work_of(options, course)) work.insert(work.end(), options.repeat, one);
  Session session(options.backend, options.device, options.seed);
  const auto report = session.grade(work, options.counters);
  std::vector<std::function<void()>> files;
  if (!options.json.empty()) {
    files.emplace_back([&] { write_atomically(options.json, render_json(report)); });
  }
  deliver(files, render_text(report, style_of_stdout()));
  return report.exit_code();
}

}  // namespace warpgrade::grader

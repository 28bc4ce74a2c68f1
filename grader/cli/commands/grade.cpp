// SPDX-License-Identifier: Apache-2.0
// `warpgrade grade`: submissions, the course's solutions, or one file.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <random>

#include "common/base/error.h"
#include "grader/cli/commands/commands.h"
#include "grader/cli/progress_bar.h"
#include "grader/cli/version.h"
#include "grader/course/course.h"
#include "grader/grade/grading_session.h"
#include "grader/html/render_html.h"
#include "grader/report/formats/formats.h"
#include "grader/report/render_json.h"
#include "grader/report/render_pictures.h"
#include "grader/report/render_summary.h"
#include "grader/report/render_text.h"
#include "grader/text/files.h"
#include "grader/watch/student_progress.h"

namespace warpgrade::grader::cli {
namespace {

// The tasks for one student's folder with files of several exercises; missing files are not graded.
std::vector<grade::GradingTask> tasks_in(const std::string& folder, const course::Course& course,
                                         const std::vector<course::Selected>& selected) {
  if (!std::filesystem::is_directory(folder)) throw base::UsageError(folder + ": no such folder");
  std::vector<grade::GradingTask> out;
  for (const auto& one : selected) {
    try {
      out.push_back(grade::folder_task(course, one, folder, {}));
    } catch (const base::UsageError& error) {
      const auto name = one.exercise->file_name();
      out.push_back({one.lab, one.exercise, {{}, name, {}, cases::Unreadable{error.what()}}});
    }
  }
  return out;
}

std::vector<grade::GradingTask> tasks_of(const GradeOptions& options,
                                         const course::Course& course) {
  const auto selected = select(course, options.selections);
  std::vector<grade::GradingTask> out;
  if (options.file.empty() && !options.folder.empty() && selected.size() != 1) {
    return tasks_in(options.folder, course, selected);
  }
  if (!options.file.empty() || !options.folder.empty()) {
    if (selected.size() != 1) {
      throw base::UsageError(fmt::format(
          "--file is the submission for one exercise, but {} are named; pass LAB/EXERCISE",
          selected.size()));
    }
    const auto& only = selected.front();
    if (!options.folder.empty()) {
      out.push_back(grade::folder_task(course, only, options.folder, options.file));
    } else if (std::filesystem::is_directory(options.file)) {
      out.push_back(grade::folder_task(course, only, options.file, {}));
    } else {
      out.push_back(grade::file_task(course, only, options.file));
    }
    // A wrong name on the command line is a usage error, not an exercise that could not be graded.
    const auto* unread = std::get_if<cases::Unreadable>(&out.front().submission.content);
    if (unread != nullptr) throw base::UsageError(unread->why);
    return out;
  }
  for (const auto& one : selected) {
    out.push_back(options.solutions ? grade::solution_task(course, one)
                                    : grade::student_task(course, one));
  }
  return out;
}

// For around_report(): a submission's author must not know it.
std::string secret_word() {
  std::random_device source;
  std::string out = "warpgrade-";
  for (int i = 0; i < 4; ++i) out += fmt::format("{:08x}", source());
  return out;
}

}  // namespace

int run_grade(const GradeOptions& options) {
  if (options.counters && options.backend == run::Backend::kSim) {
    throw base::UsageError(
        "--counters shows what a card counts, and --backend sim leaves the card out: the "
        "simulator's counters are in the report without it");
  }
  if (!options.format.empty()) report::require_format(options.format, report::process_environment);
  const auto course = course::read_course(course::find_root(), options.selections);
  std::vector<grade::GradingTask> tasks;
  for (const auto& one : tasks_of(options, course)) tasks.insert(tasks.end(), options.repeat, one);
  grade::GradingSession session(options.backend, options.device, options.seed, {}, options.gpu);
  auto report = [&] {
    ProgressBar progress;
    return session.grade(tasks, options.counters, options.ascii || !options.html.empty(),
                         [&](const grade::GradingProgress& now) { progress.show(now); });
  }();
  const bool is_own = !options.solutions && options.file.empty() && options.folder.empty();
  const auto not_kept =
      is_own ? watch::keep_progress(watch::progress_file(), course.root, report) : std::string();
  std::vector<std::function<void()>> files;
  if (!options.json.empty() || !options.html.empty() || !options.format.empty()) {
    report.provenance = provenance(std::chrono::system_clock::now());
  }
  if (!options.html.empty()) {
    files.emplace_back([&] { text::write_atomically(options.html, html::render(report)); });
  }
  if (!options.json.empty()) {
    files.emplace_back([&] { text::write_atomically(options.json, render_json(report)); });
  }
  if (!options.format.empty()) {
    files.emplace_back(
        [&] { text::write_atomically(options.out, render_format(options.format, report)); });
  }
  const auto style = text::style_of_stdout();
  auto text = options.brief ? render_brief(report, style) : render_text(report, style);
  if (options.ascii) {
    for (const auto& item : report.exercises) text += '\n' + render_pictures(item);
  }
  if (!not_kept.empty() && isatty(STDOUT_FILENO) == 1) {
    text += fmt::format("Your progress was not saved: {}\n", base::escape_controls(not_kept));
  }
  const auto around = around_report(options.format, report, secret_word());
  deliver(files, around.before + text + around.behind);
  return report.exit_code();
}

}  // namespace warpgrade::grader::cli

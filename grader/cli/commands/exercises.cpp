// SPDX-License-Identifier: Apache-2.0
// The commands for exercises: the overview, `warpgrade list`, `warpgrade hint`, `warpgrade explain`
// and `warpgrade grade`.
//
// In: the course, the student's progress, and submissions. Out: the labs and the next step, hints
// one by one, and the grades of submissions, of the course's solutions, or of one file. Grades
// are text, JSON, a page, or another program's format.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/cli/commands/commands.h"
#include "grader/cli/version.h"
#include "grader/course/course.h"
#include "grader/grade/grading_session.h"
#include "grader/html/render_html.h"
#include "grader/report/formats/formats.h"
#include "grader/report/render_gates.h"
#include "grader/report/render_json.h"
#include "grader/report/render_text.h"
#include "grader/text/files.h"
#include "grader/text/glossary.h"
#include "grader/text/messages.h"
#include "grader/watch/student_progress.h"

namespace warpgrade::grader::cli {

namespace fs = std::filesystem;

namespace {

// `warpgrade` without a command: prints the student's progress, the next step, and the way to
// help.

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
  if (!fs::is_regular_file(course.root / book, ignored)) return std::nullopt;
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
  if (fs::is_regular_file(course.root / chapter, ignored)) {
    const auto place = course.root / chapter_in_book(course, lab.id).value_or(chapter);
    table.add({"read", course::path_from_here(place)});
  }
  table.add({"edit", course::path_from_here(lab.folder / exercise.file_name())});
  table.add(
      {"grade", base::program_call() + " watch " + name + "   (at each save; h: a hint, q: quit)"});
  return out + table.text(2, style);
}

}  // namespace

int run_overview() {
  std::vector<std::string> mistakes;
  const auto course = course::read_usable_labs(course::find_working_root(), mistakes);
  const auto style = text::style_of_stdout();
  const auto progress = watch::read_progress(watch::progress_file(), course.root);
  auto out = fmt::format("warpgrade: course labs on GPU memory performance\n\n{}",
                         labs_table(course, progress, style));
  const auto next = watch::next_exercise(course, progress);
  out += next ? what_to_do(course, *next, style)
              : std::string("\nAll exercises are passed. Well done.\n");
  out +=
      fmt::format("\nAll exercises: {0} list. All commands: {0} --help.\n", base::program_call());
  if (!progress.empty()) {
    out += fmt::format("Your progress is kept in {}.\n",
                       base::escape_controls(watch::progress_file().string()));
  }
  print(out);
  course::expect_no_mistakes(mistakes);
  return 0;
}

namespace {

// `warpgrade list`: the labs and their exercises.

// "passed", or the most points so far; empty if the exercise was never graded.
std::string reached(const watch::StudentProgress& progress, const std::string& exercise) {
  const auto found = progress.find(exercise);
  if (found == progress.end()) return {};
  return found->second.passed ? "passed" : fmt::format("best so far: {}", found->second.best);
}

}  // namespace

int run_command(const ListOptions& /*options*/) {
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
                 course::path_from_here(lab.folder / exercise.file_name()),
                 reached(progress, lab.id + "/" + exercise.id)});
    }
    out += table.text(2, style);
  }
  print(out);
  course::expect_no_mistakes(mistakes);
  return 0;
}

// `warpgrade hint`: shows the hints of an exercise one by one.

namespace {

// The exercise that `options` name; otherwise the one that the overview names.
course::Selected exercise_of(const HintOptions& options, const course::Course& course) {
  if (options.exercise.empty()) {
    const auto progress = watch::read_progress(watch::progress_file(), course.root);
    if (const auto next = watch::next_exercise(course, progress)) return *next;
    throw base::UsageError(fmt::format(
        "you have passed all exercises; name one, such as `{} hint {}/{}`", base::program_call(),
        course.labs.front().id, course.labs.front().exercises.front().id));
  }
  const auto selected = select(course, {options.exercise});
  if (selected.size() != 1) {
    throw base::UsageError(fmt::format("'{}' has {} exercises: name one, such as {}/{}",
                                       base::escape_controls(options.exercise), selected.size(),
                                       selected.front().lab->id, selected.front().exercise->id));
  }
  return selected.front();
}

}  // namespace

int run_command(const HintOptions& options) {
  std::vector<std::string> named;
  if (!options.exercise.empty()) named.push_back(options.exercise);
  const auto course = course::read_course(course::find_working_root(), named);
  const auto selected = exercise_of(options, course);
  const auto& exercise = *selected.exercise;
  const auto name = selected.lab->id + "/" + exercise.id;
  const auto key = (course.root / "labs" / name).string();
  const auto before = watch::seen_hints(watch::hints_file(), key);
  const auto count =
      std::clamp<std::size_t>(options.all ? exercise.hints.size() : before + (options.next ? 1 : 0),
                              1, exercise.hints.size());
  const auto width = text::style_of_stdout().width();
  std::string out = options.exercise.empty() ? name + "\n" : "";
  for (std::size_t i = 0; i < count; ++i) {
    out += text::wrapped(base::escape_controls(exercise.shown_hint(i)), 0, /*hang=*/true, width);
  }
  out += count < exercise.hints.size()
             ? fmt::format("Next hint: {} hint {} --next\n", base::program_call(), name)
             : std::string("These are all hints.\n");
  if (count != before) watch::keep_seen_hints(watch::hints_file(), key, count);
  print(out);
  return 0;
}

int run_command(const ExplainOptions& options) {
  const auto word = text::joined(options.words, " ");
  const auto found = text::explained(word);
  if (found.empty()) {
    const auto near = text::nearest_terms(word);
    throw base::UsageError(fmt::format(
        "the glossary has no `{}`{}", base::escape_controls(word),
        near.empty()
            ? ""
            : fmt::format("; near {} {}", near.size() == 1 ? "is" : "are", text::joined(near))));
  }
  const auto style = text::style_of_stdout();
  std::string out;
  for (const auto* entry : found) {
    out += fmt::format("{} {}\n", style(text::Colour::kBold, text::joined(entry->terms)),
                       style(text::Colour::kDim, fmt::format("({})", entry->section)));
    out += text::wrapped(entry->meaning, 2, /*hang=*/false, style.width());
  }
  print(out);
  return 0;
}

namespace {

// `warpgrade grade`: submissions, the course's solutions, or one file.

// The tasks for one student's folder with files of several exercises; missing files are not graded.
std::vector<grade::GradingTask> tasks_in(const std::string& folder, const course::Course& course,
                                         const std::vector<course::Selected>& selected) {
  if (!fs::is_directory(folder)) throw base::UsageError(folder + ": no such folder");
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
    } else if (fs::is_directory(options.file)) {
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

// Names files of the course as a reader in the working folder finds them: relative to this folder,
// or whole. A report for programs has names relative to the course.
void name_files_from_here(report::Report& report, const course::Course& course) {
  for (auto& item : report.exercises) {
    const auto shown = item.file;
    const auto from_here = course::path_from_here(course.root / shown);
    const auto rename = [&](std::string& file) {
      if (file == shown) file = from_here;
    };
    for (auto* all : {&item.diagnostics, &item.race_warnings}) {
      for (auto& diagnostic : *all) rename(diagnostic.where.file);
    }
    for (auto& table : item.lines) {
      for (auto& line : table.lines) rename(line.file);
      for (auto& line : table.instructions) rename(line.file);
    }
    if (item.pictures) {
      for (auto& line : item.pictures->lines) rename(line.line.where.file);
    }
    rename(item.file);
  }
}

// After a pass: the next exercise, and the command for it.
std::string what_is_next(const report::Report& report, const fs::path& root) {
  const bool passed = std::ranges::all_of(
      report.exercises, [](const auto& item) { return item.verdict == report::Verdict::kPass; });
  if (!passed) return {};
  std::vector<std::string> ignored;
  const auto course = course::read_usable_labs(root, ignored);
  const auto& graded = report.exercises;
  const auto last = graded.empty() ? "" : graded.back().lab + "/" + graded.back().exercise;
  const auto next =
      watch::next_exercise(course, watch::read_progress(watch::progress_file(), root), last);
  if (!next) return "You have passed all exercises. Well done.\n";
  const auto name = next->lab->id + "/" + next->exercise->id;
  return fmt::format("Next exercise: {0}  ({1} watch {0})\n", name, base::program_call());
}

}  // namespace

int run_command(const GradeOptions& options) {
  if (options.counters && options.backend == run::Backend::kSim) {
    throw base::UsageError(
        "--counters shows what a card counts, and --backend sim leaves the card out: the "
        "simulator's counters are in the report without it");
  }
  if (!options.format.empty()) report::require_format(options.format, report::process_environment);
  // A named file needs only the manifests, which an installed course has, too.
  const bool is_own = !options.solutions && options.file.empty() && options.folder.empty();
  const bool needs_course = options.file.empty() && options.folder.empty();
  const auto root = needs_course ? course::find_working_root() : course::find_root();
  const auto course = course::read_course(root, options.selections);
  std::vector<grade::GradingTask> tasks;
  for (const auto& one : tasks_of(options, course)) tasks.insert(tasks.end(), options.repeat, one);
  grade::GradingSession session(options.backend, options.device, options.seed, {}, options.gpu);
  auto report = [&] {
    TransientLine line(std::chrono::milliseconds(500));
    const auto show = [&](const grade::GradingProgress& now) {
      // After a full line the terminal would start an empty one.
      line.show(progress_line(now, text::style_of_stdout().width() - 1));
    };
    return session.grade(tasks, options.counters, options.ascii || !options.html.empty(), show);
  }();
  const auto not_kept =
      is_own ? watch::keep_progress(watch::progress_file(), course.root, report) : std::string();
  std::vector<std::function<void()>> files;
  if (!options.json.empty() || !options.html.empty() || !options.format.empty()) {
    report.provenance = provenance(std::chrono::system_clock::now());
  }
  if (!options.html.empty()) {
    files.emplace_back([&] { write_or_print(options.html, html::render(report)); });
  }
  if (!options.json.empty()) {
    files.emplace_back([&] { write_or_print(options.json, render_json(report)); });
  }
  if (!options.format.empty()) {
    files.emplace_back([&] { write_or_print(options.out, render_format(options.format, report)); });
  }
  const auto style = text::style_of_stdout();
  auto shown = report;
  if (needs_course) name_files_from_here(shown, course);
  auto text = options.brief ? render_brief(shown, style) : render_text(shown, style);
  if (options.ascii) {
    for (const auto& item : shown.exercises) text += '\n' + render_pictures(item);
  }
  if (is_own) text += what_is_next(report, course.root);
  if (!options.html.empty()) text += page_line(options.html);
  if (!not_kept.empty() && isatty(STDOUT_FILENO) == 1) {
    text += fmt::format("Your progress was not saved: {}\n", base::escape_controls(not_kept));
  }
  const auto around = around_report(options.format, report, secret_word());
  const bool is_alone = prints_a_file({options.json, options.html, options.out});
  deliver(files, is_alone ? std::string() : around.before + text + around.behind);
  return report.exit_code();
}

}  // namespace warpgrade::grader::cli

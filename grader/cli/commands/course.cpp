// SPDX-License-Identifier: Apache-2.0
// The commands for the course itself: `warpgrade init`, `pack`, `new` and `check`.
//
// `init` and `pack` write a course for students, with the same figures and book; `pack` also
// proves that it works and keeps its secrets. `new` starts an exercise. `check` lets the course
// check itself, by default in the simulator, so that every machine agrees.

#include "grader/course/course.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "common/base/child_process.h"
#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/author/course_check.h"
#include "grader/author/new_exercise.h"
#include "grader/author/pack.h"
#include "grader/cli/commands/commands.h"
#include "grader/cli/version.h"
#include "grader/course/manifest.h"
#include "grader/grade/grading_session.h"
#include "grader/report/formats/course_servers.h"
#include "grader/report/render_gates.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::cli {
namespace {

// The parts of a students' course that are made and not copied: the figures of its chapters and
// their book. `pack` and `init` add the same ones.

/// What happens if a figure cannot be drawn, for example because gnuplot is missing.
enum class WithoutFigures { kFails, kWarns };

}  // namespace

namespace fs = std::filesystem;

/// Adds the figures and the book that `folder` lacks, and prints its progress. `drawn` is a folder
/// of finished figures, or empty. Returns the number of figures that the chapters show.
static std::size_t complete_chapters(const course::Course& course, const fs::path& folder,
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

namespace {

// `warpgrade init FOLDER`: makes a folder to work in, for users with an installed program. It
// contains the labs, their chapters with figures and book, and the students' README, but no lab
// whose manifest has a mistake. An installed course has the figures and the book, so they are
// copied. The folder is written under another name and then renamed, so it is never incomplete.

// Removes an unfinished folder, unless it has been renamed.
struct UnfinishedFolder {
  explicit UnfinishedFolder(fs::path folder) : path(std::move(folder)) {}
  UnfinishedFolder(const UnfinishedFolder&) = delete;
  UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;
  ~UnfinishedFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

}  // namespace

int run_command(const InitOptions& options) {
  std::vector<std::string> mistakes;
  const auto course = course::read_usable_labs(course::find_root(), mistakes);
  auto folder = fs::absolute(options.folder).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  const auto shown = base::escape_controls(folder.string());
  std::error_code failure;
  if (fs::exists(fs::symlink_status(folder, failure))) {
    throw base::UsageError(shown + " is there already; name a new folder");
  }
  const UnfinishedFolder unfinished(folder.string() + fmt::format(".unfinished-{}", getpid()));
  // The new folder has no wrapper, and a relative path to one would be wrong from there.
  auto call = base::program_call();
  if (call.find('/') != std::string::npos) call = fs::absolute(call).lexically_normal().string();
  call = text::shell_word(call);
  const auto packed = author::write_course_folder(course, unfinished.path, call);
  complete_chapters(course, unfinished.path, options.figures, WithoutFigures::kWarns);
  fs::rename(unfinished.path, folder, failure);
  if (failure) {
    throw base::ToolError(fmt::format("{}: cannot be written: {}", shown, failure.message()));
  }
  print(fmt::format("{}: {} labs, {} files\nnext: cd {} && {}\n", shown, course.labs.size(),
                    packed.files, text::shell_word(shown), call));
  course::expect_no_mistakes(mistakes);
  return 0;
}

namespace {

// `warpgrade pack FOLDER`: makes the student's course, and proves that it works and keeps its
// secrets.

// Runs `folder`/warpgrade with one argument and without its report; the exit code.
int run_packed(const fs::path& folder, std::string argument) {
  auto program = (folder / "warpgrade").string();
  std::array<char*, 3> arguments = {program.data(), argument.data(), nullptr};
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    // The packed tree is built in its own place, with its own settings.
    if (!std::string_view(*variable).starts_with("WARPGRADE_")) environment.push_back(*variable);
  }
  environment.push_back(nullptr);
  pid_t child = 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const int error =
      posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw base::ToolError(fmt::format("{}: cannot be started: {}", base::escape_controls(program),
                                      std::strerror(error)));
  }
  const int status = base::wait_for(child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The packed program lists its labs and grades its skeletons, which must fail and not break it.
std::vector<std::string> failures_of(const fs::path& folder) {
  std::vector<std::string> out;
  if (const int code = run_packed(folder, "list"); code != 0) {
    out.push_back(fmt::format("`./warpgrade list` exits with {} in it", code));
  } else if (const int graded = run_packed(folder, "grade"); graded != 1) {
    out.push_back(fmt::format("`./warpgrade grade` exits with {} on the skeletons, not 1", graded));
  }
  std::error_code ignored;
  for (const auto* made : {"build", ".venv"}) fs::remove_all(folder / made, ignored);
  return out;
}

}  // namespace

int run_command(const PackOptions& options) {
  const auto course = course::read_course(course::find_root(), options.labs);
  const auto folder = fs::absolute(options.folder);
  const auto packed = author::pack(course, folder);
  // Students may commit the folder to their own repository, whose commits do not identify the
  // grader.
  text::write_atomically(folder / ".commit", fmt::format("{}\n", commit()));
  const auto figures = complete_chapters(course, folder, options.figures, WithoutFigures::kFails);
  auto findings = author::leaks(course, folder);
  for (auto& finding : author::missing_figures(folder)) findings.push_back(std::move(finding));
  if (findings.empty() && !options.skip_build) {
    print("building the packed course; this takes a few minutes\n");
    findings = failures_of(folder);
  }
  std::string out;
  for (const auto& finding : findings) out += finding + '\n';
  out += fmt::format("{}: {} files, {} figures, {} secret cases taken out, {} findings{}\n",
                     base::escape_controls(options.folder), packed.files, figures,
                     packed.secret_cases, findings.size(), options.skip_build ? "; not built" : "");
  print(out);
  return findings.empty() ? 0 : 1;
}

namespace {

// `warpgrade new LAB/EXERCISE`: starts an exercise in a lab of the course, or a new lab.
//
// An installed program never changes the course that was installed with it. If neither the working
// folder nor a folder above it contains a course, the command starts one there.

fs::path root_to_extend() {
  if (const auto* given = std::getenv("WARPGRADE_ROOT"); given != nullptr && *given != '\0') {
    return fs::absolute(given);
  }
  if (auto found = course::find_own_root()) return *found;
  return fs::current_path();
}

}  // namespace

int run_command(const NewOptions& options) {
  const auto root = root_to_extend();
  const auto call = base::program_call();
  const auto files = author::compose_exercise(root, options.exercise, call);
  author::write_exercise(root, files);
  std::string out;
  for (const auto& file : files) {
    out += fmt::format("{} {}\n", file.is_extended ? "extended" : "created ",
                       file.path.generic_string());
  }
  out += fmt::format("next: replace each text that begins with FILL IN; `{} check {}` lists them\n",
                     call, options.exercise.substr(0, options.exercise.find('/')));
  print(out);
  return 0;
}

namespace {

// `warpgrade check`: the course checks itself, by default in the simulator, so that every machine
// agrees; or on this machine's GPU, which also shows its bounds on speed.

std::string_view expected(const author::Expectation& expectation) {
  switch (expectation.kind) {
    case author::Expectation::Kind::kSkeleton:
      return "fail";
    case author::Expectation::Kind::kSolution:
      return "full points";
    case author::Expectation::Kind::kWrong:
      return name(expectation.claim.reason);
  }
  return {};
}

// The values that each gate lets through and stops.
std::string margin_table(const std::vector<author::Margin>& all,
                         std::vector<std::string>& findings) {
  text::Columns table({true, true, true, false, true, false, true});
  table.add({"exercise", "gate", "device", "solution", "bound", "best outside", "which is"});
  for (std::size_t column = 0; column < 7; ++column) table.colour(0, column, text::Colour::kDim);
  for (const auto& margin : all) {
    const auto& gate = margin.gate;
    table.add({margin.exercise, gate.definition.id, gate.definition.device,
               margin.solution ? text::number(*margin.solution) : "-",
               gate.waiver ? "waived" : render_bound(gate.deciding_bounds()),
               margin.best_outside ? text::number(*margin.best_outside) : "-",
               margin.best_outside_file});
    if (gate.waiver) continue;
    for (auto& finding : author::too_near(margin)) findings.push_back(std::move(finding));
  }
  return table.text(0, text::style_of_stdout());
}

// On a GPU: its name, and the gates that it cannot decide.
std::string remarks_on_gpu(const std::vector<author::Expectation>& all,
                           const report::Report& report) {
  std::string out;
  if (report.backend != run::Backend::kGpu) return out;
  for (const auto& note : report.notes) out += note + '\n';
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind != author::Expectation::Kind::kSolution) continue;
    const auto& graded = report.exercises[i];
    for (const auto& warning : graded.warnings) {
      out += fmt::format("{}/{}: {}\n", graded.lab, graded.exercise, warning);
    }
  }
  return out;
}

// Measures the skeletons that `options` select and writes the values of each lab's file.
void write_skeleton_values(const CheckOptions& options) {
  auto course = course::read_course(course::find_working_root(), options.selections);
  std::vector<grade::GradingTask> tasks;
  for (const auto& selected : select(course, options.selections)) {
    auto task = grade::student_task(course, selected);
    const bool is_kernel = selected.exercise->kernel() != nullptr;
    if (is_kernel && std::filesystem::is_regular_file(task.submission.file)) {
      tasks.push_back(std::move(task));
    }
  }
  grade::GradingSession session(run::Backend::kSim, "", cases::kDefaultSeed);
  const auto report = session.grade(tasks);
  for (auto& lab : course.labs) {
    for (auto& exercise : lab.exercises) {
      for (std::size_t i = 0; i < tasks.size(); ++i) {
        if (tasks[i].exercise != &exercise) continue;
        author::take_skeleton_values(report.exercises[i],
                                     std::get<course::KernelExercise>(exercise.form));
      }
    }
    const auto file = lab.folder / course::kSkeletonValuesFile;
    const auto after = skeleton_values_text(lab);
    const bool is_there = std::filesystem::is_regular_file(file);
    const auto before = is_there ? text::read_file(file, file.string()) : std::string();
    if (after != before) text::write_atomically(file, after);
  }
}

}  // namespace

int run_command(const CheckOptions& options) {
  if (options.write) write_skeleton_values(options);
  const auto course = course::read_course(course::find_working_root(), options.selections);
  auto findings = author::places_to_fill_in(course);
  auto all = author::expectations(course, findings);
  const auto selected = select(course, options.selections);
  std::erase_if(all, [&](const author::Expectation& one) {
    return std::none_of(selected.begin(), selected.end(), [&](const course::Selected& wanted) {
      return wanted.exercise == one.task.exercise;
    });
  });
  std::vector<grade::GradingTask> tasks;
  for (const auto& one : all) tasks.push_back(one.task);
  grade::GradingSession session(options.backend, "", cases::kDefaultSeed, {}, options.gpu);
  const auto report = session.grade(tasks);

  // Findings about the course as a whole come first; each graded file adds a test of its own.
  std::vector<report::CheckedFile> checked;
  for (const auto& finding : findings) {
    checked.push_back({"course", finding.substr(0, finding.find(':')), {finding}});
  }
  text::Columns table({true, true, true, false, true});
  table.add({"file", "expected", "reason", "points"});
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& graded = report.exercises[i];
    const auto broken = author::broken_expectation(all[i], graded);
    const auto row = table.size();
    table.add({graded.file, std::string(expected(all[i])), std::string(name(graded.reason)),
               fmt::format("{}/{}", graded.points, graded.max_points),
               broken.empty() ? "ok" : "NO"});
    table.colour(row, 4, broken.empty() ? text::Colour::kGreen : text::Colour::kRed);
    if (!broken.empty()) findings.push_back(fmt::format("{}: {}", graded.file, broken));
    checked.push_back({graded.lab, graded.file, {}});
    if (!broken.empty()) checked.back().findings.push_back(broken);
  }
  const auto before_margins = findings.size();
  auto out = table.text(0, text::style_of_stdout());
  const auto found = author::margins(all, report.exercises);
  out += '\n' + margin_table(found, findings) + '\n';
  for (const auto& margin : found) {
    if (const auto text = author::too_wide(margin); !text.empty()) out += text + '\n';
  }
  out += remarks_on_gpu(all, report);
  for (const auto& finding : findings) out += finding + '\n';
  out += fmt::format("{} submissions checked, {} findings\n", all.size(), findings.size());
  for (auto i = before_margins; i < findings.size(); ++i) {
    checked.push_back({"bounds", findings[i].substr(0, findings[i].find(':')), {findings[i]}});
  }
  std::vector<std::function<void()>> files;
  if (!options.junit.empty()) {
    files.push_back([&] { text::write_atomically(options.junit, report::render_junit(checked)); });
  }
  deliver(files, out);
  return findings.empty() ? 0 : 1;
}

}  // namespace warpgrade::grader::cli

// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/command_model.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "common/base/text.h"
#include "common/gpu/ncu.h"
#include "grader/cli/commands/commands.h"
#include "grader/cli/help.h"
#include "grader/cli/version.h"
#include "grader/course/manifest.h"
#include "grader/report/formats/formats.h"
#include "grader/text/messages.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::cli {
namespace {

// Options whose value is a whole number.

/// A whole number from `least` on, as parse_count() reads it: CLI11 reads a leading zero as octal,
/// and wraps negative or too large numbers.
template <typename T>
CLI::Option* add_number(CLI::App& command, const std::string& name, T& value,
                        const std::string& description, T least = 0) {
  const auto read = [name, least, &value](const CLI::results_t& given) {
    constexpr auto kMost = std::numeric_limits<T>::max();
    const auto number = text::parse_count(given.front());
    if (!number || *number < least || *number > kMost) {
      throw CLI::ValidationError(name,
                                 fmt::format("{}: must be a whole number from {} to {}",
                                             base::escape_controls(given.front()), least, kMost));
    }
    value = static_cast<T>(*number);
    return true;
  };
  return command.add_option(name, read, description)->type_name("N");
}

// `warpgrade class` and the processes that it starts, as part of the command line's model.

CLI::Option* add_class_format(CLI::App& command, ClassOptions& options) {
  return command
      .add_option(
          "--format", options.format,
          "Program that reads the file; html: a page of the class for the instructor; similar: "
          "near-copies, as CSV")
      ->check(CLI::IsMember({"csv", "canvas", "moodle", "blackboard", "brightspace", "roster",
                             "nbgrader", "html", "similar"}));
}

void add_class_run(CLI::App& parent, ClassOptions& options) {
  auto* command = parent.add_subcommand("run", "Grade submissions into the grade book");
  command->add_option("BOOK", options.book, "Grade book; created if missing")->required();
  command
      ->add_option("SUBMISSIONS", options.submissions,
                   "Folder with one folder per student, or the archive of a platform; class.toml "
                   "is beside it")
      ->required();
  command->add_option("--engine", options.engine, "Where the workers run (default: local)")
      ->check(CLI::IsMember({"local", "slurm"}));
  add_number<std::size_t>(*command, "--workers", options.workers,
                          "Number of workers (default: one per core)", 1);
  const auto choose = [&](const std::string& text) { options.backend = run::backend_called(text); };
  command
      ->add_option_function<std::string>(
          "--backend", choose, "Simulate or use the GPU (default: auto, the GPU if available)")
      ->check(CLI::IsMember({"auto", "sim", "gpu"}));
  command->add_option("--only", options.students, "Only this student's submissions")
      ->type_name("STUDENT")
      ->allow_extra_args(false);
  command->add_option("--policy", options.policy, "Attempt that counts (default: class.toml's)")
      ->check(CLI::IsMember({"latest", "best", "first"}));
  command->add_flag("--retry", options.retry, "Retry submissions that could not be judged");
  command->add_flag("--strict", options.strict,
                    "Leave a grade open if the card cannot decide one of its gates");
}

// Commands that change one student's grade; the book keeps person, time and reason.
void add_class_changes(const std::function<CLI::App*(const char*, const char*)>& add,
                       ClassOptions& options) {
  const auto add_reason = [&](CLI::App& command) {
    command.add_option("--by,--who", options.who, "Name of the person who decided it")->required();
    command.add_option("--why", options.why, "Reason; the student reads it")->required();
  };
  auto* command = add("extend", "Move a student's deadline; late deductions change at once");
  command->add_option("STUDENT", options.student, "Student with the extension")->required();
  command->add_option("LAB[/EXERCISE]", options.exercise, "Exercises (default: all)");
  auto* until =
      command->add_option("--until", options.until, "New deadline, in the class's time zone")
          ->type_name("TIME");
  command->add_flag("--remove", options.remove, "Withdraw the extension")->excludes(until);
  add_reason(*command);
  command = add("excuse", "Excuse a student: no points, and no zero");
  command->add_option("STUDENT", options.student, "Student to excuse")->required();
  command->add_option("LAB[/EXERCISE]", options.exercise, "Exercises (default: all)");
  command->add_flag("--remove", options.remove, "Withdraw the excuse");
  add_reason(*command);
  command = add("adjust", "Set a student's points by hand, or add a bonus");
  command->add_option("STUDENT", options.student, "Student")->required();
  command->add_option("LAB/EXERCISE", options.exercise, "Exercise")->required();
  auto* points = command->add_option("--points", options.points, "Points that count");
  auto* bonus = command->add_option("--bonus", options.bonus,
                                    "Extra points, which may exceed the maximum; 0 withdraws them");
  command->add_flag("--withdraw,--remove", options.remove, "Withdraw points and bonus")
      ->excludes(points)
      ->excludes(bonus);
  add_reason(*command);
}

}  // namespace

/// `class run`, `class status` and the others.
static void add_class(CLI::App& app, ClassOptions& options) {
  auto* parent = app.add_subcommand("class", "Grade a whole class into one grade book");
  parent->require_subcommand(1);
  add_class_run(*parent, options);
  const auto add = [&](const char* name, const char* description) {
    auto* command = parent->add_subcommand(name, description);
    command->add_option("BOOK", options.book, "Grade book")->required();
    return command;
  };
  add("status", "Show points by exercise, open tasks and remarks");
  auto* command = add("export", "Write the grades for another program");
  add_class_format(*command, options)->required();
  command->add_option("--out", options.out, "Output file")->required();
  command->add_option("--feedback", options.feedback,
                      "The folder of `class feedback`: the page links to it");
  command = add("feedback", "Write one folder with feedback per student");
  command->add_option("FOLDER", options.out, "Output folder; created if missing")->required();
  add_class_changes(add, options);
  command = add("match", "Assign work under another name to a student, for all runs");
  command->add_option("KEY", options.given, "Name in the submissions")->required();
  auto* student = command->add_option("STUDENT", options.student, "Student of the roster");
  auto* guest =
      command->add_flag("--guest", options.guest, "The roster does not have this student");
  command->add_flag("--remove", options.remove, "Withdraw the decision")
      ->excludes(student)
      ->excludes(guest->excludes(student));
  command->add_option("--by", options.who, "Name of the person who decided it");
  command->add_option("--why", options.why, "Reason");
  command = add("explain", "Print every file of a student, its use, and the grades that count");
  command->add_option("STUDENT", options.student, "Student")->required();
  command->add_option("--json", options.out, "Write JSON to this file instead");
  command = add("forget", "Remove a student from all exports; adjustments are kept");
  command->add_option("STUDENT", options.student, "Student to remove")->required();
}

/// Hidden commands: the processes of a class.
static void add_class_processes(CLI::App& app, ClassWorkerOptions& options) {
  auto* worker = app.add_subcommand("class-worker")->group("");
  worker->add_option("SPOOL", options.spool)->required();
  worker->add_option("NAME", options.name)->required();
  worker->add_option("BACKEND", options.backend)->required();
  worker->add_flag("--bubblewrap", options.bubblewrap);
  worker->add_flag("--local", options.local);
  app.add_subcommand("class-card")->group("");
  auto* judge = app.add_subcommand("class-judge")->group("");
  judge->add_option("BACKEND", options.backend)->required();
  auto* unpack = app.add_subcommand("class-unpack")->group("");
  unpack->add_option("ZONE", options.zone, "Time zone of local times")->required();
  app.add_subcommand("class-names")->group("");
}

namespace {

void add_gpu(CLI::App& command, std::optional<int>& gpu) {
  const auto choose = [&gpu](const std::string& text) {
    const auto number = text::parse_count(text);
    if (!number || *number > std::numeric_limits<int>::max()) {
      throw CLI::ValidationError(
          "--gpu", base::escape_controls(text) + ": must be the number of a GPU, from 0 on");
    }
    gpu = static_cast<int>(*number);
  };
  command
      .add_option_function<std::string>("--gpu", choose, "Number of the GPU, as the driver counts")
      ->type_name("N");
}

// An empty name is never intended: a script's variable may be empty.
void refuse_empty_texts(CLI::App& app) {
  const CLI::Validator not_empty(
      [](const std::string& text) { return std::string(text.empty() ? "must not be empty" : ""); },
      "");
  for (auto* command : app.get_subcommands([](CLI::App*) { return true; })) {
    for (auto* option : command->get_options()) {
      if (option->get_items_expected_max() > 0) option->check(not_empty);
    }
    refuse_empty_texts(*command);
  }
}

void add_grade(CLI::App& app, GradeOptions& options) {
  auto* command = app.add_subcommand(
      "grade", "Grade your files, with counters, simulated speed and advice (default: all labs)");
  command->add_option("LAB[/EXERCISE]", options.selections,
                      "Labs or exercises, such as coalescing or coalescing/copy");
  auto* solutions =
      command->add_flag("--solutions", options.solutions, "Grade the course's own solutions");
  command->add_option("--file", options.file, "File or folder to grade, for a single exercise")
      ->excludes(solutions);
  command
      ->add_option("--folder", options.folder,
                   "Folder of the submission, which contains --file or the files of all graded "
                   "exercises; #include reaches all of it")
      ->excludes(solutions);
  const auto choose = [&](const std::string& text) { options.backend = run::backend_called(text); };
  command
      ->add_option_function<std::string>(
          "--backend", choose, "Simulate or use the GPU (default: auto, the GPU if available)")
      ->check(CLI::IsMember({"auto", "sim", "gpu"}));
  add_gpu(*command, options.gpu);
  command->add_option("--device", options.device,
                      "Check only gates for this profile (gpu: only measured gates)");
  add_number(*command, "--seed", options.seed, "Seed of the inputs");
  command->add_flag("--counters", options.counters,
                    "Show the GPU's own counters beside the simulator's");
  command->add_flag("--brief", options.brief, "Print one line per exercise");
  command->add_option("--json", options.json, "Also write the report to this file, as JSON");
  command->add_option("--html", options.html,
                      "Also write a page with pictures of the kernel's accesses to this file");
  command->add_flag("--ascii", options.ascii, "Also show these pictures as text");
  auto* format =
      command->add_option("--format", options.format, "Format of the report for another program")
          ->check(CLI::IsMember(report::format_names()));
  auto* out = command->add_option("--out", options.out, "The file for --format")->needs(format);
  format->needs(out);
  // For tests/gpu/repeat_grades.py.
  add_number<std::size_t>(*command, "--repeat", options.repeat, "Grade each so many times", 1)
      ->group("");
}

void add_profile(CLI::App& app, ProfileOptions& options) {
  auto* command = app.add_subcommand(
      "profile", "Run any kernel once, or a sequence of launches, and show its counters and time");
  command->add_option("FILE", options.file, "CUDA C++ file with the kernel")->required();
  auto* sequence = command->add_option(
      "--sequence", options.sequence,
      "TOML file with buffers and several launches, which count as one; instead of "
      "--kernel and the other options of a launch");
  command->add_option("--kernel", options.kernel, "Name, or instance such as reduce<4>")
      ->excludes(sequence);
  command->add_option("--grid", options.grid, "Blocks of the grid")->excludes(sequence);
  command->add_option("--block", options.block, "Threads of a block")->excludes(sequence);
  add_number(*command, "--shared", options.shared_bytes,
             "Dynamic shared memory in bytes (default: 0)")
      ->excludes(sequence);
  command
      ->add_flag("--cooperative", options.cooperative,
                 "Cooperative launch: all blocks are resident, for grid.sync()")
      ->excludes(sequence);
  command->add_option("--cluster", options.cluster, "Blocks of a thread block cluster")
      ->excludes(sequence);
  command->add_option("--device", options.device, "GPU to simulate, see `devices` (default: h200)");
  const auto choose = [&](const std::string& text) {
    options.backend = run::backend_called(text).value_or(run::Backend::kSim);
  };
  command
      ->add_option_function<std::string>("--backend", choose,
                                         "Simulate or use the GPU (default: sim)")
      ->check(CLI::IsMember({"sim", "gpu"}));
  add_gpu(*command, options.gpu);
  command
      ->add_option("--arg", options.arguments,
                   "One per parameter, in order. Scalars: f32:1.5, i32:5, or int:5 in the "
                   "parameter's width. Buffers: in:TYPE:COUNT:INIT, inout:TYPE:COUNT:INIT, "
                   "out:TYPE:COUNT, or same:INDEX for an earlier one; INIT is zeros, iota, "
                   "random:SEED or file:PATH. Structs: struct:HEXBYTES, with &INDEX between commas "
                   "for an address")
      ->allow_extra_args(false)
      ->excludes(sequence);
  command
      ->add_option("--symbol", options.symbols,
                   "Set a __constant__ or __device__ variable; SPEC is a buffer as in --arg")
      ->allow_extra_args(false)
      ->excludes(sequence);
  command->add_option("-I", options.include_folders, "Folder of headers for #include")
      ->type_name("FOLDER")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--dump", options.dumps,
          "Write the buffer of this parameter, or of the sequence, to a file; INDEX.0 is a "
          "struct's first address, and NAME=FILE a variable of --symbol")
      ->allow_extra_args(false);
  command
      ->add_option("--compiler-option", options.compiler_options,
                   "Option of NVRTC, such as -DN=4, -std=c++20 or --use_fast_math")
      ->allow_extra_args(false);
  command->add_option("--list-symbols", options.list_symbols,
                      "Only write the variables of the file to this file, as JSON");
  command->add_option("--json", options.json, "Also write the report to this file, as JSON");
  command->add_option("--html", options.html, "Also write a page with pictures to this file");
}

void add_study(CLI::App& app, StudyOptions& options) {
  auto* command = app.add_subcommand(
      "study", "Run kernels over many sizes and print the results beside published ones");
  command
      ->add_option("NAME|FILE.toml", options.study,
                   "A study in the folder studies, or your own file")
      ->required();
  command->add_option("--device", options.device,
                      "GPU to simulate (default: the devices of the study)");
  command->add_option("--csv", options.csv, "Also write all runs to this file");
  command->add_option("--svg", options.svg, "Draw the figure to this file (needs gnuplot)");
}

void add_occupancy(CLI::App& app, OccupancyOptions& options) {
  auto* command = app.add_subcommand(
      "occupancy", "Print how many blocks fit on a multiprocessor, and what limits them");
  command->add_option("--device", options.device, "GPU, see `devices`")->required();
  add_number(*command, "--block", options.block, "Threads per block")->required();
  add_number(*command, "--registers", options.registers, "Registers per thread")->required();
  add_number(*command, "--shared", options.shared_bytes, "Shared bytes per block")->required();
}

void add_figures_folder(CLI::App& command, std::string& folder) {
  command
      .add_option("--figures", folder,
                  "Copy the chapters' figures from this folder instead of drawing them")
      ->check(CLI::ExistingDirectory);
}

void add_pack(CLI::App& app, PackOptions& options) {
  auto* command = app.add_subcommand("pack", "Write the student's course into a new folder");
  command->add_option("FOLDER", options.folder, "The new folder")->required();
  command->add_option("--labs", options.labs, "Hand out these labs only, separated by commas")
      ->delimiter(',');
  command->add_flag("--skip-build", options.skip_build, "Skip the test build of the new folder");
  add_figures_folder(*command, options.figures);
}

void add_init(CLI::App& app, InitOptions& options) {
  auto* command = app.add_subcommand(
      "init", "Write the course into a new folder to work in: skeletons and chapters");
  command->add_option("FOLDER", options.folder, "The new folder")->required();
  add_figures_folder(*command, options.figures);
}

void add_new(CLI::App& app, NewOptions& options) {
  auto* command =
      app.add_subcommand("new", "Start a new exercise, in a new lab or an existing one");
  command->add_option("LAB/EXERCISE", options.exercise, "Name of the new exercise")->required();
}

void add_hint(CLI::App& app, HintOptions& options) {
  auto* command = app.add_subcommand("hint", "Show the hints of an exercise, one more at a time");
  command->add_option("LAB/EXERCISE", options.exercise, "Exercise, such as coalescing/copy")
      ->required();
  auto* next = command->add_flag("--next", options.next, "Show one more hint than before");
  command->add_flag("--all", options.all, "Show all hints of the exercise")->excludes(next);
}

void add_check(CLI::App& app, CheckOptions& options) {
  auto* command = app.add_subcommand(
      "check", "Check the course: skeletons fail, solutions pass, wrong ones fail");
  command->add_option("LAB[/EXERCISE]", options.selections, "Exercises to check");
  const auto choose = [&](const std::string& text) {
    options.backend = run::backend_called(text).value_or(run::Backend::kSim);
  };
  command
      ->add_option_function<std::string>(
          "--backend", choose,
          "Simulate (default), or measure on the GPU and set the bounds on speed for it")
      ->check(CLI::IsMember({"sim", "gpu"}));
  command->add_flag("--write", options.write,
                    "First measure the skeletons and write labs/LAB/skeletons.toml");
  add_gpu(*command, options.gpu);
}

void add_watch(CLI::App& app, WatchOptions& options) {
  auto* command = app.add_subcommand("watch", "Grade an exercise again whenever its file is saved");
  command->add_option("LAB[/EXERCISE]", options.selections,
                      "Exercises to work through (default: all)");
  const auto choose = [&](const std::string& text) { options.backend = run::backend_called(text); };
  command
      ->add_option_function<std::string>("--backend", choose,
                                         "Simulate or use the GPU (default: sim)")
      ->check(CLI::IsMember({"auto", "sim", "gpu"}));
  command->add_option("--html", options.html,
                      "Also write each report to this page, which reloads by itself");
}

// For scripts of this project and of shells, not for people: no help lists them.
void add_hidden(CLI::App& app, CommandModel& model) {
  auto* counted = app.add_subcommand(gpu::kCountedLaunchCommand)->group("");
  counted->add_option("FILE", model.counted_launch)->required();
  add_gpu(*counted, model.device_gpu);
  auto* completion = app.add_subcommand("completion")->group("");
  completion->add_option("SHELL", model.shell)->required()->check(CLI::IsMember({"bash"}));
  app.add_subcommand("man-page")->group("");
  add_class_processes(app, model.class_worker);
}

}  // namespace

CommandModel::CommandModel()
    : app("Course labs on GPU memory performance, graded with or without a GPU", "warpgrade") {
  app.require_subcommand(1);
  app.set_version_flag("--version", version_line(), "Print the version and the commit, and exit");
  app.add_subcommand("list", "List labs and exercises");
  add_grade(app, grade);
  add_hint(app, hint);
  add_watch(app, watch);
  add_init(app, init);
  add_profile(app, profile);
  add_study(app, study);
  auto* devices = app.add_subcommand("devices", "List the GPU profiles, or print one");
  auto* shown = devices->add_option(
      "NAME", device, "GPU profile, or your own file FILE.toml (default: a table of all)");
  devices
      ->add_option("--from-gpu", device_file,
                   "Measure this machine's GPU and write its profile to FILE")
      ->type_name("FILE")
      ->excludes(shown);
  add_gpu(*devices, device_gpu);
  add_occupancy(app, occupancy);
  auto* card =
      app.add_subcommand("calibrate", "Measure this machine's GPU for grading (takes minutes)");
  card->add_option("--json", calibrate.json, "Write to this file instead of the cache");
  add_gpu(*card, calibrate.gpu);
  add_new(app, new_exercise);
  add_check(app, check);
  add_pack(app, pack);
  add_class(app, class_);
  add_hidden(app, *this);
  refuse_empty_texts(app);
  set_help(app, text::program_call(), text::style_of_stdout().width());
}

std::vector<const CLI::App*> CommandModel::commands() const {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

}  // namespace warpgrade::grader::cli

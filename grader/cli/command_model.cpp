// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/command_model.h"

#include <fmt/format.h>

#include <limits>
#include <string>

#include "common/base/text.h"
#include "common/gpu/counted_launch.h"
#include "grader/cli/class_model.h"
#include "grader/cli/help.h"
#include "grader/cli/number_option.h"
#include "grader/cli/version.h"
#include "grader/report/formats/formats.h"
#include "grader/text/program_call.h"
#include "grader/text/scalars.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::cli {
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

// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <limits>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/gpu/counted_launch.h"
#include "grader/cli/commands/commands.h"
#include "grader/text/scalars.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader {
namespace {

// A whole number from `least` on, as parse_count() reads it: CLI11 takes a leading zero for octal,
// and wraps around what is negative or too large.
template <typename T>
CLI::Option* add_number(CLI::App& command, const std::string& name, T& value,
                        const std::string& description, T least = 0) {
  const auto read = [name, least, &value](const CLI::results_t& given) {
    constexpr auto kMost = std::numeric_limits<T>::max();
    const auto number = parse_count(given.front());
    if (!number || *number < least || *number > kMost) {
      throw CLI::ValidationError(name,
                                 fmt::format("{}: must be a whole number from {} to {}",
                                             base::escape_controls(given.front()), least, kMost));
    }
    value = static_cast<T>(*number);
    return true;
  };
  return command.add_option(name, read, description)->type_name("UINT");
}

// Nobody means an empty name, but a script may hold an empty variable.
void refuse_empty_texts(CLI::App& app) {
  const CLI::Validator not_empty(
      [](const std::string& text) { return std::string(text.empty() ? "must not be empty" : ""); },
      "");
  for (auto* command : app.get_subcommands([](CLI::App*) { return true; })) {
    for (auto* option : command->get_options()) {
      if (option->get_items_expected_max() > 0) option->check(not_empty);
    }
  }
}

void add_grade(CLI::App& app, GradeOptions& options) {
  auto* command = app.add_subcommand("grade", "Grade submissions, all labs' where none is named");
  command->add_option("LAB[/EXERCISE]", options.selections, "What to grade");
  auto* solutions =
      command->add_flag("--solutions", options.solutions, "Grade the course's own solutions");
  command->add_option("--file", options.file, "Grade this file for the one exercise named")
      ->excludes(solutions);
  command
      ->add_option("--backend", options.backend, "auto, sim or gpu; auto: gpu where there is one")
      ->check(CLI::IsMember({"auto", "sim", "gpu"}));
  command->add_option("--device", options.device, "Only this profile's gates");
  add_number(*command, "--seed", options.seed, "Seed of the inputs");
  command->add_flag("--counters", options.counters,
                    "Show a GPU's own counters of measured cases beside the simulator's");
  command->add_option("--json", options.json, "Write the report to this file, too");
  // For tests/gpu/repeat_grades.py.
  add_number<std::size_t>(*command, "--repeat", options.repeat, "Grade each so many times", 1)
      ->group("");
}

void add_profile(CLI::App& app, ProfileOptions& options) {
  auto* command = app.add_subcommand("profile", "Run one kernel once and show what it did");
  command->add_option("FILE", options.file, "CUDA C++ file with the kernel")->required();
  command->add_option("--kernel", options.kernel, "Name, or instance such as reduce<4>")
      ->required();
  command->add_option("--grid", options.grid, "X[,Y[,Z]]")->required();
  command->add_option("--block", options.block, "X[,Y[,Z]]")->required();
  add_number(*command, "--shared", options.shared_bytes, "Dynamic shared memory, bytes");
  command->add_option("--device", options.device, "Profile");
  command->add_option("--backend", options.backend, "sim or gpu")
      ->check(CLI::IsMember({"sim", "gpu"}));
  command
      ->add_option("--arg", options.arguments,
                   "One a parameter: f32:1.5, in:TYPE:COUNT:INIT or out:TYPE:COUNT; INIT is "
                   "zeros, iota, random:SEED or file:PATH")
      ->allow_extra_args(false);
  command->add_option("--dump", options.dumps, "INDEX=PATH: write that parameter's buffer")
      ->allow_extra_args(false);
  command->add_option("--json", options.json, "Write the report to this file, too");
}

void add_study(CLI::App& app, StudyOptions& options) {
  auto* command = app.add_subcommand("study", "Run kernels over sizes, beside published results");
  command->add_option("NAME|FILE.toml", options.study, "A study of studies/, or a file")
      ->required();
  command->add_option("--device", options.device, "Profile, instead of the study's");
  command->add_option("--csv", options.csv, "Write all runs to this file, too");
  command->add_option("--svg", options.svg, "Draw the figure to this file (needs gnuplot)");
}

void add_occupancy(CLI::App& app, OccupancyOptions& options) {
  auto* command = app.add_subcommand("occupancy", "How many blocks fit on a multiprocessor");
  command->add_option("--device", options.device, "Profile")->required();
  add_number(*command, "--block", options.block, "Threads a block")->required();
  add_number(*command, "--registers", options.registers, "Registers a thread")->required();
  add_number(*command, "--shared", options.shared_bytes, "Shared bytes a block")->required();
}

void add_pack(CLI::App& app, PackOptions& options) {
  auto* command = app.add_subcommand("pack", "Write what students get into a new folder");
  command->add_option("FOLDER", options.folder, "The new folder")->required();
  command->add_flag("--skip-build", options.skip_build, "Do not prove that it builds and runs");
}

base::UsageError no_such_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands({})) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return base::UsageError(fmt::format("there is no command `{}`{}; there are: {}", word,
                                      did_you_mean(word, names), joined(names)));
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app("Course labs on GPU memory performance, graded with or without a GPU", "warpgrade");
  app.require_subcommand(1);
  GradeOptions grade;
  ProfileOptions profile;
  StudyOptions study;
  OccupancyOptions occupancy;
  PackOptions packing;
  CalibrateOptions calibrate;
  std::string device;
  app.add_subcommand("list", "Labs and exercises");
  add_grade(app, grade);
  add_profile(app, profile);
  add_study(app, study);
  app.add_subcommand("devices", "GPUs that can be simulated, or one's numbers")
      ->add_option("NAME", device, "Profile");
  add_occupancy(app, occupancy);
  add_pack(app, packing);
  app.add_subcommand("check", "Check the course: skeletons fail, solutions pass, wrong ones fail");
  app.add_subcommand("calibrate", "Measure this machine's GPU, for grades to go by (minutes)")
      ->add_option("--json", calibrate.json, "Write it to this file instead of where grades look");
  // For a profiler to run, not for people.
  std::string job;
  auto* counted = app.add_subcommand(gpu::kCountedLaunchCommand)->group("");
  counted->add_option("FILE", job)->required();
  refuse_empty_texts(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Of a command that is misspelt, CLI11 says only that one is missing.
    const bool misspelt = app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-' &&
                          error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
    if (misspelt) throw no_such_command(app, argv[1]);
    // CLI11 has an exit code for each mistake; the contract has one for all of them.
    constexpr int kUsage = 2;
    return app.exit(error, std::cout, std::cerr) == 0 ? 0 : kUsage;
  }
  const auto chosen = app.get_subcommands().front()->get_name();
  if (chosen == "list") return run_list();
  if (chosen == "grade") return run_grade(grade);
  if (chosen == "profile") return run_profile(profile);
  if (chosen == "study") return run_study_command(study);
  if (chosen == "devices") return run_devices(device);
  if (chosen == "occupancy") return run_occupancy(occupancy);
  if (chosen == "pack") return run_pack(packing);
  if (chosen == "calibrate") return run_calibrate(calibrate);
  if (chosen == counted->get_name()) return run_counted_launch(job);
  return run_check();
}

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
// The command line as a model: commands, options with one line of help each, and parsed values.
//
// Out: one model with `warpgrade class` and the hidden processes that it starts. Parsing, --help,
// the manual page and shell completion all read it.
// Numbers are read strictly: CLI11 reads a leading zero as octal, and wraps numbers that are
// negative or too large.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "grader/cli/commands/commands.h"

namespace warpgrade::grader::cli {

struct CommandModel {
  CommandModel();
  CommandModel(const CommandModel&) = delete;  // the options write into the members
  CommandModel& operator=(const CommandModel&) = delete;

  /// The commands for people, in the order of --help.
  std::vector<const CLI::App*> commands() const;

  CLI::App app;
  GradeOptions grade;
  ProfileOptions profile;
  StudyOptions study;
  OccupancyOptions occupancy;
  PackOptions pack;
  CheckOptions check;
  ClassOptions class_;
  ClassWorkerOptions class_worker;
  CalibrateOptions calibrate;
  HintOptions hint;
  InitOptions init;
  NewOptions new_exercise;
  WatchOptions watch;
  std::string device;             ///< The one that `devices` shows.
  std::string device_file;        ///< Output file for this machine's GPU; may be empty.
  std::string counted_launch;     ///< A file (gpu/ncu.h).
  std::optional<int> device_gpu;  ///< The GPU for device_file or counted_launch.
  std::string shell;              ///< The shell that `completion` is for.
};

}  // namespace warpgrade::grader::cli

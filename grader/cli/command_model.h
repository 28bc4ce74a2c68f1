// SPDX-License-Identifier: Apache-2.0
// The command line as a model: commands with their options, one line of help each, and the function
// that runs the parsed command.
//
// Out: one model with `warpgrade class` and the hidden processes that it starts. Parsing, --help,
// the manual page and shell completion all read it.
// Numbers are read strictly: CLI11 reads a leading zero as octal, and wraps numbers that are
// negative or too large.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace warpgrade::grader::cli {

struct CommandText;

class CommandModel {
 public:
  CommandModel();
  CommandModel(const CommandModel&) = delete;  // the parsed command is stored in a member
  CommandModel& operator=(const CommandModel&) = delete;

  /// The commands for people, in the order of --help.
  std::vector<const CLI::App*> commands() const;

  CLI::App app;
  std::function<int()> run_chosen;  ///< Set by app.parse(): the command's exit code.

 private:
  /// A command is the type of its options: add_options() and run_command() have one overload each.
  template <typename Options>
  void add(CLI::App& parent, const CommandText& text);
};

/// Sets how the help of `app` and of its commands looks: groups of options, names of values, lines
/// of at most `columns` columns. `call` is the program as the user calls it.
void set_help(CLI::App& app, const std::string& call, std::size_t columns);

/// The value of an option: "FILE", "auto|sim|gpu".
std::string value_name(const CLI::Option& option);

}  // namespace warpgrade::grader::cli

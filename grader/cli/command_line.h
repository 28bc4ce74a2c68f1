// SPDX-License-Identifier: Apache-2.0
// Parses the command line and runs the command that it names; completes a half-written command
// line, and writes the manual page warpgrade(1).
//
// The shell's function calls the program itself, `warpgrade complete WORD...`. Without a
// candidate, the shell completes files.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "grader/cli/command_model.h"

namespace warpgrade::grader::cli {

// Completes a half-written command line: commands, options, and names of exercises, devices and
// studies.
//
// The shell's function calls the program itself, `warpgrade complete WORD...`, so it knows every
// option and every added lab.

/// Possible values of an option or argument, by its name in --help: "--device", "NAME".
using ValueNames = std::map<std::string, std::function<std::vector<std::string>()>, std::less<>>;

/// Completions for the last of `words`, sorted. `words` follow the program's name, in bash's
/// splitting (a `=` is a word of its own).
std::vector<std::string> completions(const CommandModel& model,
                                     const std::vector<std::string>& words,
                                     const ValueNames& values);

// The manual page warpgrade(1), made from the model of the command line, so that it agrees with
// --help.

/// In roff with the macros of man(7).
std::string man_page(const CommandModel& model);

/// The exit code of the command, or of --help (0) and of wrong usage (2), which it reports itself.
/// Exceptions of commands pass through.
int run_command_line(int argc, char** argv);

}  // namespace warpgrade::grader::cli

// SPDX-License-Identifier: Apache-2.0
// Completes a half-written command line: commands, options, and names of exercises, devices and
// studies.
//
// The shell's function calls the program itself, `warpgrade complete WORD...`, so it knows every
// option and every added lab. Without a candidate, the shell completes files.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "grader/cli/command_model.h"

namespace warpgrade::grader::cli {

inline constexpr const char* kCompleteCommand = "complete";

/// Possible values of an option or argument, by its name in --help: "--device", "NAME".
using ValueNames = std::map<std::string, std::function<std::vector<std::string>()>, std::less<>>;

/// Completions for the last of `words`, sorted. `words` follow the program's name, in bash's
/// splitting (a `=` is a word of its own).
std::vector<std::string> completions(const CommandModel& model,
                                     const std::vector<std::string>& words,
                                     const ValueNames& values);

/// The same with the course's own names, one per line; without a course, options and commands only.
std::string completion_lines(const CommandModel& model, const std::vector<std::string>& words);

/// The script that bash reads to complete `warpgrade` and `./warpgrade`.
std::string bash_completion();

}  // namespace warpgrade::grader::cli

// SPDX-License-Identifier: Apache-2.0
// Completes a half-written command line: commands, options, and names of exercises, devices and
// studies.
//
// The shell's function asks the program itself, `warpgrade complete WORD...`, so that it knows of
// every option and of labs that were added. Where there is no candidate, the shell takes files.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "grader/cli/command_model.h"

namespace warpgrade::grader {

inline constexpr const char* kCompleteCommand = "complete";

/// Values that may stand for an option or an argument, by its name in --help: "--device", "NAME".
using ValueNames = std::map<std::string, std::function<std::vector<std::string>()>, std::less<>>;

/// Words that may stand in the place of the last of `words`, which are those behind the program's
/// name as bash cuts them (a `=` is a word of its own); sorted.
std::vector<std::string> completions(const CommandModel& model,
                                     const std::vector<std::string>& words,
                                     const ValueNames& values);

/// The same with the course's own names, a line each; without those where there is no course.
std::string completion_lines(const CommandModel& model, const std::vector<std::string>& words);

/// The script that bash reads to complete `warpgrade` and `./warpgrade`.
std::string bash_completion();

}  // namespace warpgrade::grader

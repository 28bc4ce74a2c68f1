// SPDX-License-Identifier: Apache-2.0
// How `--help` looks: commands in groups with an example each, options without CLI11's lists of
// excluded ones, and lines that fit the terminal.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace warpgrade::grader::cli {

/// Gives `app` and its commands groups, examples, names of values and the formatter of their help.
/// Every visible command needs an entry in the table of help.cpp; throws std::out_of_range if it
/// has none. `call` is the program as the user calls it.
void set_help(CLI::App& app, const std::string& call, std::size_t columns);

/// The value of an option: "FILE", "auto|sim|gpu".
std::string value_name(const CLI::Option& option);

/// The examples of all commands, such as "warpgrade grade coalescing/copy".
std::vector<std::string> help_examples();

}  // namespace warpgrade::grader::cli

// SPDX-License-Identifier: Apache-2.0
// Parses the command line and runs the command that it names.
#pragma once

namespace warpgrade::grader::cli {

/// The exit code of the command, or of --help (0) and of wrong usage (2), which it reports itself.
/// Exceptions of commands pass through.
int run_command_line(int argc, char** argv);

}  // namespace warpgrade::grader::cli

// SPDX-License-Identifier: Apache-2.0
// `warpgrade class` and the processes that it starts, as part of the command line's model.
#pragma once

#include <CLI/CLI.hpp>

#include "grader/cli/commands/commands.h"

namespace warpgrade::grader::cli {

/// `class run`, `class status` and the others.
void add_class(CLI::App& app, ClassOptions& options);

/// Hidden commands: the processes of a class.
void add_class_processes(CLI::App& app, ClassWorkerOptions& options);

}  // namespace warpgrade::grader::cli

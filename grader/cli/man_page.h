// SPDX-License-Identifier: Apache-2.0
// The manual page warpgrade(1), made from the model of the command line, so that it agrees with
// --help.
#pragma once

#include <string>

#include "grader/cli/command_model.h"

namespace warpgrade::grader::cli {

/// In roff with the macros of man(7).
std::string man_page(const CommandModel& model);

}  // namespace warpgrade::grader::cli

// SPDX-License-Identifier: Apache-2.0
// How the user calls this program, for commands in messages: "./warpgrade" from a checkout or a
// packed course, where the wrapper runs the program; "warpgrade" if it is installed.
#pragma once

#include <string>

namespace warpgrade::grader::text {

/// The wrapper's WARPGRADE_CALL, or "warpgrade".
std::string program_call();

}  // namespace warpgrade::grader::text

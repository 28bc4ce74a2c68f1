// SPDX-License-Identifier: Apache-2.0
// The lines that a run prints as it goes on. The command line passes the function; tests and other
// programs may pass another.
#pragma once

#include <functional>
#include <string>

namespace warpgrade::grader::class_book {

/// Writes a line, or with `transient` one that the next replaces if the terminal can.
using Say = std::function<void(const std::string& line, bool transient)>;

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// The lines that a run prints as it goes on: the function that prints them, and the progress of
// the grading as one line.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace warpgrade::grader::class_book {

// The command line passes the function; tests and other programs may pass another.

/// Writes a line, or with `transient` one that the next replaces if the terminal can.
using Say = std::function<void(const std::string& line, bool transient)>;

/// "graded 120 of 4800, 8.2 a second, 9 min 30 s left, 2 not judged". `seconds` since the start.
std::string progress_line(std::size_t done, std::size_t all, std::size_t troubled, double seconds);

}  // namespace warpgrade::grader::class_book

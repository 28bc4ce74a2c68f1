// SPDX-License-Identifier: Apache-2.0
// The progress of a class as one line: count, rate and remaining time. Time is passed in.
#pragma once

#include <cstddef>
#include <string>

namespace warpgrade::grader::class_book {

/// "graded 120 of 4800, 8.2 a second, 9 min 30 s left, 2 not judged". `seconds` since the start.
std::string progress_line(std::size_t done, std::size_t all, std::size_t troubled, double seconds);

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// A book as text: open tasks, points by exercise, remarks of the last run, and manual
// changes.
#pragma once

#include <string>

#include "grader/class/sqlite.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::class_book {

/// Text for a terminal, with a newline at its end. Open tasks come first. `book_file` is the book's
/// path for commands.
std::string status_text(Sqlite& book, const std::string& book_file, const text::Style& style);

}  // namespace warpgrade::grader::class_book

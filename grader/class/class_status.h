// SPDX-License-Identifier: Apache-2.0
// What a book says to a person: how far it is, points by exercise, what is open, what was odd.
#pragma once

#include <string>

#include "grader/class/sqlite.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader {

/// Text for a terminal, with a newline at its end.
std::string class_status(Sqlite& book, const Style& style);

}  // namespace warpgrade::grader

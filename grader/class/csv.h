// SPDX-License-Identifier: Apache-2.0
// The book as CSV (RFC 4180): a row for each student and exercise, by student.
#pragma once

#include <string>

#include "grader/class/sqlite.h"

namespace warpgrade::grader::class_book {

/// The first row names the columns. `points` counts, after deductions and manual changes; it is
/// empty if nothing could be judged yet.
std::string csv_text(Sqlite& book);

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// The book as CSV (RFC 4180): a row for each student and exercise, by student.
#pragma once

#include <string>

#include "grader/class/sqlite.h"

namespace warpgrade::grader {

/// With a first row that names the columns. `points` is what counts, after a deduction and what was
/// changed by hand; it is empty where nothing could be judged yet.
std::string class_csv(Sqlite& book);

}  // namespace warpgrade::grader

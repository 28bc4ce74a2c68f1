// SPDX-License-Identifier: Apache-2.0
// Deductions for late work, as the book keeps them. Each attempt has the class's deadline and its
// source has the rule of that time, so an extension changes a deduction without another run. An
// extension never shortens a deadline.
#pragma once

#include <cstdint>
#include <string>

#include "grader/class/rules.h"
#include "grader/class/sqlite.h"
#include "grader/course/course.h"

namespace warpgrade::grader::class_book {

/// Keeps the deadlines of `exercises`, and the rule for late work that holds for a source.
void keep_late_rules(Sqlite& book, std::int64_t source,
                     const std::vector<course::Selected>& exercises, const Rules& rules);

/// Computes the deductions of a student's attempts again; of all students if `student` is empty.
/// Attempts that an earlier program took in keep theirs until a run finds them again.
void refresh_late_shares(Sqlite& book, const std::string& student);

/// The time zone of the class, as of the last run.
TimeZone zone_of_book(Sqlite& book);

}  // namespace warpgrade::grader::class_book

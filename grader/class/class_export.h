// SPDX-License-Identifier: Apache-2.0
// The book for the programs that keep a course's grades: `class export --format`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/class/sqlite.h"
#include "grader/report/formats/class_grade.h"

namespace warpgrade::grader {

/// A row for each student and exercise, by student. The last word of a name is the last name.
std::vector<ClassGrade> class_grades(Sqlite& book);

/// The book in the format of that name: "csv", "canvas", "moodle" or "nbgrader".
std::string export_class(Sqlite& book, std::string_view format);

}  // namespace warpgrade::grader

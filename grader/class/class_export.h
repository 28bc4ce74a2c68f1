// SPDX-License-Identifier: Apache-2.0
// The book for the programs that keep a course's grades: `class export --format`.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/class/sqlite.h"
#include "grader/course/course.h"
#include "grader/report/formats/class_grade.h"

namespace warpgrade::grader {

/// A row for each student and exercise, by student. The last word of a name is the last name.
std::vector<ClassGrade> class_grades(Sqlite& book);

/// The book in the format of that name: "csv", "canvas", "moodle" or "nbgrader". Throws
/// base::UsageError where there is no such format.
std::string export_class(Sqlite& book, std::string_view format);

struct ClassExport {
  std::string format;  ///< One of the above, or "html" or "similar".
  std::filesystem::path out;
  std::filesystem::path feedback;  ///< The folder of `class feedback`, for links; may be empty.
};

/// Writes the book in a format. `course` is asked where the format needs it. Throws
/// base::UsageError where there is no such format or folder.
void write_class(Sqlite& book, const ClassExport& options, const std::function<Course()>& course);

}  // namespace warpgrade::grader

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

/// A row for each student and exercise, by student. Names, addresses and numbers are the roster's;
/// without a roster, the last name is the last word, or what is before a comma.
std::vector<ClassGrade> class_grades(Sqlite& book);

/// The book in the format of that name: "csv", "canvas", "moodle" or "nbgrader". If the roster is
/// that platform's gradebook, the result is the roster's file with points filled in; "blackboard",
/// "brightspace" and "roster" always are. Throws base::UsageError if there is no such format, or no
/// such roster.
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

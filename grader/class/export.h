// SPDX-License-Identifier: Apache-2.0
// The book for the programs that keep a course's grades: `class export --format`.
//
// In: the book, a format, and a file. Out: CSV (RFC 4180), the format of Canvas, Moodle or
// nbgrader, the filled roster, the instructor's page, or the list of near-copies.
// The CSV of the book has a row for each student and exercise, by student.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "grader/class/book_file.h"
#include "grader/course/course.h"

namespace warpgrade::grader::class_book {

// The book as CSV (RFC 4180): a row for each student and exercise, by student.

/// The first row names the columns. `points` counts, after deductions and manual changes; it is
/// empty if nothing could be judged yet.
std::string csv_text(Sqlite& book);

/// The book in the format "csv", "canvas", "moodle", "nbgrader", "blackboard", "brightspace" or
/// "roster". If the roster is that platform's gradebook, the result is the roster's file with
/// points filled in; the last three formats require such a roster. Throws base::UsageError if the
/// format is unknown or its roster is missing.
std::string exported(Sqlite& book, std::string_view format);

struct Export {
  std::string format;  ///< One of the above, or "html" or "similar".
  std::filesystem::path out;
  std::filesystem::path feedback;  ///< The folder of `class feedback`, for links; may be empty.
};

/// Writes the book in a format. Calls `course` only for formats that need it. Throws
/// base::UsageError if the format or the folder does not exist.
void write_export(Sqlite& book, const Export& options,
                  const std::function<course::Course()>& course);

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// Exports of a book: files for the programs that keep a course's grades, and a folder of feedback
// for each student.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/class/book_file.h"
#include "grader/class/explain.h"
#include "grader/course/course.h"

namespace warpgrade::grader::class_book {

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

/// Whether a platform imports the format as its gradebook.
bool is_gradebook_format(std::string_view format);

/// Columns of the roster whose maximum differs from that of their exercises, as sentences.
std::vector<std::string> other_maxima_of(Sqlite& book);

/// The result of one exercise.
struct FeedbackRow {
  std::string exercise;  ///< "LAB/EXERCISE".
  /// The book's; kOpen without a grade yet, kNotDue if no work is due yet. Sums leave out excused
  /// exercises.
  Standing standing{};
  /// Nullopt if excused, open, not due or not handed in.
  std::optional<double> points;
  double max_points = 0;
  std::string remark;  ///< "nothing handed in", "set by hand: was ill"; may be empty.
  std::string page;    ///< The name of the grade's page in the same folder; may be empty.
};

/// The student whose overview it is.
struct FeedbackStudent {
  std::string student;  ///< The key in the book.
  std::string name;     ///< Empty if unknown.
  /// Sentences about several exercises: "all exercises: deadline extended to ...".
  std::vector<std::string> notes = {};
};

std::string feedback_page(const FeedbackStudent& student, const std::vector<FeedbackRow>& rows);

/// The same as plain text: a line with the sum, then one line per exercise.
std::string feedback_text(const FeedbackStudent& student, const std::vector<FeedbackRow>& rows);

/// Writes FOLDER/STUDENT/feedback.txt and index.html for every student, and beside them
/// LAB_EXERCISE.html of each grade. Returns the number of students. Throws base::ToolError if it
/// cannot write them.
std::size_t write_feedback(Sqlite& book, const std::filesystem::path& folder);

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// Feedback for each student, in a separate folder.
//
// In: the book. Out: an overview with the points of each exercise, and the report of each
// exercise, as text and as pages. The overview links to the pages of the grades.
// It has no data of other students or secret cases: student_view() removed them from the grades'
// texts and pages.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/class/book_file.h"
#include "grader/class/explain.h"

namespace warpgrade::grader::class_book {

// A student's overview as a page: the points of each exercise, and links to the pages of the
// grades.

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

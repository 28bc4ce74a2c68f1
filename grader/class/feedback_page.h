// SPDX-License-Identifier: Apache-2.0
// A student's overview as a page: the points of each exercise, and links to the pages of the
// grades.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpgrade::grader {

/// The result of one exercise.
struct FeedbackRow {
  std::string exercise;  ///< "LAB/EXERCISE".
  std::string verdict;   ///< The book's; "open" if there is no grade yet. Excused: not in sums.
  /// None if nothing counts: excused, open, or nothing handed in.
  std::optional<double> points;
  double max_points = 0;
  std::string remark;  ///< "nothing handed in", "set by hand: was ill"; may be empty.
  std::string page;    ///< The name of the grade's page beside this one; empty: there is none.
};

/// "handed in late: 10 % less" and "nothing handed in" are said where they hold.
std::string feedback_page(const std::string& student, const std::vector<FeedbackRow>& rows);

/// The same as plain text, one line an exercise behind a line with the sum.
std::string feedback_text(const std::string& student, const std::vector<FeedbackRow>& rows);

}  // namespace warpgrade::grader

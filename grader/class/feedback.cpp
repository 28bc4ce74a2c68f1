// SPDX-License-Identifier: Apache-2.0
#include "grader/class/feedback.h"

#include <fmt/format.h>

#include <system_error>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/text/files.h"

namespace warpgrade::grader {
namespace {

namespace fs = std::filesystem;

// What became of one exercise, in a line for the student.
std::string outcome_line(const Statement& row) {
  const auto exercise = row.text(0) + "/" + row.text(1);
  const auto verdict = row.text(2);
  if (verdict == "missing" && row.text(6).empty()) {
    return fmt::format("{}: nothing handed in\n", exercise);
  }
  if (row.is_null(3)) return fmt::format("{}: not graded yet\n", exercise);
  auto out = fmt::format("{}: {:g} of {:g} points", exercise, row.number(3), row.number(4));
  if (row.number(5) > 0) {
    out += fmt::format(" (handed in late: {:g} % less)", 100 * row.number(5));
  }
  if (!row.text(6).empty()) {
    out += fmt::format(" (set by hand: {})", base::escape_controls(row.text(7)));
  }
  return out + "\n";
}

void write_student(Sqlite& book, const fs::path& folder, const std::string& student) {
  Statement rows(book,
                 "SELECT s.lab, s.exercise, s.verdict, s.points, s.max_points, s.late_share, "
                 "s.adjusted_by, s.adjusted_why, g.text, g.page FROM standing AS s LEFT JOIN grade "
                 "AS g ON g.id = s.grade WHERE s.student = ? ORDER BY s.place");
  rows.bind(student);
  std::string overview;
  std::string reports;
  double points = 0;
  double most = 0;
  while (rows.step()) {
    points += rows.number(3);
    most += rows.number(4);
    overview += outcome_line(rows);
    if (!rows.is_null(8)) reports += "\n" + rows.text(8);
    if (!rows.text(9).empty()) {
      write_atomically(folder / (rows.text(0) + "_" + rows.text(1) + ".html"), rows.text(9));
    }
  }
  write_atomically(folder / "feedback.txt", fmt::format("{}: {:g} of {:g} points\n\n{}{}", student,
                                                        points, most, overview, reports));
}

}  // namespace

std::size_t write_feedback(Sqlite& book, const fs::path& folder) {
  Statement students(book, "SELECT student FROM student ORDER BY student");
  std::size_t count = 0;
  while (students.step()) {
    const auto student = students.text(0);
    std::error_code error;
    fs::create_directories(folder / student, error);
    if (error) {
      throw base::ToolError(fmt::format("{}: cannot be made: {}",
                                        base::escape_controls((folder / student).string()),
                                        error.message()));
    }
    write_student(book, folder / student, student);
    ++count;
  }
  return count;
}

}  // namespace warpgrade::grader

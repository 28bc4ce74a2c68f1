// SPDX-License-Identifier: Apache-2.0
#include "grader/class/feedback.h"

#include <fmt/format.h>

#include <optional>
#include <system_error>
#include <utility>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class/feedback_page.h"
#include "grader/class/packed_text.h"
#include "grader/text/files.h"

namespace warpgrade::grader {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStandings =
    "SELECT student, lab || '/' || exercise, lab || '_' || exercise || '.html', verdict, points, "
    "max_points, late_share, adjusted_by <> '', adjusted_why, grade, open_reason FROM standing "
    "ORDER BY "
    "student, "
    "place";

FeedbackRow feedback_row(const Statement& row) {
  FeedbackRow out;
  out.exercise = row.text(1);
  out.verdict = row.text(3);
  out.points = row.number(4);
  out.max_points = row.number(5);
  if (row.integer(7) != 0) {
    out.remark = "set by hand: " + row.text(8);
  } else if (out.verdict == "missing") {
    out.remark = "nothing handed in";
  } else if (row.is_null(4)) {
    out.verdict = "open";
    out.remark = row.text(10);
  } else if (row.number(6) > 0) {
    out.remark = fmt::format("handed in late: {:g} % less", 100 * row.number(6));
  }
  return out;
}

// One student's folder, while the exercises are gone through.
class StudentFolder {
 public:
  StudentFolder(const fs::path& folder, std::string student)
      : folder_(folder / student), student_(std::move(student)) {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) {
      throw base::ToolError(fmt::format("{}: cannot be made: {}",
                                        base::escape_controls(folder_.string()), error.message()));
    }
  }
  const std::string& student() const { return student_; }

  void add(Sqlite& book, const Statement& standing) {
    auto& row = rows_.emplace_back(feedback_row(standing));
    const auto name = standing.text(2);
    Statement grade(book, "SELECT text, page FROM grade WHERE id = ?");
    if (!standing.is_null(9) && grade.bind(standing.integer(9)).step()) {
      reports_ += "\n" + grade.text(0);
      if (const auto page = unpack_text(grade.text(1)); !page.empty()) {
        write_atomically(folder_ / name, page);
        row.page = name;
      }
    }
    std::error_code ignored;
    if (row.page.empty()) fs::remove(folder_ / name, ignored);  // of a grade that counts no more
  }
  void write() const {
    write_atomically(folder_ / "feedback.txt", feedback_text(student_, rows_) + reports_);
    write_atomically(folder_ / "index.html", feedback_page(student_, rows_));
  }

 private:
  fs::path folder_;
  std::string student_;
  std::vector<FeedbackRow> rows_;
  std::string reports_;
};

}  // namespace

std::size_t write_feedback(Sqlite& book, const fs::path& folder) {
  Statement standings(book, kStandings);
  std::optional<StudentFolder> now;
  std::size_t count = 0;
  while (standings.step()) {
    auto student = standings.text(0);
    if (!now || now->student() != student) {
      if (now) now->write();
      now.emplace(folder, std::move(student));
      ++count;
    }
    now->add(book, standings);
  }
  if (now) now->write();
  return count;
}

}  // namespace warpgrade::grader

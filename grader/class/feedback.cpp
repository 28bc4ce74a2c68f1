// SPDX-License-Identifier: Apache-2.0
#include "grader/class/feedback.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class/book_file.h"
#include "grader/class/explain.h"
#include "grader/class/outcome.h"
#include "grader/class/page.h"
#include "grader/class/rules.h"
#include "grader/class/timestamps.h"
#include "grader/html/page.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::class_book {
namespace {

struct Sum {
  double points = 0;
  double most = 0;
  std::uint64_t open = 0;  // Exercises without a grade yet: their points are not in the sum.
};

Sum sum_of(const std::vector<FeedbackRow>& rows) {
  Sum out;
  for (const auto& row : rows) {
    if (row.standing == Standing::kExcused) continue;
    out.points += row.points.value_or(0);
    out.most += row.max_points;
    out.open += row.standing == Standing::kOpen && !row.points ? 1 : 0;
  }
  return out;
}

// "25 of 50 points, 1 exercise open"
std::string sum_text(const Sum& sum) {
  auto out = fmt::format("{:g} of {:g} points", sum.points, sum.most);
  if (sum.open > 0) out += ", " + base::counted(sum.open, "exercise") + " open";
  return out;
}

// "Ada Lovelace (ada)"
std::string shown_student(const FeedbackStudent& one) {
  if (one.name.empty() || one.name == one.student) return one.student;
  return fmt::format("{} ({})", one.name, one.student);
}

// "9 of 10"; empty if the student is excused.
std::string points_of(const FeedbackRow& row) {
  if (row.standing == Standing::kExcused) return {};
  const bool is_blank = row.standing == Standing::kOpen || row.standing == Standing::kNotDue;
  if (is_blank && !row.points) return fmt::format("\u2013 of {:g}", row.max_points);
  return fmt::format("{:g} of {:g}", row.points.value_or(0), row.max_points);
}

}  // namespace

std::string feedback_page(const FeedbackStudent& student, const std::vector<FeedbackRow>& rows) {
  const auto sum = sum_of(rows);
  auto body = "<h1>" + sum_text(sum) + "</h1>\n";
  body += html::paragraph(shown_student(student), "quiet");
  for (const auto& note : student.notes) body += html::paragraph(note);
  body +=
      "<section class=\"exercise\">\n<div class=\"wide "
      "overview\"><table>\n<tr><th>Exercise</th><th>"
      "</th><th class=\"number\">Points</th><th></th><th></th></tr>\n";
  for (const auto& row : rows) {
    const auto name = html::escaped_name(row.exercise);
    const auto shown = row.page.empty()
                           ? name
                           : fmt::format("<a href=\"{}\">{}</a>", html_address(row.page), name);
    body += fmt::format(
        "<tr><td class=\"nowrap\">{}</td><td>{}</td><td class=\"number\">{}</td><td>{}</td>"
        "<td class=\"text\">{}</td></tr>\n",
        shown, badge(row.standing), points_of(row),
        row.max_points > 0 && row.standing != Standing::kExcused
            ? bar(row.points.value_or(0) / row.max_points)
            : std::string(),
        html::escaped(row.remark));
  }
  body += "</table></div>\n</section>\n";
  return html_page(shown_student(student) + ": " + sum_text(sum), body);
}

std::string feedback_text(const FeedbackStudent& student, const std::vector<FeedbackRow>& rows) {
  const auto sum = sum_of(rows);
  auto out = shown_student(student) + ": " + sum_text(sum) + "\n";
  for (const auto& note : student.notes) out += note + "\n";
  out += "\n";
  for (const auto& row : rows) {
    out += row.points ? fmt::format("{}: {} points{}\n", row.exercise, points_of(row),
                                    row.remark.empty() ? "" : " (" + row.remark + ")")
                      : fmt::format("{}: {}\n", row.exercise, row.remark);
  }
  return base::escape_controls(out, /*keep_newlines=*/true);
}

namespace {

namespace fs = std::filesystem;

constexpr const char* kStandings =
    "SELECT student, lab || '/' || exercise, lab || '_' || exercise || '.html', verdict, points, "
    "max_points, late_share, adjusted_points IS NOT NULL, adjusted_why, grade, open_reason, "
    "extended_until, extended_by, extended_why, excused_by, excused_why, bonus, bonus_by, "
    "bonus_why, deadline, name FROM standing ORDER BY student, place";

// "was ill (eve)"
std::string reason_of(const Statement& row, int who, int why) {
  return fmt::format("{} ({})", row.text(why), row.text(who));
}

// The extension that moved the deadline; may be empty.
std::string extension_of(const Statement& row, const TimeZone& zone) {
  const auto until = row.text(11);
  if (until.empty() || row.text(19) > until) return {};
  return fmt::format("deadline extended to {}: {}", local_text(parse_utc(until).value_or(0), zone),
                     reason_of(row, 12, 13));
}

// Reasons for the points, the most important first.
std::string remark_of(const Statement& row, const TimeZone& zone) {
  std::vector<std::string> parts;
  const bool is_open = row.is_null(4) && !row.is_null(10);
  const auto standing = standing_called(row.text(3));
  if (standing == Standing::kExcused) return "excused: " + reason_of(row, 14, 15);
  if (row.integer(7) != 0) {
    parts.push_back("set by hand: " + row.text(8));
  } else if (is_open) {
    parts.push_back(row.text(10));
  } else if (standing == Standing::kMissing) {
    const auto due = parse_utc(row.text(11));
    parts.push_back(row.is_null(4) && due ? "nothing handed in yet; due " + local_text(*due, zone)
                                          : "nothing handed in");
  } else if (row.number(6) > 0) {
    parts.push_back(fmt::format("handed in late: {:g} % less", 100 * row.number(6)));
  }
  if (row.number(16) > 0) {
    parts.push_back(fmt::format("{:g} bonus point{}: {}", row.number(16),
                                row.number(16) == 1 ? "" : "s", reason_of(row, 17, 18)));
  }
  return text::joined(std::span<const std::string>(parts), "; ");
}

FeedbackRow feedback_row(const Statement& row, const TimeZone& zone) {
  FeedbackRow out;
  out.exercise = row.text(1);
  out.standing = standing_called(row.text(3));
  out.max_points = row.number(5);
  const bool is_missing =
      out.standing == Standing::kMissing && row.integer(7) == 0 && row.number(16) == 0;
  if (!row.is_null(4) && !is_missing) out.points = row.number(4);
  if (row.is_null(4) && !row.is_null(10)) out.standing = Standing::kOpen;
  if (row.is_null(4) && out.standing == Standing::kMissing) out.standing = Standing::kNotDue;
  out.remark = remark_of(row, zone);
  return out;
}

// One student's folder, while the exercises are gone through.
class StudentFolder {
 public:
  StudentFolder(const fs::path& folder, FeedbackStudent student)
      : folder_(folder / student.student), student_(std::move(student)) {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) {
      throw base::ToolError(fmt::format("{}: cannot be made: {}",
                                        base::escape_controls(folder_.string()), error.message()));
    }
  }
  const std::string& student() const { return student_.student; }

  void add(Sqlite& book, const Statement& standing, const TimeZone& zone) {
    auto& row = rows_.emplace_back(feedback_row(standing, zone));
    if (const auto extension = extension_of(standing, zone); !extension.empty()) {
      extensions_[extension].push_back(row.exercise);
    }
    const auto name = standing.text(2);
    Statement grade(book, "SELECT text, page FROM grade WHERE id = :grade");
    if (!standing.is_null(9) && grade.bind(":grade", standing.integer(9)).step()) {
      reports_ += "\n" + grade.text(0);
      if (const auto page = unpack_text(grade.text(1)); !page.empty()) {
        text::write_atomically(folder_ / name, page);
        row.page = name;
      }
    }
    std::error_code ignored;
    if (row.page.empty()) fs::remove(folder_ / name, ignored);  // of a grade that counts no more
  }
  void write() {
    for (const auto& [extension, exercises] : extensions_) {
      const auto names = exercises.size() == rows_.size()
                             ? std::string("All exercises")
                             : text::joined(std::span<const std::string>(exercises));
      student_.notes.push_back(names + ": " + extension);
    }
    text::write_atomically(folder_ / "feedback.txt", feedback_text(student_, rows_) + reports_);
    text::write_atomically(folder_ / "index.html", feedback_page(student_, rows_));
  }

 private:
  fs::path folder_;
  FeedbackStudent student_;
  std::vector<FeedbackRow> rows_;
  std::map<std::string, std::vector<std::string>> extensions_;  // Exercises of each.
  std::string reports_;
};

}  // namespace

std::size_t write_feedback(Sqlite& book, const fs::path& folder) {
  Statement standings(book, kStandings);
  const auto zone = zone_of_book(book);
  std::optional<StudentFolder> now;
  std::size_t count = 0;
  while (standings.step()) {
    auto student = standings.text(0);
    if (!now || now->student() != student) {
      if (now) now->write();
      now.emplace(folder, FeedbackStudent{std::move(student), standings.text(20)});
      ++count;
    }
    now->add(book, standings, zone);
  }
  if (now) now->write();
  return count;
}

}  // namespace warpgrade::grader::class_book

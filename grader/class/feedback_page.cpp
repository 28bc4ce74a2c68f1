// SPDX-License-Identifier: Apache-2.0
#include "grader/class/feedback_page.h"

#include <fmt/format.h>

#include <cstdint>

#include "common/base/counted.h"
#include "common/base/text.h"
#include "grader/class/html.h"
#include "grader/html/html_text.h"

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

}  // namespace warpgrade::grader::class_book

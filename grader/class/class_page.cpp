// SPDX-License-Identifier: Apache-2.0
#include "grader/class/class_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "grader/class/class_figures.h"
#include "grader/class/class_html.h"
#include "grader/html/html_text.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader {
namespace {

constexpr std::size_t kMostShown = 100;  // rows of a list that may be long
constexpr std::size_t kMostNames = 8;

std::string card(const std::string& heading, const std::string& body) {
  return "<section class=\"exercise\">\n<h2>" + heading + "</h2>\n" + body + "</section>\n";
}

std::string table(const std::string& head, const std::string& rows) {
  return "<div class=\"wide\"><table>\n<tr>" + head + "</tr>\n" + rows + "</table></div>\n";
}

std::string more(std::size_t all) {
  if (all <= kMostShown) return {};
  return html_paragraph(fmt::format("and {} more", all - kMostShown), "quiet");
}

std::string name_of(const ExerciseNumbers& one) { return html_text(one.lab + "/" + one.exercise); }

// A student's name, with a link to the feedback where there is one.
std::string linked(const std::string& student, const FeedbackAddress& feedback) {
  const auto address = feedback(student);
  if (address.empty()) return html_text(student);
  return fmt::format("<a href=\"{}\">{}</a>", html_address(address), html_text(student));
}

std::string points_section(const ClassNumbers& numbers) {
  std::string figures;
  std::string rows;
  for (const auto& one : numbers.exercises) {
    figures += fmt::format("<div class=\"figure\"><h4>{}</h4>\n{}</div>\n", name_of(one),
                           points_figure(one.points, one.max_points));
    double sum = 0;
    for (const double value : one.points) sum += value;
    const auto graded = one.points.size();
    const auto mean = graded == 0 ? 0 : sum / static_cast<double>(graded);
    const auto median = graded == 0 ? 0 : one.points[(graded - 1) / 2];
    rows += fmt::format(
        "<tr><td class=\"nowrap\">{}</td><td class=\"number\">{}</td><td "
        "class=\"number\">{}</td><td "
        "class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{:.1f}</td><td "
        "class=\"number\">{:g}</td><td class=\"number\">{:g}</td><td "
        "class=\"number\">{}</td></tr>\n",
        name_of(one), one.passed, one.failed, one.missing, one.open, mean, median, one.max_points,
        one.attempts);
  }
  return card("Points",
              "<p class=\"quiet\">Of who handed in and has a grade, before deductions: none, "
              "each tenth, all.</p>\n<div class=\"figures\">\n" +
                  figures + "</div>\n" +
                  table("<th>Exercise</th><th class=\"number\">pass</th><th "
                        "class=\"number\">fail</th><th class=\"number\">missing</th><th "
                        "class=\"number\">open</th><th class=\"number\">mean</th><th "
                        "class=\"number\">median</th><th class=\"number\">of</th><th "
                        "class=\"number\">attempts</th>",
                        rows));
}

std::string counts(const std::vector<NamedCount>& list) {
  std::vector<std::string> parts;
  for (const auto& one : list) parts.push_back(fmt::format("{} {}", one.count, one.name));
  return html_text(joined(std::span<const std::string>(parts)));
}

std::string stops_section(const ClassNumbers& numbers) {
  std::string rows;
  for (const auto& one : numbers.exercises) {
    if (one.failed == 0 && one.findings.empty()) continue;
    rows += fmt::format(
        "<tr><td class=\"nowrap\">{}</td><td class=\"number\">{}</td><td class=\"text\">{}</td><td "
        "class=\"text\">{}</td><td class=\"text\">{}</td></tr>\n",
        name_of(one), one.failed, counts(one.reasons), counts(one.gates), counts(one.findings));
  }
  if (rows.empty())
    return card("What stops them", html_paragraph("Nothing: who handed in passed."));
  return card(
      "What stops them",
      table("<th>Exercise</th><th class=\"number\">fail</th><th>first reason</th><th>gates not "
            "passed</th><th>diagnostics</th>",
            rows));
}

std::string attempts_section(const ClassNumbers& numbers) {
  if (numbers.attempts.empty()) return {};
  return card("Attempts",
              "<div class=\"figure\">\n" + attempts_figure(numbers.attempts) + "</div>\n" +
                  html_paragraph("By time of submission, UTC; late ones in red. Counted: "
                                 "the " +
                                     numbers.policy + " attempt.",
                                 "quiet"));
}

// Submissions by the reason for which they have no grade, the most first.
std::string open_rows(const std::vector<OpenMatter>& open) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& one : open) by_reason[one.why].push_back(one.what);
  std::vector<std::pair<std::string, std::vector<std::string>>> all(by_reason.begin(),
                                                                    by_reason.end());
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  std::string rows;
  for (auto& [why, those] : all) {
    const auto count = those.size();
    if (count > kMostNames) those.resize(kMostNames);
    auto shown = joined(std::span<const std::string>(those));
    if (count > kMostNames) shown += fmt::format(" and {} more", count - kMostNames);
    rows += fmt::format(
        "<tr><td class=\"text\">{}</td><td class=\"number\">{}</td><td "
        "class=\"text\">{}</td></tr>\n",
        html_text(why), count, html_text(shown));
  }
  return rows;
}

std::string open_section(const ClassNumbers& numbers) {
  std::string out;
  if (!numbers.open.empty()) {
    out += html_paragraph(
        "No grade yet, and no zero. Mend what the reasons name, then give the same command again "
        "with "
        "--retry.");
    out += table("<th>Reason</th><th class=\"number\">how many</th><th>Submissions</th>",
                 open_rows(numbers.open));
  }
  if (!numbers.problems.empty()) {
    std::string rows;
    for (std::size_t i = 0; i < std::min(numbers.problems.size(), kMostShown); ++i) {
      rows += fmt::format("<tr><td class=\"text\">{}</td><td class=\"text\">{}</td></tr>\n",
                          html_text(numbers.problems[i].what), html_text(numbers.problems[i].why));
    }
    out +=
        fmt::format("<details{}><summary>Odd in the last run: {}</summary>\n",
                    numbers.problems.size() <= kMostNames ? " open" : "", numbers.problems.size());
    out +=
        table("<th>File</th><th>What</th>", rows) + more(numbers.problems.size()) + "</details>\n";
  }
  return card("What could not be judged",
              out.empty() ? html_paragraph("Nothing: each submission has a grade.") : out);
}

std::string slowest_section(const ClassNumbers& numbers, const FeedbackAddress& feedback) {
  if (numbers.slowest.empty()) return {};
  std::string rows;
  for (const auto& one : numbers.slowest) {
    rows += fmt::format(
        "<tr><td class=\"nowrap\">{}</td><td>{}</td><td class=\"number\">{:.1f} "
        "s</td><td>{}</td></tr>\n",
        linked(one.student, feedback), html_text(one.exercise), one.seconds,
        html_text(one.outcome));
  }
  return card(
      "The slowest to grade",
      table("<th>Student</th><th>Exercise</th><th class=\"number\">time</th><th>outcome</th>",
            rows));
}

std::string names(const std::vector<std::string>& students, const FeedbackAddress& feedback) {
  std::string out;
  for (std::size_t i = 0; i < std::min(students.size(), kMostNames); ++i) {
    out += (i == 0 ? "" : ", ") + linked(students[i], feedback);
  }
  if (students.size() > kMostNames)
    out += fmt::format(" and {} more", students.size() - kMostNames);
  return out;
}

std::string similar_section(const std::vector<NearCopy>& copies, const FeedbackAddress& feedback) {
  auto out = html_paragraph(
      "For your own eyes, and no verdict: who was taught the same writes alike. What the course "
      "gives "
      "and what many have is left out; names, comments and layout do not count.");
  std::string rows;
  for (std::size_t i = 0; i < std::min(copies.size(), kMostShown); ++i) {
    const auto& one = copies[i];
    const bool same = one.other_students.empty();
    rows += fmt::format(
        "<tr><td>{}</td><td class=\"text\">{}</td><td class=\"text\">{}</td><td class=\"number\">{}"
        "</td><td class=\"nowrap\">{}</td></tr>\n",
        html_text(one.exercise), names(one.students, feedback),
        same ? "" : names(one.other_students, feedback),
        same ? std::string("same file") : fmt::format("{:.0f} %", 100 * one.share),
        same ? "" : fmt::format("line {} / {}", one.line, one.other_line));
  }
  if (rows.empty()) return card("Near-copies", html_paragraph("None was found."));
  return card("Near-copies", out +
                                 table("<th>Exercise</th><th>Students</th><th>and</th><th "
                                       "class=\"number\">alike</th><th>from</th>",
                                       rows) +
                                 more(copies.size()));
}

std::string cell(const StudentNumbers::Cell& cell) {
  if (cell.verdict == "missing") return "<td class=\"number quiet\">&ndash;</td>";
  if (cell.verdict == "open") return "<td class=\"number open\">open</td>";
  return fmt::format("<td class=\"number {}\">{:g}</td>", cell.verdict == "pass" ? "good" : "bad",
                     cell.points);
}

std::string students_section(const ClassNumbers& numbers, const FeedbackAddress& feedback) {
  std::string head = "<th>Student</th><th class=\"number\">points</th>";
  for (const auto& one : numbers.exercises) {
    head += "<th class=\"number\">" + html_text(one.exercise) + "</th>";
  }
  std::string rows;
  for (const auto& one : numbers.students) {
    rows += fmt::format(
        "<tr><td class=\"nowrap\">{}{}</td><td class=\"number\">{:g}</td>",
        linked(one.student, feedback),
        one.name.empty() ? "" : " <span class=\"quiet\">" + html_text(one.name) + "</span>",
        one.points);
    for (const auto& each : one.cells) rows += cell(each);
    rows += "</tr>\n";
  }
  return card("Students", table(head, rows));
}

}  // namespace

std::string class_page(const ClassNumbers& numbers, const std::vector<NearCopy>& near_copies,
                       const FeedbackAddress& feedback) {
  auto body =
      fmt::format("<h1>{} students, {} exercises, {} attempts</h1>\n", numbers.students.size(),
                  numbers.exercises.size(), numbers.attempts.size());
  body += html_paragraph(numbers.last_run.empty() ? "No run yet." : numbers.last_run, "quiet");
  body += open_section(numbers) + points_section(numbers) + stops_section(numbers);
  body += attempts_section(numbers) + slowest_section(numbers, feedback);
  body += similar_section(near_copies, feedback) + students_section(numbers, feedback);
  return class_html(fmt::format("Class of {}", numbers.students.size()), body);
}

}  // namespace warpgrade::grader

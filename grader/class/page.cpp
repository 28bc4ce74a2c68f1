// SPDX-License-Identifier: Apache-2.0
// The pages of a class, and the instructor's page with its two figures.
//
// In: the numbers of a class, and its near-copies. Out: one HTML file without scripts, network
// access or other files. SVG figures show how points are distributed and when attempts came.
// The page links to the students' feedback pages if they were written.
#include "grader/class/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/embedded_file.h"
#include "common/base/text.h"
#include "grader/class/book_file.h"
#include "grader/class/class_styles.h"
#include "grader/class/exceptions.h"
#include "grader/class/explain.h"
#include "grader/class/identities.h"
#include "grader/class/names.h"
#include "grader/class/near_copies.h"
#include "grader/class/rules.h"
#include "grader/class/status.h"
#include "grader/class/timestamps.h"
#include "grader/html/page.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::class_book {

namespace {

using ByExercise = std::map<std::string, ExerciseNumbers*>;

// Each counted grade once for each student who has it. A gate without a value was not decided: the
// submission failed before.
constexpr const char* kGates =
    "SELECT s.lab || '/' || s.exercise, json_extract(one.value, '$.id'), s.student FROM standing "
    "AS "
    "s JOIN grade AS g ON g.id = s.grade, json_each(CASE WHEN json_valid(g.report) THEN g.report "
    "ELSE '{}' END, '$.exercises[0].gates') AS one WHERE g.verdict = 'fail' AND "
    "json_extract(one.value, '$.passed') = 0 AND json_extract(one.value, '$.value') IS NOT NULL "
    "ORDER BY s.student";
constexpr const char* kFindings =
    "SELECT DISTINCT s.lab || '/' || s.exercise, json_extract(one.value, '$.kind'), s.student FROM "
    "standing AS s JOIN grade AS g ON g.id = s.grade, json_each(CASE WHEN json_valid(g.report) "
    "THEN g.report ELSE '{}' END, '$.exercises[0].diagnostics') AS one ORDER BY s.student";
constexpr const char* kReasons =
    "SELECT lab || '/' || exercise, reason, student FROM standing WHERE verdict = 'fail' ORDER BY "
    "student";

void read_standings(Sqlite& book, Numbers& out) {
  std::map<std::string, std::size_t> places;
  for (const auto& work : read_work(book)) {
    const auto [place, is_new] = places.try_emplace(work.id(), out.exercises.size());
    if (is_new) {
      auto& exercise = out.exercises.emplace_back();
      exercise.lab = work.lab;
      exercise.exercise = work.exercise;
      exercise.max_points = work.max_points;
    }
    auto& exercise = out.exercises[place->second];
    if (out.students.empty() || out.students.back().student != work.student) {
      out.students.push_back({work.student, work.name, 0, 0, {}});
    }
    auto& student = out.students.back();
    const bool is_excused = work.standing == Standing::kExcused;
    const auto standing = work.open_reason ? Standing::kOpen : work.standing;
    exercise.passed += standing == Standing::kPass ? 1 : 0;
    exercise.failed += standing == Standing::kFail ? 1 : 0;
    exercise.missing += standing == Standing::kMissing ? 1 : 0;
    exercise.open += standing == Standing::kOpen ? 1 : 0;
    exercise.excused += is_excused ? 1 : 0;
    exercise.attempts += work.attempts;
    if (work.full_points) exercise.points.push_back(*work.full_points);
    student.points += work.points.value_or(0);
    student.max_points += is_excused ? 0 : work.max_points;
    student.cells.push_back({standing, work.points.value_or(0)});
  }
  for (auto& one : out.exercises) std::sort(one.points.begin(), one.points.end());
}

// Reads lists of student names, grouped by the problem that stops them, longest list first.
void read_lists(Sqlite& book, const char* sql, const ByExercise& exercises,
                std::vector<NamedStudents> ExerciseNumbers::*list) {
  Statement ask(book, sql);
  while (ask.step()) {
    const auto found = exercises.find(ask.text(0));
    if (found == exercises.end()) continue;
    auto& all = found->second->*list;
    auto one = std::ranges::find(all, ask.text(1), &NamedStudents::name);
    if (one == all.end()) one = all.insert(all.end(), {ask.text(1), {}});
    one->students.push_back(ask.text(2));
  }
  for (const auto& [id, exercise] : exercises) {
    std::ranges::sort(exercise->*list, [](const NamedStudents& a, const NamedStudents& b) {
      return a.students.size() != b.students.size() ? a.students.size() > b.students.size()
                                                    : a.name < b.name;
    });
  }
}

// Work without a grade: files that were not graded, and attempts that could not be judged.
void read_open(Sqlite& book, Numbers& out) {
  out.files = open_files(book);
  Statement work(
      book,
      "SELECT c.student, c.lab || '/' || c.exercise, coalesce(c.open_reason, 'not "
      "graded yet') FROM counted_attempt AS c JOIN standing AS s USING (student, lab, "
      "exercise) WHERE c.grade IS NULL AND s.open_reason IS NOT NULL ORDER BY c.student, "
      "s.place");
  while (work.step()) out.open.push_back({work.text(0), work.text(1), work.text(2)});
}

void read_attempts(Sqlite& book, Numbers& out) {
  Statement ask(
      book, "SELECT submitted_at, late_share > 0 FROM attempt WHERE found ORDER BY submitted_at");
  while (ask.step()) {
    if (const auto at = parse_utc(ask.text(0))) out.attempts.push_back({*at, ask.integer(1) != 0});
  }
}

void read_slowest(Sqlite& book, Numbers& out) {
  Statement ask(
      book,
      "SELECT s.student, s.lab || '/' || s.exercise, g.seconds, CASE g.verdict WHEN 'fail' "
      "THEN g.reason ELSE g.verdict END FROM standing AS s JOIN grade AS g ON g.id = "
      "s.grade ORDER BY g.seconds DESC, 1, 2 LIMIT 10");
  while (ask.step()) {
    out.slowest.push_back({ask.text(0), ask.text(1), ask.number(2), ask.text(3)});
  }
}

void read_run(Sqlite& book, Numbers& out) {
  out.policy = setting(book, "policy").value_or("");
  Statement run(
      book,
      "SELECT began_at, ended_at, engine, backend, sandbox, program, id FROM run ORDER BY id "
      "DESC LIMIT 1");
  if (!run.step()) return;
  const auto local = [&](const std::string& text) {
    const auto time = parse_utc(text);
    return time ? local_text(*time, out.zone) : std::string("(not ended)");
  };
  out.last_run =
      fmt::format("Last run: {} to {}, {}, {}; sandbox: {}; warpgrade {}", local(run.text(0)),
                  local(run.text(1)), run.text(2), run.text(3), run.text(4), run.text(5));
  // Files that were not graded are in `files` already.
  Statement remarks(book,
                    "SELECT student, file, what FROM problem AS p WHERE run = :run AND NOT (unread "
                    "AND EXISTS (SELECT 1 FROM received AS r WHERE r.state = 'open' AND r.path = "
                    "p.file)) ORDER BY unread DESC, rowid");
  remarks.bind(":run", run.integer(6));
  while (remarks.step()) out.remarks.push_back({remarks.text(0), remarks.text(1), remarks.text(2)});
}

}  // namespace

Numbers read_numbers(Sqlite& book) {
  Numbers out;
  out.zone = zone_of_book(book);
  read_run(book, out);
  read_standings(book, out);
  ByExercise exercises;
  for (auto& one : out.exercises) exercises[one.lab + "/" + one.exercise] = &one;
  read_lists(book, kReasons, exercises, &ExerciseNumbers::reasons);
  read_lists(book, kGates, exercises, &ExerciseNumbers::gates);
  read_lists(book, kFindings, exercises, &ExerciseNumbers::findings);
  read_open(book, out);
  out.unmatched = unmatched_students(book);
  out.waived = waived_gates(book);
  out.exceptions = current_exceptions(book);
  read_attempts(book, out);
  read_slowest(book, out);
  return out;
}

std::string html_page(std::string_view title, std::string_view body) {
  return html::plain_page(title, body, base::embedded(kClassStyles, "class.css").body());
}

std::string badge(Standing standing) {
  switch (standing) {
    case Standing::kPass:
      return "<span class=\"badge good\">PASS</span>";
    case Standing::kFail:
      return "<span class=\"badge bad\">FAIL</span>";
    case Standing::kMissing:
      return "<span class=\"badge bad\">MISSING</span>";
    case Standing::kExcused:
      return "<span class=\"badge quiet\">EXCUSED</span>";
    case Standing::kNotDue:
      return "<span class=\"badge quiet\">NOT DUE</span>";
    case Standing::kUngraded:
    case Standing::kInconclusive:
    case Standing::kError:
    case Standing::kOpen:
      break;
  }
  return "<span class=\"badge open\">OPEN</span>";
}

std::string bar(double share, std::string_view css_class) {
  return fmt::format(
      "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      "<rect class=\"track\" width=\"100\" height=\"10\"/><rect class=\"{}\" width=\"{:.1f}\" "
      "height=\"10\"/></svg>",
      css_class, 100 * std::clamp(share, 0.0, 1.0));
}

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kMostBins = 60;
// Lengths of a bin in hours, each a divisor of the next.
constexpr std::array<std::int64_t, 8> kBinHours = {1, 6, 24, 72, 216, 648, 1944, 5832};

std::string rect(const char* css_class, double x, double y, double width, double height,
                 const std::string& title) {
  return fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{}"
      "</title></rect>\n",
      css_class, x, y, width, height, title);
}

std::string words_of(std::int64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

std::vector<std::int64_t> points_histogram(const std::vector<double>& points, double most) {
  std::vector<std::int64_t> out(12);
  for (const double value : points) {
    const auto tenth = most > 0 ? static_cast<std::size_t>(std::ceil(10 * value / most - 1e-9)) : 0;
    const auto place = value <= 0 ? 0 : value >= most ? 11 : std::clamp<std::size_t>(tenth, 1, 10);
    ++out[place];
  }
  return out;
}

std::string points_figure(const std::vector<double>& points, double most) {
  constexpr double kHeight = 26;
  const auto counts = points_histogram(points, most);
  const auto highest = std::max<std::int64_t>(1, *std::max_element(counts.begin(), counts.end()));
  auto out = fmt::format(
      "<svg class=\"histogram\" role=\"img\" viewBox=\"0 0 132 28\" aria-label=\"{} with no "
      "points, {} with all {:g} points, {} between\">\n",
      counts.front(), counts.back(), most,
      static_cast<std::int64_t>(points.size()) - counts.front() - counts.back());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    // One student among many must be visible.
    const auto share = static_cast<double>(counts[i]) / static_cast<double>(highest);
    const auto height = counts[i] == 0 ? 0 : std::max(1.5, kHeight * share);
    const auto x = 11 * static_cast<double>(i);
    const auto tenth = most / 10;
    const auto lower = tenth * (static_cast<double>(i) - 1);
    const auto where = i == 0    ? std::string("no points")
                       : i == 11 ? fmt::format("all {:g} points", most)
                                 : fmt::format("above {:g} to {:g} points", lower, lower + tenth);
    const auto* css_class = i == 0 ? "fill bad" : i == 11 ? "fill good" : "fill";
    out += rect("track", x, kHeight, 10, 1, where);
    if (counts[i] > 0) {
      out += rect(css_class, x, kHeight - height, 10, height,
                  words_of(counts[i], "student", "students") + ", " + where);
    }
  }
  return out + "</svg>\n";
}

std::vector<TimeBin> attempt_bins(const std::vector<AttemptTime>& attempts,
                                  std::int64_t ahead_of_utc) {
  std::vector<TimeBin> out;
  if (attempts.empty()) return out;
  const auto first = attempts.front().at + ahead_of_utc;
  const auto last = attempts.back().at + ahead_of_utc;
  auto length = kBinHours.back() * kHour;
  for (const auto hours : kBinHours) {
    if (last / (hours * kHour) - first / (hours * kHour) >= kMostBins) continue;
    length = hours * kHour;
    break;
  }
  // The first bin also counts all earlier times, which come from a wrong clock.
  const auto begin = std::max(first / length, last / length - kMostBins + 1);
  for (auto i = begin; i <= last / length; ++i) out.push_back({i * length - ahead_of_utc, 0, 0});
  for (const auto& one : attempts) {
    const auto place = (one.at + ahead_of_utc) / length - begin;
    auto& bin = out[static_cast<std::size_t>(std::max<std::int64_t>(0, place))];
    (one.late ? bin.late : bin.on_time) += 1;
  }
  return out;
}

std::string attempts_figure(const std::vector<AttemptTime>& attempts, const TimeZone& zone) {
  constexpr double kWidth = 900;
  constexpr double kHeight = 120;
  if (attempts.empty()) return {};
  // Days are those of the clock that the last attempt saw.
  const auto last = attempts.back().at;
  const auto bins = attempt_bins(attempts, TimeZone().utc_of(zone.local_of(last)) - last);
  std::int64_t highest = 1;
  std::int64_t late = 0;
  for (const auto& bin : bins) {
    highest = std::max(highest, bin.on_time + bin.late);
    late += bin.late;
  }
  const auto minute = [&](std::int64_t at) { return local_text(at, zone); };
  auto out = fmt::format(
      "<svg role=\"img\" viewBox=\"0 0 {} 160\" aria-label=\"{} from {} to {}, {} of them "
      "late\">\n",
      kWidth, words_of(static_cast<std::int64_t>(attempts.size()), "attempt", "attempts"),
      minute(attempts.front().at), minute(attempts.back().at), late);
  const double step = std::min(60.0, kWidth / static_cast<double>(bins.size()));
  const double unit = kHeight / static_cast<double>(highest);
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const auto x = step * static_cast<double>(i);
    const auto on_time = unit * static_cast<double>(bins[i].on_time);
    const auto too_late = unit * static_cast<double>(bins[i].late);
    const auto from = "from " + minute(bins[i].begin);
    out += rect("track", x, 14 + kHeight, step - 1, 1, from);
    if (on_time > 0) {
      out += rect("fill", x, 14 + kHeight - on_time, step - 1, on_time,
                  words_of(bins[i].on_time, "attempt ", "attempts ") + from);
    }
    if (too_late > 0) {
      out += rect("fill bad", x, 14 + kHeight - on_time - too_late, step - 1, too_late,
                  fmt::format("{} late {}", bins[i].late, from));
    }
  }
  out += fmt::format("<text x=\"0\" y=\"10\">{} at most in a bar</text>\n", highest);
  out += fmt::format("<text x=\"0\" y=\"152\">{}</text>\n", minute(bins.front().begin));
  if (bins.size() > 8) {
    out += fmt::format("<text class=\"end\" x=\"{:.0f}\" y=\"152\">{}</text>\n",
                       step * static_cast<double>(bins.size()), minute(bins.back().begin));
  }
  return out + "</svg>\n";
}

namespace {

constexpr std::size_t kMostShown = 100;  // rows of a list that may be long
constexpr std::size_t kMostNames = 8;

std::string card(const std::string& heading, const std::string& body) {
  return "<section class=\"exercise\">\n<h2>" + heading + "</h2>\n" + body + "</section>\n";
}

std::string table(const std::string& head, const std::string& rows) {
  return "<div class=\"wide\"><table>\n<tr>" + head + "</tr>\n" + rows + "</table></div>\n";
}

std::string text_cell(const std::string& html) { return "<td class=\"text\">" + html + "</td>"; }

std::string number_cell(const std::string& text) {
  return "<td class=\"number\">" + text + "</td>";
}

std::string more(std::size_t all) {
  if (all <= kMostShown) return {};
  return html::paragraph(fmt::format("and {} more", all - kMostShown), "quiet");
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", base::grouped(count), count == 1 ? one : many);
}

std::string name_of(const ExerciseNumbers& one) {
  return html::escaped_name(one.lab + "/" + one.exercise);
}

// Links to the rows of students in the last table of the page.
class StudentLinks {
 public:
  explicit StudentLinks(const std::vector<StudentNumbers>& students) {
    for (std::size_t i = 0; i < students.size(); ++i) rows_[students[i].student] = i;
  }
  std::string operator()(const std::string& student) const {
    const auto row = rows_.find(student);
    if (row == rows_.end()) return html::escaped(student);
    // Without quotes: a class of 300 has 17,000 such links.
    return fmt::format("<a href=#s{}>{}</a>", row->second, html::escaped(student));
  }
  /// All of them, or the first `most` and a count.
  std::string all(const std::vector<std::string>& students, std::size_t most = SIZE_MAX) const {
    std::string out;
    for (std::size_t i = 0; i < std::min(students.size(), most); ++i) {
      out += (i == 0 ? "" : ", ") + (*this)(students[i]);
    }
    if (students.size() > most) out += fmt::format(" and {} more", students.size() - most);
    return out;
  }

 private:
  std::map<std::string, std::size_t> rows_;
};

std::string exercise_row(const ExerciseNumbers& one) {
  double sum = 0;
  for (const double value : one.points) sum += value;
  const auto graded = one.points.size();
  const auto mean = graded == 0 ? std::string("&ndash;")
                                : fmt::format("{:.1f}", sum / static_cast<double>(graded));
  const auto median =
      graded == 0 ? std::string("&ndash;") : fmt::format("{:g}", one.points[(graded - 1) / 2]);
  auto out = "<tr><td class=\"nowrap\">" + name_of(one) + "</td><td>" +
             points_figure(one.points, one.max_points) + "</td>";
  out += number_cell(mean) + number_cell(median) + number_cell(fmt::format("{:g}", one.max_points));
  for (const auto count :
       {one.passed, one.failed, one.missing, one.open, one.excused, one.attempts}) {
    out += number_cell(count == 0 ? "&ndash;" : fmt::format("{}", count));
  }
  return out + "</tr>\n";
}

std::string exercises_section(const Numbers& numbers) {
  std::string rows;
  for (const auto& one : numbers.exercises) rows += exercise_row(one);
  return card(
      "Exercises",
      html::paragraph("Points of graded submissions before late deductions: none (red), each "
                      "tenth, all (green).",
                      "quiet") +
          table("<th>Exercise</th><th>points</th><th class=\"number\">mean</th><th "
                "class=\"number\">median</th><th class=\"number\">of</th><th "
                "class=\"number\">pass</th><th class=\"number\">fail</th><th "
                "class=\"number\">missing</th><th class=\"number\">open</th><th "
                "class=\"number\">excused</th><th class=\"number\">attempts</th>",
                rows));
}

// Each name with its students, and their share of the graded submissions.
std::string stopped_students(const std::vector<NamedStudents>& list, std::size_t graded,
                             const StudentLinks& links) {
  std::string out;
  for (const auto& one : list) {
    const auto count = one.students.size();
    const auto share =
        100.0 * static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(1, graded));
    out += fmt::format("<details><summary>{} {} ({:.0f} %)</summary>{}</details>\n", count,
                       html::escaped(one.name), share, links.all(one.students));
  }
  return out;
}

std::string reasons_section(const Numbers& numbers, const StudentLinks& links) {
  std::string rows;
  for (const auto& one : numbers.exercises) {
    if (one.failed == 0 && one.findings.empty()) continue;
    const auto graded = static_cast<std::size_t>(one.passed + one.failed);
    rows += "<tr><td class=\"nowrap\">" + name_of(one) + "</td>" +
            number_cell(fmt::format("{} of {}", one.failed, graded)) +
            text_cell(stopped_students(one.reasons, graded, links)) +
            text_cell(stopped_students(one.gates, graded, links)) +
            text_cell(stopped_students(one.findings, graded, links)) + "</tr>\n";
  }
  if (rows.empty()) return card("Reasons", html::paragraph("No graded submission fails."));
  return card(
      "Reasons",
      html::paragraph("Share of graded submissions. Open a reason for its students.", "quiet") +
          table("<th>Exercise</th><th class=\"number\">fail</th><th>first reason</th><th>gates "
                "not passed</th><th>diagnostics</th>",
                rows));
}

std::string attempts_section(const Numbers& numbers) {
  if (numbers.attempts.empty()) return {};
  return card("Attempts",
              "<div class=\"figure\">\n" + attempts_figure(numbers.attempts, numbers.zone) +
                  "</div>\n" +
                  html::paragraph(fmt::format("Time of submission ({}); late attempts in "
                                              "red. The {} attempt counts.",
                                              numbers.zone.name(), numbers.policy),
                                  "quiet"));
}

// Students with work who are not in the roster, and possible rows of the roster.
std::string unmatched_table(const std::vector<UnmatchedStudent>& students,
                            const StudentLinks& links) {
  std::string rows;
  for (std::size_t i = 0; i < std::min(students.size(), kMostShown); ++i) {
    const auto& one = students[i];
    rows += "<tr><td>" + links(one.student) + "</td>" +
            text_cell(html::escaped(text::joined(one.nearest))) + "</tr>\n";
  }
  return html::paragraph(fmt::format(
             "{} not in the roster. Points that may be theirs are blank until "
             "identify them with `class match`.",
             counted(students.size(), "student with work is", "students with work are"))) +
         table("<th>Student</th><th>Similar students of the roster</th>", rows) +
         more(students.size());
}

std::string files_table(const std::vector<OpenFile>& files, const StudentLinks& links) {
  std::string rows;
  for (std::size_t i = 0; i < std::min(files.size(), kMostShown); ++i) {
    const auto& one = files[i];
    rows += "<tr><td>" + (one.student.empty() ? "unknown" : links(one.student)) + "</td>" +
            text_cell(html::escaped(one.path)) + text_cell(html::escaped(one.reason)) + "</tr>\n";
  }
  return html::paragraph(fmt::format(
             "{} received and not graded. The points that depend on {} are blank.",
             counted(files.size(), "file was", "files were"), files.size() == 1 ? "it" : "them")) +
         table("<th>Student</th><th>File</th><th>Reason</th>", rows) + more(files.size());
}

// Attempts without a grade by reason, the most frequent reason first.
std::string open_table(const std::vector<OpenWork>& open, const StudentLinks& links) {
  std::map<std::string, std::vector<const OpenWork*>> by_reason;
  for (const auto& one : open) by_reason[one.reason].push_back(&one);
  std::vector<std::pair<std::string, std::vector<const OpenWork*>>> all(by_reason.begin(),
                                                                        by_reason.end());
  std::ranges::stable_sort(
      all, [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  std::string rows;
  for (const auto& [why, those] : all) {
    std::string shown;
    for (std::size_t i = 0; i < std::min(those.size(), kMostNames); ++i) {
      shown +=
          (i == 0 ? "" : ", ") + links(those[i]->student) + " " + html::escaped(those[i]->exercise);
    }
    if (those.size() > kMostNames)
      shown += fmt::format(" and {} more", base::grouped(those.size() - kMostNames));
    rows += "<tr>" + text_cell(html::escaped(why)) + number_cell(base::grouped(those.size())) +
            text_cell(shown) + "</tr>\n";
  }
  return html::paragraph(
             fmt::format("{} no grade yet. Mend what the reason names, then run the same command "
                         "with --retry.",
                         counted(open.size(), "attempt has", "attempts have"))) +
         table("<th>Reason</th><th class=\"number\">attempts</th><th>Submissions</th>", rows);
}

std::string remarks_list(const std::vector<HandInProblem>& remarks, const StudentLinks& links) {
  std::string rows;
  for (std::size_t i = 0; i < std::min(remarks.size(), kMostShown); ++i) {
    const auto& one = remarks[i];
    rows += "<tr><td>" + links(one.student) + "</td>" + text_cell(html::escaped(one.file)) +
            text_cell(html::escaped(one.what)) + "</tr>\n";
  }
  return fmt::format("<details{}><summary>{} of the last run</summary>\n",
                     remarks.size() <= kMostNames ? " open" : "",
                     counted(remarks.size(), "remark", "remarks")) +
         table("<th>Student</th><th>File</th><th>Remark</th>", rows) + more(remarks.size()) +
         "</details>\n";
}

// Files and attempts that need a person.
std::string open_section(const Numbers& numbers, const StudentLinks& links) {
  std::string out;
  if (!numbers.unmatched.empty()) out += unmatched_table(numbers.unmatched, links);
  if (!numbers.files.empty()) out += files_table(numbers.files, links);
  if (!numbers.open.empty()) out += open_table(numbers.open, links);
  if (out.empty()) out = html::paragraph("All work has a grade.");
  for (const auto& one : numbers.waived)
    out += html::paragraph(html::escaped(described(one)) + ".");
  if (!numbers.remarks.empty()) out += remarks_list(numbers.remarks, links);
  return card("Needs attention", out);
}

std::string exceptions_section(const Numbers& numbers, const StudentLinks& links) {
  if (numbers.exceptions.empty()) return {};
  std::string rows;
  for (const auto& one : numbers.exceptions) {
    rows += "<tr><td>" + links(one.student) + "</td><td>" + html::escaped(exercises_of(one)) +
            "</td><td class=\"nowrap\">" + html::escaped(described(one, numbers.zone)) +
            "</td><td>" + html::escaped(one.who) + "</td>" + text_cell(html::escaped(one.why)) +
            "</tr>\n";
  }
  return card(
      "Extensions, excuses and bonuses",
      table("<th>Student</th><th>Exercises</th><th>Decision</th><th>by</th><th>Reason</th>", rows));
}

std::string slowest_section(const Numbers& numbers, const StudentLinks& links) {
  if (numbers.slowest.empty()) return {};
  std::string rows;
  for (const auto& one : numbers.slowest) {
    rows += fmt::format(
        "<tr><td>{}</td><td>{}</td><td class=\"number\">{:.1f} s</td><td>{}</td></tr>\n",
        links(one.student), html::escaped(one.exercise), one.seconds, html::escaped(one.outcome));
  }
  return card(
      "Slowest to grade",
      table("<th>Student</th><th>Exercise</th><th class=\"number\">time</th><th>outcome</th>",
            rows));
}

std::string similar_section(const std::vector<NearCopy>& copies, const StudentLinks& links) {
  std::string rows;
  for (std::size_t i = 0; i < std::min(copies.size(), kMostShown); ++i) {
    const auto& one = copies[i];
    const bool same = one.other_students.empty();
    rows += fmt::format(
        "<tr><td>{}</td><td class=\"text\">{}</td><td class=\"text\">{}</td><td class=\"number\">{}"
        "</td><td class=\"nowrap\">{}</td></tr>\n",
        html::escaped(one.exercise), links.all(one.students, kMostNames),
        links.all(one.other_students, kMostNames),
        same ? std::string("same file") : fmt::format("{:.0f} %", 100 * one.share),
        same ? "" : fmt::format("line {} / {}", one.line, one.other_line));
  }
  if (rows.empty()) return card("Near-copies", html::paragraph("No near-copies."));
  return card(
      "Near-copies",
      html::paragraph("Near-copies are a hint for you and no verdict: students who were "
                      "taught the same write alike. Names, comments and layout do not count, "
                      "nor does code that the course gives or that many students have.") +
          table("<th>Exercise</th><th>Students</th><th>and</th><th "
                "class=\"number\">alike</th><th>from</th>",
                rows) +
          more(copies.size()));
}

// Short, since a class of 300 has 12,000 cells.
std::string cell(const StudentNumbers::Cell& cell) {
  if (cell.standing == Standing::kMissing && cell.points == 0) return "<td>\u2013";
  if (cell.standing == Standing::kOpen) return "<td class=open>?";
  if (cell.standing == Standing::kExcused) return "<td>ex";
  return fmt::format("<td class={}>{:g}", cell.standing == Standing::kPass ? "good" : "bad",
                     cell.points);
}

// A row for each student, with the exercises' names upright so that a whole course fits.
std::string students_section(const Numbers& numbers, const FeedbackAddress& feedback) {
  std::string head = "<th>Student</th><th class=\"number\">points</th>";
  for (const auto& one : numbers.exercises) {
    head += "<th class=\"upright\"><span>" + name_of(one) + "</span></th>";
  }
  std::string rows;
  for (std::size_t i = 0; i < numbers.students.size(); ++i) {
    const auto& one = numbers.students[i];
    const auto address = feedback(one.student);
    const auto shown = address.empty() ? html::escaped(one.student)
                                       : fmt::format("<a href=\"{}\">{}</a>", url_path(address),
                                                     html::escaped(one.student));
    const bool is_named = !one.name.empty() && one.name != one.student;
    rows += fmt::format(
        "<tr id=\"s{}\"><td class=\"who\">{}{}</td>", i, shown,
        is_named ? " <span class=\"quiet\">" + html::escaped(one.name) + "</span>" : "");
    rows += number_cell(fmt::format("{:g} of {:g}", one.points, one.max_points));
    for (const auto& each : one.cells) rows += cell(each);
    rows += "</tr>\n";
  }
  return card("Students", html::paragraph("\u2013 missing, ? open, ex excused", "quiet") +
                              "<div class=\"wide marks\"><table>\n<tr>" + head + "</tr>\n" + rows +
                              "</table></div>\n");
}

}  // namespace

std::string class_page(const Numbers& numbers, const std::vector<NearCopy>& near_copies,
                       const FeedbackAddress& feedback) {
  const StudentLinks links(numbers.students);
  std::int64_t attempts = 0;  // Those of unknown time, too.
  for (const auto& one : numbers.exercises) attempts += one.attempts;
  auto body =
      fmt::format("<h1>{}, {}, {}</h1>\n", counted(numbers.students.size(), "student", "students"),
                  counted(numbers.exercises.size(), "exercise", "exercises"),
                  counted(static_cast<std::size_t>(attempts), "attempt", "attempts"));
  body += html::paragraph(numbers.last_run.empty() ? "No run yet." : numbers.last_run, "quiet");
  body += open_section(numbers, links) + exercises_section(numbers);
  body += reasons_section(numbers, links) + attempts_section(numbers);
  body += exceptions_section(numbers, links) + slowest_section(numbers, links);
  body += similar_section(near_copies, links) + students_section(numbers, feedback);
  return html_page(fmt::format("Class of {}", numbers.students.size()), body);
}

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// Exports of a book: `class export` and `class feedback`.
//
// In: the book, a format, and a file or folder. Out: CSV (RFC 4180), the format of Canvas, Moodle
// or nbgrader, the filled roster, the instructor's page, or the list of near-copies. For students:
// an overview with the points of each exercise and links to the pages of the grades, and the
// reports as text. These have no data of other students or secret cases: student_view() removed
// them from the grades' texts and pages.
#include "grader/class/exports.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class/book_file.h"
#include "grader/class/explain.h"
#include "grader/class/gradebook.h"
#include "grader/class/names.h"
#include "grader/class/near_copies.h"
#include "grader/class/page.h"
#include "grader/class/rules.h"
#include "grader/class/spool.h"
#include "grader/class/timestamps.h"
#include "grader/course/course.h"
#include "grader/html/page.h"
#include "grader/report/formats/class_grades.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::class_book {

namespace {

constexpr std::array<const char*, 31> kColumns = {
    "student",     "lab",        "exercise",       "points",      "max_points",   "verdict",
    "reason",      "sha256",     "backend",        "device",      "submitted_at", "graded_at",
    "full_points", "late_share", "attempts",       "open_reason", "adjusted_by",  "adjusted_why",
    "name",        "deadline",   "extended_until", "extended_by", "extended_why", "excused_by",
    "excused_why", "bonus",      "bonus_by",       "bonus_why",   "waived",       "comment",
    "comment_by"};

bool is_number_column(std::string_view column) {
  return column == "points" || column == "max_points" || column == "full_points" ||
         column == "late_share" || column == "attempts" || column == "bonus";
}

}  // namespace

std::string csv_text(Sqlite& book) {
  std::string asked;
  for (const auto* column : kColumns) asked += (asked.empty() ? "" : ", ") + std::string(column);
  auto out = report::csv_line({kColumns.begin(), kColumns.end()});
  Statement rows(book, fmt::format("SELECT {} FROM standing ORDER BY student, place", asked));
  while (rows.step()) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      const auto column = static_cast<int>(i);
      auto& cell = cells.emplace_back();
      if (rows.is_null(column)) continue;
      cell = is_number_column(kColumns.at(i)) ? fmt::format("{:g}", rows.number(column))
                                              : report::csv_name(rows.text(column));
    }
    out += report::csv_line(cells);
  }
  return out;
}

namespace {

namespace fs = std::filesystem;

// A row for each student and exercise, by student. Names, addresses and numbers are the roster's;
// without a roster, the last name is the last word, or what is before a comma.
std::vector<report::ClassGrade> read_grades(Sqlite& book) {
  std::vector<report::ClassGrade> out;
  std::map<std::string, Enrolled> enrolled;
  if (auto roster = roster_of(book)) {
    for (auto& one : roster->students) enrolled[one.student] = std::move(one);
  }
  for (const auto& work : read_work(book)) {
    auto& grade = out.emplace_back();
    grade.student = work.student;
    std::tie(grade.first_name, grade.last_name) = split_name(work.name);
    if (const auto known = enrolled.find(grade.student); known != enrolled.end()) {
      const auto& one = known->second;
      std::tie(grade.first_name, grade.last_name) = std::tie(one.first_name, one.last_name);
      std::tie(grade.email, grade.number) = std::tie(one.email, one.number);
    }
    grade.lab = work.lab;
    grade.exercise = work.exercise;
    grade.points = work.points;
    grade.excused = work.standing == Standing::kExcused;
    // Manual changes and bonuses are not deductions.
    grade.full_points = work.full_points ? *work.full_points + work.bonus : work.points.value_or(0);
    grade.due_at = work.deadline;
    grade.max_points = work.max_points;
    grade.submitted_at = work.submitted_at;
  }
  return out;
}

struct ClassFormat {
  std::string_view name;
  std::string (*render)(Sqlite& book);
};

// Formats that are the roster's file, filled in.
constexpr std::array<std::string_view, 3> kOfRoster = {"blackboard", "brightspace", "roster"};

template <std::string (*Render)(const std::vector<report::ClassGrade>&)>
std::string of_grades(Sqlite& book) {
  return Render(read_grades(book));
}

constexpr std::array kFormats = {
    ClassFormat{"csv", csv_text},
    ClassFormat{"canvas", of_grades<report::render_canvas>},
    ClassFormat{"moodle", of_grades<report::render_moodle>},
    ClassFormat{"nbgrader", of_grades<report::render_nbgrader>},
};

// "was ill (eve)"
std::string reason_of(const Decision& one) { return fmt::format("{} ({})", one.why, one.who); }

// The extension that moved the deadline; may be empty.
std::string extension_of(const StudentWork& work, const TimeZone& zone) {
  const auto& until = work.extended_until;
  if (until.empty() || work.deadline > until) return {};
  return fmt::format("deadline extended to {}: {}", local_text(parse_utc(until).value_or(0), zone),
                     reason_of(work.extension));
}

// Reasons for the points, the most important first.
std::string remark_of(const StudentWork& work, const TimeZone& zone) {
  if (work.standing == Standing::kExcused) return "excused: " + reason_of(work.excuse);
  std::vector<std::string> parts;
  if (work.adjusted_points) {
    parts.push_back("set by hand: " + work.adjustment.why);
  } else if (!work.points && work.open_reason) {
    parts.push_back(*work.open_reason);
  } else if (work.standing == Standing::kMissing) {
    const auto due = parse_utc(work.extended_until);
    parts.push_back(!work.points && due ? "nothing handed in yet; due " + local_text(*due, zone)
                                        : "nothing handed in");
  } else if (work.late_share > 0) {
    parts.push_back(fmt::format("handed in late: {:g} % less", 100 * work.late_share));
  }
  if (work.bonus > 0) {
    parts.push_back(fmt::format("{:g} bonus point{}: {}", work.bonus, work.bonus == 1 ? "" : "s",
                                reason_of(work.bonus_decision)));
  }
  if (!work.comment.why.empty()) parts.push_back("comment: " + reason_of(work.comment));
  return text::joined(std::span<const std::string>(parts), "; ");
}

FeedbackRow feedback_row(const StudentWork& work, const TimeZone& zone) {
  FeedbackRow out;
  out.exercise = work.id();
  out.standing = work.standing;
  out.max_points = work.max_points;
  const bool is_missing = work.standing == Standing::kMissing;
  if (!is_missing || work.adjusted_points || work.bonus != 0) out.points = work.points;
  if (!work.points && work.open_reason) out.standing = Standing::kOpen;
  if (!work.points && is_missing && !work.open_reason) out.standing = Standing::kNotDue;
  out.remark = remark_of(work, zone);
  return out;
}

// "9 of 10"; empty if the student is excused.
std::string points_of(const FeedbackRow& row) {
  if (row.standing == Standing::kExcused) return {};
  const bool is_blank = row.standing == Standing::kOpen || row.standing == Standing::kNotDue;
  if (is_blank && !row.points) return fmt::format("\u2013 of {:g}", row.max_points);
  return fmt::format("{:g} of {:g}", row.points.value_or(0), row.max_points);
}

// "coalescing/copy: 9 of 10 points (handed in late: 10 % less)"
std::string feedback_line(const FeedbackRow& row) {
  if (!row.points) return fmt::format("{}: {}", row.exercise, row.remark);
  return fmt::format("{}: {} points{}", row.exercise, points_of(row),
                     row.remark.empty() ? "" : " (" + row.remark + ")");
}

FillRules fill_rules(Sqlite& book) {
  FillRules out;
  Statement ask(book, "SELECT substr(name, 8), value FROM setting WHERE name LIKE 'column %'");
  while (ask.step()) out.titles[ask.text(0)] = ask.text(1);
  if (setting(book, "scale")) out.scale = PointScale::kColumn;
  const auto zone = zone_of_book(book);
  for (const auto& work : read_work(book)) {
    const auto row = feedback_row(work, zone);
    auto& text = out.feedback[work.student];
    text += (text.empty() ? "" : "\n") + feedback_line(row);
  }
  return out;
}

// The roster's file with points, if its format is `format`.
std::optional<std::string> filled_roster(Sqlite& book, std::string_view format) {
  auto roster = roster_of(book);
  if (!roster || (format != "roster" && format != name(roster->kind)) || format == "csv") {
    return std::nullopt;
  }
  auto rules = fill_rules(book);
  rules.is_for_import = format != "roster";
  return fill_gradebook(std::move(*roster), read_grades(book), rules);
}

// The address of a student's overview, relative to the page.
FeedbackAddress feedback_addresses(const Export& options) {
  if (options.feedback.empty()) return [](const std::string&) { return std::string(); };
  if (!fs::is_directory(options.feedback)) {
    throw base::UsageError(
        fmt::format("--feedback: {} is not a folder; `class feedback` writes one",
                    base::escape_controls(options.feedback.string())));
  }
  const auto folder = fs::absolute(options.feedback).lexically_normal();
  const auto from = fs::absolute(options.out).lexically_normal().parent_path();
  return [folder, from](const std::string& student) {
    const auto page = folder / student / "index.html";
    std::error_code ignored;
    if (!fs::exists(page, ignored)) return std::string();
    return page.lexically_relative(from).string();
  };
}

}  // namespace

bool is_gradebook_format(std::string_view format) {
  return format == "canvas" || format == "moodle" ||
         std::ranges::find(kOfRoster, format) != kOfRoster.end();
}

std::vector<std::string> other_maxima_of(Sqlite& book) {
  std::vector<std::string> out;
  const auto roster = roster_of(book);
  if (!roster) return out;
  const auto rules = fill_rules(book);
  for (const auto& one : other_maxima(*roster, read_grades(book), rules.titles)) {
    out.push_back(described(one, rules.scale));
  }
  return out;
}

std::string exported(Sqlite& book, std::string_view format) {
  if (auto filled = filled_roster(book, format)) return std::move(*filled);
  const bool needs_roster = std::ranges::find(kOfRoster, format) != kOfRoster.end();
  if (needs_roster) {
    throw base::UsageError(
        fmt::format("--format {}: `roster` of class.toml has to be {} when the class is run",
                    format, format == "roster" ? "set" : "the platform's export of its gradebook"));
  }
  const auto* const found = std::ranges::find(kFormats, format, &ClassFormat::name);
  if (found == kFormats.end()) throw base::UsageError("--format: unknown format");
  return found->render(book);
}

void write_export(Sqlite& book, const Export& options,
                  const std::function<course::Course()>& course) {
  std::string text;
  if (options.format == "html") {
    const auto feedback = feedback_addresses(options);
    text = class_page(read_numbers(book), near_copies(book, course()), feedback);
  } else if (options.format == "similar") {
    text = similar_csv(near_copies(book, course()));
  } else {
    text = exported(book, options.format);
  }
  text::write_atomically(options.out, text);
}

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
    const auto shown =
        row.page.empty() ? name : fmt::format("<a href=\"{}\">{}</a>", url_path(row.page), name);
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
  for (const auto& row : rows) out += feedback_line(row) + "\n";
  return base::escape_controls(out, /*keep_newlines=*/true);
}

namespace {

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

  void add(Sqlite& book, const StudentWork& work, const TimeZone& zone) {
    auto& row = rows_.emplace_back(feedback_row(work, zone));
    if (const auto extension = extension_of(work, zone); !extension.empty()) {
      extensions_[extension].push_back(row.exercise);
    }
    const auto name = work.lab + "_" + work.exercise + ".html";
    Statement grade(book, "SELECT text, page FROM grade WHERE id = :grade");
    if (grade.bind(":grade", work.grade).step()) {
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
  const auto zone = zone_of_book(book);
  std::optional<StudentFolder> now;
  std::size_t count = 0;
  for (const auto& work : read_work(book)) {
    if (!now || now->student() != work.student) {
      if (now) now->write();
      now.emplace(folder, FeedbackStudent{work.student, work.name});
      ++count;
    }
    now->add(book, work, zone);
  }
  if (now) now->write();
  return count;
}

}  // namespace warpgrade::grader::class_book

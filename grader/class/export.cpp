// SPDX-License-Identifier: Apache-2.0
#include "grader/class/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class/book_file.h"
#include "grader/class/gradebook.h"
#include "grader/class/near_copies.h"
#include "grader/class/numbers.h"
#include "grader/class/page.h"
#include "grader/course/course.h"
#include "grader/report/formats/class_grades.h"
#include "grader/text/files.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr std::array<const char*, 29> kColumns = {
    "student",     "lab",        "exercise",       "points",      "max_points",   "verdict",
    "reason",      "sha256",     "backend",        "device",      "submitted_at", "graded_at",
    "full_points", "late_share", "attempts",       "open_reason", "adjusted_by",  "adjusted_why",
    "name",        "deadline",   "extended_until", "extended_by", "extended_why", "excused_by",
    "excused_why", "bonus",      "bonus_by",       "bonus_why",   "waived"};

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

/// A row for each student and exercise, by student. Names, addresses and numbers are the roster's;
/// without a roster, the last name is the last word, or what is before a comma.
static std::vector<report::ClassGrade> read_grades(Sqlite& book);

namespace {

namespace fs = std::filesystem;

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

// The platform's own gradebook that is the class's roster.
std::optional<Gradebook> roster_of(Sqlite& book) {
  Statement ask(book, "SELECT value FROM setting WHERE name = 'roster'");
  if (!ask.step()) return std::nullopt;
  return read_gradebook(ask.text(0), "the roster");
}

// The roster's file with points, if its format is `format`.
std::optional<std::string> filled_roster(Sqlite& book, std::string_view format) {
  auto roster = roster_of(book);
  if (!roster || (format != "roster" && format != name(roster->kind)) || format == "csv") {
    return std::nullopt;
  }
  std::map<std::string, std::string> titles;
  Statement ask(book, "SELECT substr(name, 8), value FROM setting WHERE name LIKE 'column %'");
  while (ask.step()) titles[ask.text(0)] = ask.text(1);
  return fill_gradebook(std::move(*roster), read_grades(book), titles);
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

static std::vector<report::ClassGrade> read_grades(Sqlite& book) {
  std::vector<report::ClassGrade> out;
  std::map<std::string, Enrolled> enrolled;
  if (auto roster = roster_of(book)) {
    for (auto& one : roster->students) enrolled[one.student] = std::move(one);
  }
  Statement rows(
      book,
      "SELECT student, name, lab, exercise, points, full_points, max_points, "
      "submitted_at, verdict = 'excused', bonus, deadline FROM standing ORDER BY student, place");
  while (rows.step()) {
    auto& grade = out.emplace_back();
    grade.student = rows.text(0);
    std::tie(grade.first_name, grade.last_name) = split_name(rows.text(1));
    if (const auto known = enrolled.find(grade.student); known != enrolled.end()) {
      const auto& one = known->second;
      std::tie(grade.first_name, grade.last_name) = std::tie(one.first_name, one.last_name);
      std::tie(grade.email, grade.number) = std::tie(one.email, one.number);
    }
    grade.lab = rows.text(2);
    grade.exercise = rows.text(3);
    if (!rows.is_null(4)) grade.points = rows.number(4);
    grade.excused = rows.integer(8) != 0;
    // Manual changes and bonuses are not deductions.
    grade.full_points =
        rows.is_null(5) ? grade.points.value_or(0) : rows.number(5) + rows.number(9);
    grade.due_at = rows.text(10);
    grade.max_points = rows.number(6);
    grade.submitted_at = rows.text(7);
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

}  // namespace warpgrade::grader::class_book

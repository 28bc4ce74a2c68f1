// SPDX-License-Identifier: Apache-2.0
#include "grader/class/exceptions_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class/csv_table.h"
#include "grader/text/files.h"

namespace warpgrade::grader::class_book {
namespace {

namespace fs = std::filesystem;

// One row or table, before it becomes one decision for each kind.
struct ExceptionRow {
  StudentException common;
  std::optional<std::int64_t> until;
  bool excused = false;
  std::optional<double> bonus;
};

[[noreturn]] void refuse_entry(const std::string& place, const std::string& why) {
  throw base::UsageError(fmt::format("{}: {}", base::escape_controls(place), why));
}

void add_decisions(const ExceptionRow& row, std::vector<StudentException>& out) {
  const auto& place = row.common.place;
  if (row.common.student.empty()) refuse_entry(place, "the student is missing");
  if (row.common.who.empty()) refuse_entry(place, "`by` is missing: the name of who decided this");
  if (row.common.why.empty()) refuse_entry(place, "`why` is missing: the reason");
  if (!row.until && !row.excused && !row.bonus) {
    refuse_entry(place, "one of `until`, `excused` and `bonus` must be set");
  }
  auto one = row.common;
  if (row.until) {
    one.kind = ExceptionKind::kExtension;
    one.until = *row.until;
    out.push_back(one);
    one.until = 0;
  }
  if (row.excused) {
    one.kind = ExceptionKind::kExcuse;
    out.push_back(one);
  }
  if (row.bonus) {
    if (!std::isfinite(*row.bonus) || *row.bonus <= 0)
      refuse_entry(place, "a bonus is more than 0");
    one.kind = ExceptionKind::kBonus;
    one.points = *row.bonus;
    out.push_back(one);
  }
}

std::vector<StudentException> exceptions_in_tables(const toml::array& nodes, text::Table& table,
                                                   const TimeZone& zone) {
  std::vector<StudentException> out;
  auto all = table.tables("extensions");
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto& each = all[i];
    each.rename(fmt::format("extension {}", i + 1));
    ExceptionRow row;
    row.common.student = each.text("student");
    row.common.exercise = each.text_or("exercise", "");
    row.common.who = each.text("by");
    row.common.why = each.text("why");
    const auto where = each.where();
    row.common.place = fmt::format("{}:{}", where.file, where.line);
    if (each.may_have("until")) {
      row.until = time_in_toml(*nodes.get(i)->as_table()->get("until"), each, "until", zone);
    }
    row.excused = each.flag_or("excused", false);
    if (each.may_have("bonus")) row.bonus = each.number("bonus");
    each.finish();
    add_decisions(row, out);
  }
  return out;
}

std::string lowered(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  for (auto& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

bool is_yes(const std::string& text, const std::string& place) {
  static constexpr std::array<std::string_view, 6> kYes = {"yes", "true", "1", "x", "y", "excused"};
  static constexpr std::array<std::string_view, 5> kNo = {"", "no", "false", "0", "n"};
  const auto word = lowered(text);
  if (std::ranges::find(kYes, word) != kYes.end()) return true;
  if (std::ranges::find(kNo, word) == kNo.end()) refuse_entry(place, "`excused` is yes or no");
  return false;
}

double points_in(std::string text, const std::string& place) {
  text = lowered(text);
  // A spreadsheet that separates cells by semicolons writes decimal commas.
  std::replace(text.begin(), text.end(), ',', '.');
  double out = 0;
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, out);
  if (read.ec != std::errc() || read.ptr != end) refuse_entry(place, "`bonus` is not a number");
  return out;
}

std::map<std::string, std::size_t> columns_in(const CsvTable& table, const std::string& shown) {
  static constexpr std::array<std::string_view, 7> kNames = {
      "student", "exercise", "until", "excused", "bonus", "by", "why"};
  std::map<std::string, std::size_t> out;
  for (std::size_t i = 0; table.rows() > 0 && i < table.columns(0); ++i) {
    const auto title = lowered(table.text(0, i));
    if (title.empty()) continue;
    if (std::ranges::find(kNames, title) == kNames.end()) {
      refuse_entry(shown + ":1", fmt::format("no column is called `{}`; the columns are student, "
                                             "exercise, until, excused, bonus, by and why",
                                             base::escape_controls(title)));
    }
    out[title] = i;
  }
  for (const auto* needed : {"student", "by", "why"}) {
    if (!out.contains(needed)) {
      refuse_entry(shown + ":1", fmt::format("the column `{}` is missing", needed));
    }
  }
  return out;
}

std::vector<StudentException> exceptions_in_csv(std::string_view bytes, const std::string& shown,
                                                const TimeZone& zone) {
  const CsvTable table(bytes);
  const auto columns = columns_in(table, shown);
  std::vector<StudentException> out;
  for (std::size_t i = 1; i < table.rows(); ++i) {
    bool is_empty = true;
    for (const auto& [title, column] : columns)
      is_empty = is_empty && table.text(i, column).empty();
    if (is_empty) continue;
    const auto cell = [&](const char* title) {
      const auto found = columns.find(title);
      return found == columns.end() ? std::string() : table.text(i, found->second);
    };
    ExceptionRow row;
    row.common.student = cell("student");
    row.common.exercise = cell("exercise");
    row.common.who = cell("by");
    row.common.why = cell("why");
    row.common.place = fmt::format("{}:{}", shown, i + 1);
    if (const auto until = cell("until"); !until.empty()) {
      row.until = parse_time(until, zone);
      if (!row.until) {
        refuse_entry(row.common.place,
                     fmt::format("`{}` is not a time; write it as 2026-11-20 23:59",
                                 base::escape_controls(until)));
      }
    }
    row.excused = is_yes(cell("excused"), row.common.place);
    if (const auto bonus = cell("bonus"); !bonus.empty()) {
      row.bonus = points_in(bonus, row.common.place);
    }
    add_decisions(row, out);
  }
  return out;
}

void resolve_exercise(StudentException& one, const course::Course& course) {
  if (one.exercise.empty()) {
    one.lab.clear();
  } else {
    try {
      const auto named = select(course, {one.exercise});
      const bool is_lab = named.front().lab->id == one.exercise;
      one.lab = named.front().lab->id;
      one.exercise = is_lab ? std::string() : named.front().exercise->id;
    } catch (const base::UsageError& error) {
      refuse_entry(one.place, error.what());
    }
  }
  if (one.kind == ExceptionKind::kBonus && one.exercise.empty()) {
    refuse_entry(one.place, "a bonus is for one exercise: name it as LAB/EXERCISE");
  }
}

// The student's key if exactly one student of the roster has `text` in one of the fields.
std::string student_in_roster(const std::vector<Enrolled>& roster, const std::string& text) {
  const Enrolled* found = nullptr;
  for (const auto& one : roster) {
    if (one.student == text) return text;
    const bool has_text = text == one.login || text == one.email || text == one.number ||
                          text == one.id || text == one.name;
    if (!has_text) continue;
    if (found != nullptr) return text;
    found = &one;
  }
  return found == nullptr ? text : found->student;
}

}  // namespace

std::int64_t time_in_toml(const toml::node& node, text::Table& table, std::string_view key,
                          const TimeZone& zone) {
  if (node.is_string()) {
    if (const auto time = parse_time(table.text(key), zone)) return *time;
  } else if (node.is_date_time() || node.is_date()) {
    table.may_have(key);
    std::ostringstream text;
    node.visit([&](const auto& value) {
      if constexpr (toml::is_date_time<decltype(value)> || toml::is_date<decltype(value)>) {
        text << *value;
      }
    });
    if (const auto time = parse_time(text.str(), zone)) return *time;
  }
  table.fail(key,
             "this is not a time; write it as 2026-11-20T23:59:00Z or \"2026-11-20 23:59\", "
             "which is in `timezone`");
}

std::vector<StudentException> read_exceptions(const toml::table& parsed, text::Table& table,
                                              const fs::path& folder, const TimeZone& zone) {
  if (const auto* tables = parsed["extensions"].as_array()) {
    return exceptions_in_tables(*tables, table, zone);
  }
  const auto file = folder / table.text("extensions");
  return exceptions_in_csv(text::read_file(file, file.string()), file.string(), zone);
}

void resolve_exercises(std::vector<StudentException>& all, const course::Course& course) {
  for (auto& one : all) resolve_exercise(one, course);
}

void resolve_students(std::vector<StudentException>& all, const std::vector<Enrolled>& roster) {
  std::set<std::tuple<std::string, std::string, std::string, ExceptionKind>> known;
  for (auto& one : all) {
    one.student = student_in_roster(roster, one.student);
    if (!known.emplace(one.student, one.lab, one.exercise, one.kind).second) {
      refuse_entry(one.place, fmt::format("{} has another {} for the same exercises",
                                          base::escape_controls(one.student), name(one.kind)));
    }
  }
}

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
#include "grader/class/exceptions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class/book_file.h"
#include "grader/class/gradebook.h"
#include "grader/class/names.h"
#include "grader/class/timestamps.h"
#include "grader/course/course.h"
#include "grader/text/files.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr std::array<std::string_view, 3> kExceptionKinds = {"extension", "excuse", "bonus"};
constexpr std::string_view kOfCommand = "command";

using ExceptionKey = std::tuple<std::string, std::string, std::string, ExceptionKind>;

ExceptionKey key_of(const StudentException& one) {
  return {one.student, one.lab, one.exercise, one.kind};
}

std::string until_text(const StudentException& one) {
  return one.kind == ExceptionKind::kExtension ? utc_text(one.until) : std::string();
}

void put_exception(Sqlite& book, const StudentException& one, bool removed,
                   std::string_view origin) {
  Statement put(book,
                "INSERT INTO exception (student, lab, exercise, kind, until, points, removed, who, "
                "why, origin) VALUES (:student, :lab, :exercise, :kind, :until, :points, :removed, "
                ":who, :why, :origin)");
  put.bind(":student", one.student).bind(":lab", one.lab).bind(":exercise", one.exercise);
  put.bind(":kind", name(one.kind)).bind(":until", removed ? std::string() : until_text(one));
  put.bind(":points", removed ? 0.0 : one.points).bind(":removed", removed);
  put.bind(":who", one.who).bind(":why", one.why).bind(":origin", origin).run();
}

StudentException exception_in(const Statement& row) {
  StudentException out;
  out.student = row.text(0);
  out.lab = row.text(1);
  out.exercise = row.text(2);
  const auto* const kind = std::ranges::find(kExceptionKinds, row.text(3));
  out.kind = static_cast<ExceptionKind>(kind - kExceptionKinds.begin());
  out.until = parse_utc(row.text(4)).value_or(0);
  out.points = row.number(5);
  out.who = row.text(6);
  out.why = row.text(7);
  return out;
}

bool is_same(const StudentException& a, const StudentException& b) {
  return key_of(a) == key_of(b) && until_text(a) == until_text(b) && a.points == b.points &&
         a.who == b.who && a.why == b.why;
}

// A decision of a class.toml at the time of its last run.
struct KnownDecision {
  StudentException decision;
  std::string file;
};

// The newest decisions of that class.toml, without withdrawn ones.
void add_known(Sqlite& book, const std::string& file, std::vector<KnownDecision>& out) {
  Statement ask(
      book,
      "SELECT student, lab, exercise, kind, until, points, who, why FROM exception AS x WHERE NOT "
      "removed AND id = (SELECT max(id) FROM exception WHERE student = x.student AND kind = x.kind "
      "AND lab = x.lab AND exercise = x.exercise AND origin = :file)");
  ask.bind(":file", file);
  while (ask.step()) out.push_back({exception_in(ask), file});
}

// Whether the newest decision is one of a command.
bool is_overruled(Sqlite& book, const StudentException& one) {
  Statement ask(book,
                "SELECT origin FROM exception WHERE student = :student AND lab = :lab AND exercise "
                "= :exercise AND kind = :kind ORDER BY id DESC LIMIT 1");
  ask.bind(":student", one.student).bind(":lab", one.lab).bind(":exercise", one.exercise);
  ask.bind(":kind", name(one.kind));
  return ask.step() && ask.text(0) == kOfCommand;
}

}  // namespace

std::string_view name(ExceptionKind kind) {
  return kExceptionKinds.at(static_cast<std::size_t>(kind));
}

void grant(Sqlite& book, const StudentException& one) {
  put_exception(book, one, /*removed=*/false, kOfCommand);
}

bool take_back(Sqlite& book, const StudentException& one) {
  Statement known(book,
                  "SELECT 1 FROM current_exception WHERE student = :student AND lab = :lab AND "
                  "exercise = :exercise AND kind = :kind");
  known.bind(":student", one.student).bind(":lab", one.lab).bind(":exercise", one.exercise);
  known.bind(":kind", name(one.kind));
  if (!known.step()) return false;
  put_exception(book, one, /*removed=*/true, kOfCommand);
  return true;
}

void take_in_exceptions(Sqlite& book, const std::vector<StudentException>& all,
                        const std::vector<std::string>& files) {
  std::vector<KnownDecision> known;
  for (const auto& file : files) add_known(book, file, known);
  std::set<ExceptionKey> left_out;
  for (const auto& one : of_unknown_students(book, all, {})) left_out.insert(key_of(one));
  std::set<ExceptionKey> present;
  for (const auto& one : all) {
    present.insert(key_of(one));
    const bool is_known = std::ranges::any_of(
        known, [&](const KnownDecision& each) { return is_same(each.decision, one); });
    if (is_known || left_out.contains(key_of(one))) continue;
    put_exception(book, one, /*removed=*/false, files.front());
  }
  for (auto& [one, file] : known) {
    if (present.contains(key_of(one)) || is_overruled(book, one)) continue;
    one.why = "no longer in class.toml or in the gradebook";
    put_exception(book, one, /*removed=*/true, file);
  }
}

std::vector<StudentException> of_unknown_students(Sqlite& book,
                                                  const std::vector<StudentException>& all,
                                                  const std::vector<std::string>& present) {
  std::set<std::string> known(present.begin(), present.end());
  Statement students(book, "SELECT student FROM student WHERE NOT forgotten");
  while (students.step()) known.insert(students.text(0));
  std::vector<StudentException> out;
  for (const auto& one : all) {
    if (!known.contains(one.student)) out.push_back(one);
  }
  return out;
}

std::string exercises_of(const StudentException& one) {
  if (one.lab.empty()) return "all exercises";
  return one.exercise.empty() ? one.lab : one.lab + "/" + one.exercise;
}

std::string described(const StudentException& one, const TimeZone& zone) {
  switch (one.kind) {
    case ExceptionKind::kExtension:
      return "until " + local_text(one.until, zone);
    case ExceptionKind::kExcuse:
      return "excused";
    case ExceptionKind::kBonus:
      return fmt::format("{:g} bonus point{}", one.points, one.points == 1 ? "" : "s");
  }
  return {};
}

std::vector<StudentException> current_exceptions(Sqlite& book) {
  Statement ask(book,
                "SELECT student, lab, exercise, kind, until, points, who, why FROM "
                "current_exception ORDER BY student, lab, exercise, kind");
  std::vector<StudentException> out;
  while (ask.step()) out.push_back(exception_in(ask));
  return out;
}

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
    if (each.accept("until")) {
      row.until = time_in_toml(*nodes.get(i)->as_table()->get("until"), each, "until", zone);
    }
    row.excused = each.flag_or("excused", false);
    if (each.accept("bonus")) row.bonus = each.number("bonus");
    each.finish();
    add_decisions(row, out);
  }
  return out;
}

std::string lowered(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return ascii_lower(text.substr(std::min(text.find_first_not_of(' '), text.size())));
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
    table.accept(key);
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

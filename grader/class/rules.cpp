// SPDX-License-Identifier: Apache-2.0
#include "grader/class/rules.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "grader/class/book_file.h"
#include "grader/class/exceptions.h"
#include "grader/class/gradebook.h"
#include "grader/class/identities.h"
#include "grader/class/layout.h"
#include "grader/class/timestamps.h"
#include "grader/course/course.h"
#include "grader/text/files.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::class_book {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kPolicies = {"latest", "best", "first"};

TimeZone zone_in(text::Table& table) {
  if (!table.accept("timezone")) return {};
  const auto found = TimeZone::called(table.text("timezone"));
  if (!found) {
    table.fail("timezone",
               "the tz database of this machine has no such zone; zones are called "
               "\"Europe/Berlin\" or \"America/New_York\" (Debian: tzdata)");
  }
  return *found;
}

double share_in(text::Table& table, std::string_view key, double otherwise) {
  if (!table.accept(key)) return otherwise;
  const auto percent = table.number(key);
  if (percent < 0 || percent > 100) table.fail(key, "percent are from 0 to 100");
  return percent / 100;
}

LatePolicy late_in(text::Table table) {
  LatePolicy out;
  if (table.accept("grace_minutes")) out.grace_seconds = 60 * table.count("grace_minutes");
  out.share_a_day = share_in(table, "percent_a_day", 0);
  out.most_share = share_in(table, "at_most", 1);
  table.finish();
  return out;
}

// The roster and the titles of its columns, with the file itself: exports fill it in.
void roster_in(const toml::table& parsed, text::Table& table, const fs::path& folder, Rules& out) {
  const auto file = folder / table.text("roster");
  out.roster_bytes = text::read_file(file, file.string());
  auto gradebook = read_gradebook(out.roster_bytes, file.string());
  out.roster = std::move(gradebook.students);
  if (!table.accept("columns")) return;
  auto titles = table.table("columns");
  for (const auto& [key, value] : *parsed["columns"].as_table()) {
    const std::string exercise(key.str());
    const auto title = titles.text(exercise);
    if (!gradebook.column_called(title)) {
      titles.fail(exercise, "the roster has no column of that title");
    }
    out.columns[exercise] = title;
  }
  titles.finish();
}

Rules rules_in(const fs::path& file) {
  const auto shown = file.string();
  const auto parsed = base::parse_toml(text::read_file(file, shown), shown);
  text::Table table(parsed, shown, "the class");
  Rules out;
  if (table.accept("name")) {
    try {
      out.rule.emplace(table.text("name"));
    } catch (const base::TomlError&) {
      throw;
    } catch (const base::UsageError& error) {
      table.fail("name", error.what());
    }
  }
  if (table.accept("layout")) {
    out.layout = static_cast<Layout>(table.choice("layout", layout_names()));
  }
  if (table.accept("level")) out.level = static_cast<std::size_t>(table.count("level"));
  out.zone = zone_in(table);
  out.time_format = table.text_or("time_format", "");
  if (table.accept("ignore")) out.ignored = table.texts("ignore");
  if (table.accept("roster")) roster_in(parsed, table, file.parent_path(), out);
  if (table.accept("exercises")) out.exercises = table.texts("exercises");
  out.policy = static_cast<Policy>(table.choice_or("policy", kPolicies, 0));
  if (table.accept("deadline"))
    out.deadlines[""] = time_in_toml(*parsed.get("deadline"), table, "deadline", out.zone);
  if (table.accept("deadlines")) {
    auto each = table.table("deadlines");
    for (const auto& [key, value] : *parsed["deadlines"].as_table()) {
      out.deadlines[std::string(key.str())] = time_in_toml(value, each, key.str(), out.zone);
    }
  }
  if (table.accept("extensions")) {
    out.exceptions = read_exceptions(parsed, table, file.parent_path(), out.zone);
  }
  if (table.accept("groups")) out.groups = read_groups(parsed, table, file.parent_path());
  if (table.accept("late")) out.late = late_in(table.table("late"));
  table.finish();
  return out;
}

}  // namespace

std::string_view name(Policy policy) { return kPolicies.at(static_cast<std::size_t>(policy)); }

std::optional<Policy> policy_called(std::string_view text) {
  const auto* const found = std::ranges::find(kPolicies, text);
  if (found == kPolicies.end()) return std::nullopt;
  return static_cast<Policy>(found - kPolicies.begin());
}

double LatePolicy::share(std::int64_t deadline, std::int64_t submitted,
                         const TimeZone& zone) const {
  const auto days = static_cast<double>(days_late(deadline, submitted, grace_seconds, zone));
  return std::min(days * share_a_day, most_share);
}

std::optional<std::int64_t> Rules::deadline_of(const std::string& lab,
                                               const std::string& exercise) const {
  for (const auto& key : {lab + "/" + exercise, lab, std::string()}) {
    if (const auto found = deadlines.find(key); found != deadlines.end()) return found->second;
  }
  return std::nullopt;
}

Rules read_rules(const fs::path& submissions) {
  const auto absolute = fs::absolute(submissions).lexically_normal();
  const auto folder = absolute.has_filename() ? absolute : absolute.parent_path();
  Rules none;
  for (const auto& file : {folder / "class.toml", folder.parent_path() / "class.toml"}) {
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) {
      none.files.push_back(file.string());
      continue;
    }
    auto out = rules_in(file);
    out.files = {file.string()};
    return out;
  }
  return none;
}

void keep_late_rules(Sqlite& book, std::int64_t source,
                     const std::vector<course::Selected>& exercises, const Rules& rules) {
  Statement put(book,
                "UPDATE source SET timezone = :timezone, grace_seconds = :grace_seconds, "
                "share_a_day = :share_a_day, most_share = :most_share WHERE id = :source");
  put.bind(":timezone", rules.zone.name()).bind(":grace_seconds", rules.late.grace_seconds);
  put.bind(":share_a_day", rules.late.share_a_day).bind(":most_share", rules.late.most_share);
  put.bind(":source", source).run();
  Statement due(
      book, "UPDATE exercise SET deadline = :deadline WHERE lab = :lab AND exercise = :exercise");
  for (const auto& one : exercises) {
    const auto deadline = rules.deadline_of(one.lab->id, one.exercise->id);
    due.bind(":deadline", deadline ? utc_text(*deadline) : std::string());
    due.bind(":lab", one.lab->id).bind(":exercise", one.exercise->id).run();
  }
}

void refresh_late_shares(Sqlite& book, const std::string& student) {
  Statement ask(
      book,
      "SELECT a.id, a.late_share, a.submitted_at, a.deadline, coalesce((SELECT until FROM "
      "held_exception AS x WHERE x.student = a.student AND x.lab = a.lab AND x.exercise = "
      "a.exercise AND x.kind = 'extension'), ''), s.timezone, s.grace_seconds, s.share_a_day, "
      "s.most_share FROM attempt AS a JOIN source AS s ON s.id = a.found_in WHERE a.deadline IS "
      "NOT NULL AND (:student = '' OR a.student = :student)");
  ask.bind(":student", student);
  std::vector<std::pair<std::int64_t, double>> changed;
  while (ask.step()) {
    const auto submitted = parse_utc(ask.text(2));
    const auto deadline = parse_utc(ask.text(3));
    double share = 0;
    if (submitted && deadline) {
      const auto until = std::max(*deadline, parse_utc(ask.text(4)).value_or(*deadline));
      const auto zone = TimeZone::called(ask.text(5)).value_or(TimeZone());
      share =
          LatePolicy{ask.integer(6), ask.number(7), ask.number(8)}.share(until, *submitted, zone);
    }
    if (share != ask.number(1)) changed.emplace_back(ask.integer(0), share);
  }
  Statement put(book, "UPDATE attempt SET late_share = :late_share WHERE id = :attempt");
  for (const auto& [attempt, share] : changed) {
    put.bind(":late_share", share).bind(":attempt", attempt).run();
  }
}

TimeZone zone_of_book(Sqlite& book) {
  Statement ask(book, "SELECT timezone FROM source ORDER BY run DESC LIMIT 1");
  return ask.step() ? TimeZone::called(ask.text(0)).value_or(TimeZone()) : TimeZone();
}

}  // namespace warpgrade::grader::class_book

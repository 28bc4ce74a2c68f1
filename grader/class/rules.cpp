// SPDX-License-Identifier: Apache-2.0
#include "grader/class/rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
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
constexpr std::array<std::string_view, 2> kScales = {"points", "column"};

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

// The titles that class.toml gives to the columns of the roster.
void columns_in(const toml::table& parsed, text::Table& table, Rules& out) {
  auto titles = table.table("columns");
  for (const auto& [key, value] : *parsed["columns"].as_table()) {
    if (key.str() != "identity") out.columns[std::string(key.str())] = titles.text(key.str());
  }
  if (titles.accept("identity")) {
    auto own = titles.table("identity");
    for (const auto& [key, value] : *parsed["columns"]["identity"].as_table()) {
      const auto meaning = meaning_called(key.str());
      if (!meaning) {
        own.fail(key.str(),
                 "a student is named by student, name, first, last, login, number, id "
                 "or email");
      }
      out.identity[*meaning] = own.text(key.str());
    }
  }
  titles.finish();
}

// The roster, with the file itself: exports fill it in.
void roster_in(const toml::table& parsed, text::Table& table, const fs::path& folder, Rules& out) {
  if (table.accept("columns")) columns_in(parsed, table, out);
  if (!table.accept("roster")) return;
  const auto file = folder / table.text("roster");
  out.roster_bytes = text::read_file(file, file.string());
  auto gradebook = read_gradebook(out.roster_bytes, file.string(), out.identity);
  const auto have = fmt::format("`{}`", fmt::join(gradebook.titles(), "`, `"));
  const auto expect = [&](const text::Table& place, std::string_view key,
                          const std::string& title) {
    if (gradebook.column_called(title)) return;
    place.fail(key, fmt::format("the roster has no column of that title; its columns are {}",
                                base::escape_controls(have)));
  };
  for (const auto& [exercise, title] : out.columns) expect(table.table("columns"), exercise, title);
  for (const auto& [meaning, title] : out.identity) {
    expect(table.table("columns").table("identity"), name(meaning), title);
  }
  out.roster = std::move(gradebook.students);
}

Rules rules_in(const fs::path& file) {
  const auto shown = file.string();
  const auto parsed = base::parse_toml(text::read_file(file, shown), shown);
  text::Table table(parsed, shown, "the class");
  Rules out;
  if (table.accept("name")) {
    try {
      const auto expression = table.text("name");
      out.rule.emplace(expression);
      out.has_time_group = expression.find("<time>") != std::string::npos;
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
  roster_in(parsed, table, file.parent_path(), out);
  out.scale = static_cast<PointScale>(table.choice_or("scale", kScales, 0));
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
  out.has_late = table.accept("late");
  if (out.has_late) out.late = late_in(table.table("late"));
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

bool Rules::has_submission_times() const {
  return std::ranges::any_of(
      roster, [&](const Enrolled& one) { return moodle_time(one.modified, zone).has_value(); });
}

void apply_submission_times(HandedIn& handed_in, const Rules& rules) {
  if (!handed_in.lacks_times) return;
  std::map<std::string, std::optional<std::int64_t>> times;
  for (const auto& one : rules.roster) times[one.student] = moodle_time(one.modified, rules.zone);
  for (auto& one : handed_in.attempts) one.submitted_at = times[one.student];
  for (auto& one : handed_in.received) one.time = times[one.student];
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
    const auto beside = folder.parent_path() / "class.toml";
    if (file != beside && fs::is_regular_file(beside, ignored)) out.unused_file = beside.string();
    return out;
  }
  return none;
}

namespace {

// The key that the course has for an exercise or lab of class.toml, which may name an exercise of
// the class by its last part alone.
std::string full_key(const std::string& key, const Rules& rules, const course::Course& course) {
  const bool is_lab = std::ranges::find(course.labs, key, &course::Lab::id) != course.labs.end();
  if (key.empty() || is_lab) return key;
  std::vector<std::string> found;
  for (const auto& one : select(course, rules.exercises)) {
    if (one.exercise->id == key) found.push_back(one.lab->id + "/" + one.exercise->id);
  }
  if (found.size() == 1) return found.front();
  try {
    const auto one = select(course, {key}).front();
    return one.lab->id + "/" + one.exercise->id;
  } catch (const base::UsageError& error) {
    throw base::UsageError(
        fmt::format("{}: {}", base::escape_controls(rules.files.front()), error.what()));
  }
}

template <typename Value>
void resolve_keys(std::map<std::string, Value>& all, const Rules& rules,
                  const course::Course& course) {
  std::map<std::string, Value> out;
  for (auto& [key, value] : all) out[full_key(key, rules, course)] = value;
  all = std::move(out);
}

bool is_of_class(const std::string& key, const std::vector<course::Selected>& exercises) {
  return key.empty() || std::ranges::any_of(exercises, [&](const course::Selected& one) {
           return key == one.lab->id || key == one.lab->id + "/" + one.exercise->id;
         });
}

}  // namespace

void resolve_titles_and_deadlines(Rules& rules, const course::Course& course) {
  resolve_keys(rules.columns, rules, course);
  resolve_keys(rules.deadlines, rules, course);
}

std::vector<std::string> idle_settings(const Rules& rules,
                                       const std::vector<course::Selected>& exercises) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& key, const std::string& why) {
    out.push_back(fmt::format("{} changes nothing: {}", key, why));
  };
  if (!rules.unused_file.empty()) {
    add(base::escape_controls(rules.unused_file),
        "the class.toml in the submissions is read instead; keep one of them");
  }
  if (rules.has_late && rules.deadlines.empty()) {
    add("[late]", "no deadline is set; add deadline = \"2026-11-20 23:59\" to class.toml");
  } else if (rules.has_late && (rules.late.share_a_day == 0 || rules.late.most_share == 0)) {
    add("[late]", "it deducts 0 percent; set percent_a_day, and at_most above 0");
  }
  for (const auto& [key, deadline] : rules.deadlines) {
    if (is_of_class(key, exercises)) continue;
    add("[deadlines] " + key, "`exercises` does not have it; add it there, or remove the deadline");
  }
  for (const auto& [key, title] : rules.columns) {
    if (is_of_class(key, exercises)) continue;
    add("[columns] " + key, "`exercises` does not have it; add it there, or remove the title");
  }
  if (rules.roster_bytes.empty()) {
    const auto* why = "no roster is set; add roster = \"gradebook.csv\" to class.toml";
    if (!rules.columns.empty() || !rules.identity.empty()) add("[columns]", why);
    if (rules.scale == PointScale::kColumn) add("scale", why);
  }
  if (rules.rule && rules.layout) {
    add("layout", "`name` sets how files are named; remove one of them");
  }
  if (!rules.time_format.empty() && !rules.has_time_group) {
    add("time_format", "it is for the group `time` of `name`, which has no such group");
  }
  const bool has_deadline = !rules.deadlines.empty();
  for (const auto& one : rules.exceptions) {
    if (one.kind != ExceptionKind::kExtension || has_deadline || one.place.empty()) continue;
    add("the extension in " + base::escape_controls(one.place),
        "no deadline is set; add deadline = \"2026-11-20 23:59\" to class.toml");
    break;
  }
  return out;
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

// SPDX-License-Identifier: Apache-2.0
#include "grader/class/class_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/text/files.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kPolicies = {"latest", "best", "first"};

// A deadline as a text, or as TOML writes times and dates.
std::int64_t deadline_in(const toml::node& node, Table& table, std::string_view key,
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

TimeZone zone_in(Table& table) {
  if (!table.may_have("timezone")) return {};
  const auto found = TimeZone::called(table.text("timezone"));
  if (!found) {
    table.fail("timezone",
               "the tz database of this machine has no such zone; zones are called "
               "\"Europe/Berlin\" or \"America/New_York\" (Debian: tzdata)");
  }
  return *found;
}

double share_in(Table& table, std::string_view key, double otherwise) {
  if (!table.may_have(key)) return otherwise;
  const auto percent = table.number(key);
  if (percent < 0 || percent > 100) table.fail(key, "percent are from 0 to 100");
  return percent / 100;
}

LatePolicy late_in(Table table) {
  LatePolicy out;
  if (table.may_have("grace_minutes")) out.grace_seconds = 60 * table.count("grace_minutes");
  out.share_a_day = share_in(table, "percent_a_day", 0);
  out.most_share = share_in(table, "at_most", 1);
  table.finish();
  return out;
}

// The roster and the titles of its columns, with the file itself: exports fill it in.
void roster_in(const toml::table& parsed, Table& table, const fs::path& folder, ClassRules& out) {
  const auto file = folder / table.text("roster");
  out.roster_bytes = read_file(file, file.string());
  auto gradebook = read_gradebook(out.roster_bytes, file.string());
  out.roster = std::move(gradebook.students);
  if (!table.may_have("columns")) return;
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

ClassRules rules_in(const fs::path& file) {
  const auto shown = file.string();
  const auto parsed = parse_toml(read_file(file, shown), shown);
  Table table(parsed, shown, "the class");
  ClassRules out;
  if (table.may_have("name")) {
    try {
      out.rule.emplace(table.text("name"));
    } catch (const TomlError&) {
      throw;
    } catch (const base::UsageError& error) {
      table.fail("name", error.what());
    }
  }
  if (table.may_have("layout")) {
    out.layout = static_cast<Layout>(table.choice("layout", layout_names()));
  }
  out.zone = zone_in(table);
  out.time_format = table.text_or("time_format", "");
  if (table.may_have("ignore")) out.ignored = table.texts("ignore");
  if (table.may_have("roster")) roster_in(parsed, table, file.parent_path(), out);
  if (table.may_have("exercises")) out.exercises = table.texts("exercises");
  out.policy = static_cast<Policy>(table.choice_or("policy", kPolicies, 0));
  if (table.may_have("deadline"))
    out.deadlines[""] = deadline_in(*parsed.get("deadline"), table, "deadline", out.zone);
  if (table.may_have("deadlines")) {
    auto each = table.table("deadlines");
    for (const auto& [key, value] : *parsed["deadlines"].as_table()) {
      out.deadlines[std::string(key.str())] = deadline_in(value, each, key.str(), out.zone);
    }
  }
  if (table.may_have("late")) out.late = late_in(table.table("late"));
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

double ClassRules::late_share(const std::string& lab, const std::string& exercise,
                              std::int64_t submitted_at) const {
  for (const auto& key : {lab + "/" + exercise, lab, std::string()}) {
    const auto found = deadlines.find(key);
    if (found == deadlines.end()) continue;
    const auto days =
        static_cast<double>(days_late(found->second, submitted_at, late.grace_seconds, zone));
    return std::min(days * late.share_a_day, late.most_share);
  }
  return 0;
}

ClassRules read_class_rules(const fs::path& submissions) {
  const auto absolute = fs::absolute(submissions).lexically_normal();
  const auto folder = absolute.has_filename() ? absolute : absolute.parent_path();
  for (const auto& file : {folder / "class.toml", folder.parent_path() / "class.toml"}) {
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored)) return rules_in(file);
  }
  return {};
}

}  // namespace warpgrade::grader

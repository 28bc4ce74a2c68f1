// SPDX-License-Identifier: Apache-2.0
#include "grader/class/late_shares.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "grader/class/utc_time.h"

namespace warpgrade::grader::class_book {

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

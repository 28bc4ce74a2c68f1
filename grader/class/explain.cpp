// SPDX-License-Identifier: Apache-2.0
#include "grader/class/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class/book_file.h"
#include "grader/class/rules.h"
#include "grader/class/timestamps.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr std::array<std::string_view, 9> kStandingNames = {
    "", "pass", "fail", "inconclusive", "error", "open", "missing", "not due", "excused"};

}  // namespace

std::string_view name(Standing standing) {
  return kStandingNames.at(static_cast<std::size_t>(standing));
}

Standing standing_called(std::string_view name) {
  const auto found = std::ranges::find(kStandingNames, name);
  return found == kStandingNames.end() ? Standing::kUngraded
                                       : static_cast<Standing>(found - kStandingNames.begin());
}

std::vector<StudentWork> read_work(Sqlite& book, const std::string& student) {
  const std::string where = student.empty() ? "" : "WHERE student = :student ";
  Statement ask(
      book,
      "SELECT student, name, lab, exercise, max_points, points, verdict, reason, "
      "open_reason, full_points, late_share, attempts, attempt, grade, submitted_at, "
      "deadline, extended_until, extended_by, extended_why, excused_by, excused_why, "
      "adjusted_points, adjusted_by, adjusted_why, bonus, bonus_by, bonus_why, comment_by, "
      "comment FROM standing " +
          where + "ORDER BY student, place");
  if (!student.empty()) ask.bind(":student", student);
  std::vector<StudentWork> out;
  while (ask.step()) {
    const auto text = [&](int column) { return ask.text(column); };
    const auto decision = [&](int who) { return Decision{text(who), text(who + 1)}; };
    auto& one = out.emplace_back();
    one.student = text(0);
    one.name = text(1);
    one.lab = text(2);
    one.exercise = text(3);
    one.max_points = ask.number(4);
    one.points = ask.number_or_null(5);
    one.standing = standing_called(text(6));
    one.reason = text(7);
    if (!ask.is_null(8)) one.open_reason = text(8);
    one.full_points = ask.number_or_null(9);
    one.late_share = ask.number(10);
    one.attempts = ask.integer(11);
    one.attempt = ask.integer(12);
    one.grade = ask.integer(13);
    one.submitted_at = text(14);
    one.deadline = text(15);
    one.extended_until = text(16);
    one.extension = decision(17);
    one.excuse = decision(19);
    one.adjusted_points = ask.number_or_null(21);
    one.adjustment = decision(22);
    one.bonus = ask.number(24);
    one.bonus_decision = decision(25);
    one.comment = decision(27);
  }
  return out;
}

namespace {

using Json = nlohmann::ordered_json;

// A UTC time of the book in the class's zone, with seconds: they decide whether work is late.
std::string local_time(const std::string& utc, const TimeZone& zone) {
  const auto time = parse_utc(utc);
  return time ? exact_local_text(*time, zone) : std::string("unknown time");
}

// "; 1 day 2 h 0 min 5 s after the deadline"; empty if it came in time.
std::string delay_text(const std::string& submitted, const std::string& deadline) {
  const auto came = parse_utc(submitted);
  const auto due = parse_utc(deadline);
  if (!came || !due || *came <= end_of_deadline(*due)) return {};
  auto left = *came - *due;
  std::string out = "; ";
  bool is_begun = false;
  const auto add = [&](std::int64_t unit, const char* name) {
    is_begun = is_begun || left >= unit;
    if (is_begun) out += fmt::format("{} {} ", left / unit, name);
    left %= unit;
  };
  constexpr std::int64_t kDay = 86400;
  constexpr std::int64_t kHour = 3600;
  add(kDay, *came - *due < 2 * kDay ? "day" : "days");
  add(kHour, "h");
  add(60, "min");
  return out + fmt::format("{} s after the deadline", left);
}

void read_student(Sqlite& book, ExplainedStudent& out) {
  Statement known(book,
                  "SELECT name, in_roster, unmatched FROM class_student WHERE student = :student");
  if (!known.bind(":student", out.student).step()) throw unknown_student(book, out.student);
  out.name = known.text(0);
  out.in_roster = known.integer(1) != 0;
  out.is_unmatched = known.integer(2) != 0;
  out.policy = setting(book, "policy").value_or("");
  out.timezone = zone_of_book(book).name();
  Statement given(
      book,
      "SELECT given FROM attempt WHERE student = :student AND found AND given <> :student UNION "
      "SELECT given FROM received WHERE student = :student AND given NOT IN ('', :student)");
  out.given = given.bind(":student", out.student).texts();
  Statement groups(
      book,
      "SELECT g.name || ': ' || (SELECT group_concat(student, ', ') FROM class_group WHERE source "
      "= g.source AND name = g.name) FROM class_group AS g WHERE student = :student ORDER BY 1");
  out.groups = groups.bind(":student", out.student).texts();
}

void read_files(Sqlite& book, ExplainedStudent& out) {
  Statement ask(book,
                "SELECT path, state, CASE WHEN exercise = '' THEN '' ELSE lab || '/' || exercise "
                "END, reason, received_at, bytes, sha256 FROM received WHERE student = :student "
                "AND name <> '' ORDER BY path");
  ask.bind(":student", out.student);
  while (ask.step()) {
    out.files.push_back({ask.text(0), ask.text(1), ask.text(2), ask.text(3), ask.text(4),
                         ask.integer(5), ask.text(6)});
  }
}

void read_attempts_of(Sqlite& book, ExplainedExercise& out) {
  Statement ask(book,
                "SELECT g.attempt, g.source, g.submitted_at, coalesce(g.deadline, ''), "
                "g.late_mark, g.late_share, g.full_points, g.points, coalesce(g.verdict, ''), "
                "coalesce(g.reason, ''), coalesce(g.open_reason, ''), coalesce(g.backend, ''), "
                "coalesce(g.graded_at, ''), g.found, g.waived FROM graded_attempt AS g "
                "WHERE g.student = :student AND g.lab = :lab AND "
                "g.exercise = :exercise ORDER BY g.submitted_at, g.place, g.attempt");
  ask.bind(":student", out.work.student).bind(":lab", out.work.lab);
  ask.bind(":exercise", out.work.exercise);
  while (ask.step()) {
    auto& one = out.attempts.emplace_back();
    one.counts = ask.integer(0) == out.work.attempt;
    one.source = ask.text(1);
    one.submitted_at = ask.text(2);
    one.deadline = ask.text(3);
    one.late_mark = ask.integer(4) != 0;
    one.late_share = ask.number(5);
    one.full_points = ask.number_or_null(6);
    one.points = ask.number_or_null(7);
    one.standing = standing_called(ask.text(8));
    one.reason = ask.text(9);
    one.open_reason = ask.text(10);
    one.backend = ask.text(11);
    one.graded_at = ask.text(12);
    one.is_found = ask.integer(13) != 0;
    one.waived = ask.text(14);
  }
}

void read_exercises(Sqlite& book, ExplainedStudent& out) {
  const auto zone = zone_of_book(book);
  for (auto& work : read_work(book, out.student)) {
    auto& one = out.exercises.emplace_back();
    const auto add = [&](const std::string& what, const Decision& by) {
      one.exceptions.push_back(fmt::format("{}: {} ({})", what, by.why, by.who));
    };
    if (!work.extended_until.empty()) {
      add("deadline extended to " + local_time(work.extended_until, zone), work.extension);
    }
    if (!work.excuse.who.empty()) add("excused", work.excuse);
    if (work.adjusted_points) {
      add(fmt::format("points set to {:g} by hand", *work.adjusted_points), work.adjustment);
    }
    if (work.bonus != 0) add(fmt::format("bonus of {:g} points", work.bonus), work.bonus_decision);
    if (!work.comment.why.empty()) add("comment", work.comment);
    one.work = std::move(work);
    read_attempts_of(book, one);
  }
}

std::string points_text(const std::optional<double>& points, double most) {
  return points ? fmt::format("{:g} of {:g} points", *points, most) : std::string("no points yet");
}

std::string attempt_text(const ExplainedAttempt& one, const ExplainedExercise& of,
                         const std::string& policy, const TimeZone& zone) {
  auto out = fmt::format("  {}, {}: ", one.source, local_time(one.submitted_at, zone));
  if (one.full_points) {
    out +=
        points_text(one.full_points, of.work.max_points) + ", " + std::string(name(one.standing));
    if (one.standing == Standing::kFail) out += " (" + one.reason + ")";
    out += fmt::format(", {}, graded {}", one.backend, local_time(one.graded_at, zone));
  } else {
    out += one.open_reason.empty() ? "not graded" : "not graded: " + one.open_reason;
  }
  out += delay_text(one.submitted_at, of.work.deadline);
  if (!one.waived.empty()) {
    out += fmt::format("; the card cannot decide {}: everybody passes", one.waived);
  }
  if (one.late_share > 0) {
    out += fmt::format("; {:g} % less because it was late{}", 100 * one.late_share,
                       one.points ? fmt::format(": {:g} points", *one.points) : std::string());
  } else if (one.late_mark) {
    out += "; marked as late by the platform: no deduction";
  }
  if (one.counts) return out + "; counts\n";
  if (!one.is_found) return out + "; no longer in the submissions: does not count\n";
  return out + fmt::format("; does not count (policy: {})\n", policy);
}

std::string file_text(const ExplainedFile& one, const TimeZone& zone) {
  auto out =
      fmt::format("  {}, {}, {} bytes: {}", one.path,
                  one.received_at.empty() ? "unknown time" : local_time(one.received_at, zone),
                  one.bytes, one.state);
  if (!one.exercise.empty()) out += " for " + one.exercise;
  if (!one.reason.empty()) out += ": " + one.reason;
  return out + "\n";
}

Json optional_number(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_of(const ExplainedAttempt& one) {
  return {{"source", one.source},
          {"submitted_at", one.submitted_at},
          {"deadline", one.deadline},
          {"late_mark", one.late_mark},
          {"late_share", one.late_share},
          {"full_points", optional_number(one.full_points)},
          {"points", optional_number(one.points)},
          {"verdict", name(one.standing)},
          {"reason", one.reason},
          {"open_reason", one.open_reason},
          {"waived", one.waived},
          {"backend", one.backend},
          {"graded_at", one.graded_at},
          {"found", one.is_found},
          {"counts", one.counts}};
}

}  // namespace

ExplainedStudent explain_student(Sqlite& book, const std::string& student) {
  ExplainedStudent out;
  out.student = student;
  read_student(book, out);
  read_files(book, out);
  read_exercises(book, out);
  return out;
}

std::string render_text(const ExplainedStudent& student) {
  const auto zone = TimeZone::called(student.timezone).value_or(TimeZone());
  auto out = student.student;
  if (!student.name.empty() && student.name != student.student) out += " (" + student.name + ")";
  if (student.is_unmatched) out += ", not in the roster: `class match` says who it is";
  if (!student.given.empty()) out += ", in the submissions as " + text::joined(student.given);
  out += "\n";
  for (const auto& one : student.groups) out += "Group " + one + "\n";
  out += student.files.empty() ? "No file was received.\n"
                               : fmt::format("Files received: {}\n", student.files.size());
  for (const auto& one : student.files) out += file_text(one, zone);
  for (const auto& one : student.exercises) {
    const auto& work = one.work;
    out += work.id() + ": ";
    if (work.standing == Standing::kExcused) {
      out += "excused\n";
    } else if (work.open_reason && !work.points) {
      out += "open: " + *work.open_reason + "\n";
    } else {
      out +=
          fmt::format("{}, {}\n", points_text(work.points, work.max_points), name(work.standing));
    }
    if (!work.deadline.empty()) out += "  deadline: " + local_time(work.deadline, zone) + "\n";
    for (const auto& line : one.exceptions) out += "  " + line + "\n";
    for (const auto& each : one.attempts) out += attempt_text(each, one, student.policy, zone);
  }
  return base::escape_controls(out, /*keep_newlines=*/true);
}

std::string render_json(const ExplainedStudent& student) {
  Json out = {{"schema", "warpgrade.class_explain/1"},
              {"student", student.student},
              {"name", student.name},
              {"in_roster", student.in_roster},
              {"unmatched", student.is_unmatched},
              {"given", student.given},
              {"groups", student.groups},
              {"policy", student.policy},
              {"timezone", student.timezone},
              {"files", Json::array()},
              {"exercises", Json::array()}};
  for (const auto& one : student.files) {
    out["files"].push_back({{"path", one.path},
                            {"state", one.state},
                            {"exercise", one.exercise},
                            {"reason", one.reason},
                            {"received_at", one.received_at},
                            {"bytes", one.bytes},
                            {"sha256", one.sha256}});
  }
  for (const auto& one : student.exercises) {
    const auto& work = one.work;
    Json exercise = {{"lab", work.lab},
                     {"exercise", work.exercise},
                     {"max_points", work.max_points},
                     {"points", optional_number(work.points)},
                     {"verdict", name(work.standing)},
                     {"reason", work.reason},
                     {"open_reason", work.open_reason.value_or("")},
                     {"deadline", work.deadline},
                     {"exceptions", one.exceptions},
                     {"attempts", Json::array()}};
    for (const auto& each : one.attempts) exercise["attempts"].push_back(json_of(each));
    out["exercises"].push_back(std::move(exercise));
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpgrade::grader::class_book

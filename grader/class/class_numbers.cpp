// SPDX-License-Identifier: Apache-2.0
#include "grader/class/class_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "grader/class/utc_time.h"

namespace warpgrade::grader {
namespace {

using ByExercise = std::map<std::string, ExerciseNumbers*>;

// Each counted grade once for each student who has it. A gate without a value was not decided: the
// submission did not come so far.
constexpr const char* kGates =
    "SELECT s.lab || '/' || s.exercise, json_extract(one.value, '$.id'), count(*) FROM standing AS "
    "s "
    "JOIN grade AS g ON g.id = s.grade, json_each(CASE WHEN json_valid(g.report) THEN g.report "
    "ELSE '{}' END, '$.exercises[0].gates') AS one WHERE "
    "g.verdict = 'fail' AND json_extract(one.value, '$.passed') = 0 AND json_extract(one.value, "
    "'$.value') IS NOT NULL GROUP BY 1, 2 ORDER BY 3 DESC, 2";
constexpr const char* kFindings =
    "SELECT s.lab || '/' || s.exercise, json_extract(one.value, '$.kind'), count(DISTINCT "
    "s.student) "
    "FROM standing AS s JOIN grade AS g ON g.id = s.grade, json_each(CASE WHEN "
    "json_valid(g.report) THEN g.report ELSE '{}' END, "
    "'$.exercises[0].diagnostics') AS one GROUP BY 1, 2 ORDER BY 3 DESC, 2";
constexpr const char* kReasons =
    "SELECT lab || '/' || exercise, reason, count(*) FROM standing WHERE verdict = 'fail' GROUP BY "
    "1, "
    "2 ORDER BY 3 DESC, 2";

void read_standings(Sqlite& book, ClassNumbers& out) {
  Statement ask(book,
                "SELECT student, name, lab, exercise, max_points, points, verdict, full_points, "
                "attempts, open_reason FROM standing ORDER BY student, place");
  std::map<std::string, std::size_t> places;
  while (ask.step()) {
    const auto id = ask.text(2) + "/" + ask.text(3);
    const auto [place, is_new] = places.try_emplace(id, out.exercises.size());
    if (is_new) {
      auto& exercise = out.exercises.emplace_back();
      exercise.lab = ask.text(2);
      exercise.exercise = ask.text(3);
      exercise.max_points = ask.number(4);
    }
    auto& exercise = out.exercises[place->second];
    if (out.students.empty() || out.students.back().student != ask.text(0)) {
      out.students.push_back({ask.text(0), ask.text(1), 0, 0, {}});
    }
    auto& student = out.students.back();
    auto verdict = ask.is_null(9) ? ask.text(6) : std::string("open");
    exercise.passed += verdict == "pass" ? 1 : 0;
    exercise.failed += verdict == "fail" ? 1 : 0;
    exercise.missing += verdict == "missing" ? 1 : 0;
    exercise.open += verdict == "open" ? 1 : 0;
    exercise.attempts += ask.integer(8);
    if (!ask.is_null(7)) exercise.points.push_back(ask.number(7));
    student.points += ask.number(5);
    student.max_points += ask.number(4);
    student.cells.push_back({std::move(verdict), ask.number(5)});
    if (!ask.is_null(9)) out.open.push_back({ask.text(0) + " " + id, ask.text(9)});
  }
  for (auto& one : out.exercises) std::sort(one.points.begin(), one.points.end());
}

void read_counts(Sqlite& book, const char* sql, const ByExercise& exercises,
                 std::vector<NamedCount> ExerciseNumbers::*list) {
  Statement ask(book, sql);
  while (ask.step()) {
    const auto found = exercises.find(ask.text(0));
    if (found != exercises.end()) (found->second->*list).push_back({ask.text(1), ask.integer(2)});
  }
}

void read_attempts(Sqlite& book, ClassNumbers& out) {
  Statement ask(
      book, "SELECT submitted_at, late_share > 0 FROM attempt WHERE found ORDER BY submitted_at");
  while (ask.step()) {
    if (const auto at = parse_utc(ask.text(0))) out.attempts.push_back({*at, ask.integer(1) != 0});
  }
}

void read_slowest(Sqlite& book, ClassNumbers& out) {
  Statement ask(
      book,
      "SELECT s.student, s.lab || '/' || s.exercise, g.seconds, CASE g.verdict WHEN 'fail' "
      "THEN g.reason ELSE g.verdict END FROM standing AS s JOIN grade AS g ON g.id = "
      "s.grade ORDER BY g.seconds DESC, 1, 2 LIMIT 10");
  while (ask.step()) {
    out.slowest.push_back({ask.text(0), ask.text(1), ask.number(2), ask.text(3)});
  }
}

void read_run(Sqlite& book, ClassNumbers& out) {
  Statement policy(book, "SELECT value FROM setting WHERE name = 'policy'");
  if (policy.step()) out.policy = policy.text(0);
  Statement run(
      book,
      "SELECT began_at, ended_at, engine, backend, sandbox, program, id FROM run ORDER BY id "
      "DESC LIMIT 1");
  if (!run.step()) return;
  const auto ended = run.text(1);
  out.last_run = fmt::format("Last run: {} to {}, {}, {}; sandbox: {}; warpgrade {}", run.text(0),
                             ended.empty() ? "(not ended)" : ended, run.text(2), run.text(3),
                             run.text(4), run.text(5));
  Statement problems(book,
                     "SELECT file, what FROM problem WHERE run = ? ORDER BY unread DESC, rowid");
  problems.bind(run.integer(6));
  while (problems.step()) out.problems.push_back({problems.text(0), problems.text(1)});
}

}  // namespace

ClassNumbers class_numbers(Sqlite& book) {
  ClassNumbers out;
  read_run(book, out);
  read_standings(book, out);
  ByExercise exercises;
  for (auto& one : out.exercises) exercises[one.lab + "/" + one.exercise] = &one;
  read_counts(book, kReasons, exercises, &ExerciseNumbers::reasons);
  read_counts(book, kGates, exercises, &ExerciseNumbers::gates);
  read_counts(book, kFindings, exercises, &ExerciseNumbers::findings);
  read_attempts(book, out);
  read_slowest(book, out);
  return out;
}

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
#include "grader/class/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "grader/class/book_file.h"
#include "grader/class/exceptions.h"
#include "grader/class/explain.h"
#include "grader/class/identities.h"
#include "grader/class/rules.h"
#include "grader/class/status.h"
#include "grader/class/timestamps.h"

namespace warpgrade::grader::class_book {
namespace {

using ByExercise = std::map<std::string, ExerciseNumbers*>;

// Each counted grade once for each student who has it. A gate without a value was not decided: the
// submission failed before.
constexpr const char* kGates =
    "SELECT s.lab || '/' || s.exercise, json_extract(one.value, '$.id'), s.student FROM standing "
    "AS "
    "s JOIN grade AS g ON g.id = s.grade, json_each(CASE WHEN json_valid(g.report) THEN g.report "
    "ELSE '{}' END, '$.exercises[0].gates') AS one WHERE g.verdict = 'fail' AND "
    "json_extract(one.value, '$.passed') = 0 AND json_extract(one.value, '$.value') IS NOT NULL "
    "ORDER BY s.student";
constexpr const char* kFindings =
    "SELECT DISTINCT s.lab || '/' || s.exercise, json_extract(one.value, '$.kind'), s.student FROM "
    "standing AS s JOIN grade AS g ON g.id = s.grade, json_each(CASE WHEN json_valid(g.report) "
    "THEN g.report ELSE '{}' END, '$.exercises[0].diagnostics') AS one ORDER BY s.student";
constexpr const char* kReasons =
    "SELECT lab || '/' || exercise, reason, student FROM standing WHERE verdict = 'fail' ORDER BY "
    "student";

void read_standings(Sqlite& book, Numbers& out) {
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
    const auto in_book = standing_called(ask.text(6));
    const bool is_excused = in_book == Standing::kExcused;
    const auto standing = ask.is_null(9) ? in_book : Standing::kOpen;
    exercise.passed += standing == Standing::kPass ? 1 : 0;
    exercise.failed += standing == Standing::kFail ? 1 : 0;
    exercise.missing += standing == Standing::kMissing ? 1 : 0;
    exercise.open += standing == Standing::kOpen ? 1 : 0;
    exercise.excused += is_excused ? 1 : 0;
    exercise.attempts += ask.integer(8);
    if (!ask.is_null(7)) exercise.points.push_back(ask.number(7));
    student.points += ask.number(5);
    student.max_points += is_excused ? 0 : ask.number(4);
    student.cells.push_back({standing, ask.number(5)});
  }
  for (auto& one : out.exercises) std::sort(one.points.begin(), one.points.end());
}

// Reads lists of student names, grouped by the problem that stops them, longest list first.
void read_lists(Sqlite& book, const char* sql, const ByExercise& exercises,
                std::vector<NamedStudents> ExerciseNumbers::*list) {
  Statement ask(book, sql);
  while (ask.step()) {
    const auto found = exercises.find(ask.text(0));
    if (found == exercises.end()) continue;
    auto& all = found->second->*list;
    auto one = std::ranges::find(all, ask.text(1), &NamedStudents::name);
    if (one == all.end()) one = all.insert(all.end(), {ask.text(1), {}});
    one->students.push_back(ask.text(2));
  }
  for (const auto& [id, exercise] : exercises) {
    std::ranges::sort(exercise->*list, [](const NamedStudents& a, const NamedStudents& b) {
      return a.students.size() != b.students.size() ? a.students.size() > b.students.size()
                                                    : a.name < b.name;
    });
  }
}

// Work without a grade: files that were not graded, and attempts that could not be judged.
void read_open(Sqlite& book, Numbers& out) {
  out.files = open_files(book);
  Statement work(
      book,
      "SELECT c.student, c.lab || '/' || c.exercise, coalesce(c.open_reason, 'not "
      "graded yet') FROM counted_attempt AS c JOIN standing AS s USING (student, lab, "
      "exercise) WHERE c.grade IS NULL AND s.open_reason IS NOT NULL ORDER BY c.student, "
      "s.place");
  while (work.step()) out.open.push_back({work.text(0), work.text(1), work.text(2)});
}

void read_attempts(Sqlite& book, Numbers& out) {
  Statement ask(
      book, "SELECT submitted_at, late_share > 0 FROM attempt WHERE found ORDER BY submitted_at");
  while (ask.step()) {
    if (const auto at = parse_utc(ask.text(0))) out.attempts.push_back({*at, ask.integer(1) != 0});
  }
}

void read_slowest(Sqlite& book, Numbers& out) {
  Statement ask(
      book,
      "SELECT s.student, s.lab || '/' || s.exercise, g.seconds, CASE g.verdict WHEN 'fail' "
      "THEN g.reason ELSE g.verdict END FROM standing AS s JOIN grade AS g ON g.id = "
      "s.grade ORDER BY g.seconds DESC, 1, 2 LIMIT 10");
  while (ask.step()) {
    out.slowest.push_back({ask.text(0), ask.text(1), ask.number(2), ask.text(3)});
  }
}

void read_run(Sqlite& book, Numbers& out) {
  Statement policy(book, "SELECT value FROM setting WHERE name = 'policy'");
  if (policy.step()) out.policy = policy.text(0);
  Statement run(
      book,
      "SELECT began_at, ended_at, engine, backend, sandbox, program, id FROM run ORDER BY id "
      "DESC LIMIT 1");
  if (!run.step()) return;
  const auto local = [&](const std::string& text) {
    const auto time = parse_utc(text);
    return time ? local_text(*time, out.zone) : std::string("(not ended)");
  };
  out.last_run =
      fmt::format("Last run: {} to {}, {}, {}; sandbox: {}; warpgrade {}", local(run.text(0)),
                  local(run.text(1)), run.text(2), run.text(3), run.text(4), run.text(5));
  // Files that were not graded are in `files` already.
  Statement remarks(book,
                    "SELECT student, file, what FROM problem AS p WHERE run = :run AND NOT (unread "
                    "AND EXISTS (SELECT 1 FROM received AS r WHERE r.state = 'open' AND r.path = "
                    "p.file)) ORDER BY unread DESC, rowid");
  remarks.bind(":run", run.integer(6));
  while (remarks.step()) out.remarks.push_back({remarks.text(0), remarks.text(1), remarks.text(2)});
}

}  // namespace

Numbers read_numbers(Sqlite& book) {
  Numbers out;
  out.zone = zone_of_book(book);
  read_run(book, out);
  read_standings(book, out);
  ByExercise exercises;
  for (auto& one : out.exercises) exercises[one.lab + "/" + one.exercise] = &one;
  read_lists(book, kReasons, exercises, &ExerciseNumbers::reasons);
  read_lists(book, kGates, exercises, &ExerciseNumbers::gates);
  read_lists(book, kFindings, exercises, &ExerciseNumbers::findings);
  read_open(book, out);
  out.unmatched = unmatched_students(book);
  out.waived = waived_gates(book);
  out.exceptions = current_exceptions(book);
  read_attempts(book, out);
  read_slowest(book, out);
  return out;
}

}  // namespace warpgrade::grader::class_book

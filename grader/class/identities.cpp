// SPDX-License-Identifier: Apache-2.0
#include "grader/class/identities.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class/book_file.h"
#include "grader/class/hand_in.h"
#include "grader/class/roster_match.h"
#include "grader/class/rules.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::class_book {
namespace {

std::vector<std::string> texts_of(Statement& ask) {
  std::vector<std::string> out;
  while (ask.step()) out.push_back(ask.text(0));
  return out;
}

std::vector<Enrolled> earlier_roster(Sqlite& book) {
  Statement ask(book, "SELECT value FROM setting WHERE name = 'roster'");
  if (!ask.step()) return {};
  return read_gradebook(ask.text(0), "the roster").students;
}

// The key of a student of an earlier roster in this one.
std::optional<std::string> roster_key_of(const std::vector<Enrolled>& roster, const Enrolled& one) {
  const auto& number = one.number.empty() ? one.id : one.number;
  return roster_key(roster, one.student, {one.name, one.login, number, one.email});
}

// Moves decisions about `from` to `to`, except where `to` already has one.
void move_decisions(Sqlite& book, const std::string& from, const std::string& to) {
  book.run(
      "CREATE TEMP TABLE IF NOT EXISTS moved (id INTEGER PRIMARY KEY); DELETE FROM temp.moved");
  Statement points(
      book,
      "INSERT INTO temp.moved SELECT id FROM adjustment AS a WHERE student = :from AND points IS "
      "NOT NULL AND id = (SELECT max(id) FROM adjustment WHERE student = :from AND lab = a.lab AND "
      "exercise = a.exercise) AND NOT EXISTS (SELECT 1 FROM adjustment AS t WHERE t.student = :to "
      "AND t.lab = a.lab AND t.exercise = a.exercise AND t.points IS NOT NULL AND t.id = (SELECT "
      "max(id) FROM adjustment WHERE student = :to AND lab = a.lab AND exercise = a.exercise))");
  points.bind(":from", from).bind(":to", to).run();
  Statement add(
      book,
      "INSERT INTO adjustment (student, lab, exercise, points, who, why, made_at) SELECT :to, lab, "
      "exercise, points, who, why, made_at FROM adjustment WHERE id IN temp.moved ORDER BY id");
  add.bind(":to", to).run();
  book.run(
      "INSERT INTO adjustment (student, lab, exercise, who, why) SELECT student, lab, exercise, "
      "who, why FROM adjustment WHERE id IN temp.moved ORDER BY id; DELETE FROM temp.moved");
  Statement exceptions(
      book,
      "INSERT INTO temp.moved SELECT id FROM current_exception AS x WHERE student = :from AND NOT "
      "EXISTS (SELECT 1 FROM current_exception AS t WHERE t.student = :to AND t.kind = x.kind AND "
      "t.lab = x.lab AND t.exercise = x.exercise)");
  exceptions.bind(":from", from).bind(":to", to).run();
  Statement grant_again(
      book,
      "INSERT INTO exception (student, lab, exercise, kind, until, points, who, why, origin, "
      "made_at) SELECT :to, lab, exercise, kind, until, points, who, why, 'command', made_at FROM "
      "exception WHERE id IN temp.moved ORDER BY id");
  grant_again.bind(":to", to).run();
  book.run(
      "INSERT INTO exception (student, lab, exercise, kind, removed, who, why, origin) SELECT "
      "student, lab, exercise, kind, 1, who, why, 'command' FROM exception WHERE id IN temp.moved "
      "ORDER BY id; DELETE FROM temp.moved");
}

// Moves the attempts and files of `from` (only those under the name `given` if it is set) to `to`.
// An attempt that `to` already has counts once.
void move_work(Sqlite& book, const std::string& from, const std::string& to,
               const std::string& given) {
  Statement known(book,
                  "UPDATE attempt AS t SET found = 1, found_in = f.found_in, place = f.place, "
                  "grade_key = f.grade_key, given = f.given, source = f.source FROM attempt AS f "
                  "WHERE f.student = :from AND f.found AND :given IN ('', f.given) AND t.student = "
                  ":to AND NOT t.found AND t.lab = f.lab AND t.exercise = f.exercise AND t.bundle "
                  "= f.bundle AND t.submitted_at = f.submitted_at");
  known.bind(":from", from).bind(":to", to).bind(":given", given).run();
  Statement move(book,
                 "UPDATE OR IGNORE attempt SET student = :to WHERE student = :from AND found AND "
                 ":given IN ('', given)");
  move.bind(":from", from).bind(":to", to).bind(":given", given).run();
  Statement twice(
      book,
      "UPDATE attempt SET found = 0 WHERE student = :from AND found AND :given IN ('', given)");
  twice.bind(":from", from).bind(":given", given).run();
  Statement files(book,
                  "UPDATE received SET student = :to, attempt = (SELECT t.id FROM attempt AS t "
                  "JOIN attempt AS f ON f.id = received.attempt WHERE t.student = :to AND t.lab = "
                  "f.lab AND t.exercise = f.exercise AND t.bundle = f.bundle AND t.submitted_at = "
                  "f.submitted_at) WHERE student = :from AND :given IN ('', given)");
  files.bind(":from", from).bind(":to", to).bind(":given", given).run();
  Statement problems(
      book,
      "UPDATE problem SET student = :to WHERE student = :from AND run = (SELECT max(id) FROM run)");
  problems.bind(":from", from).bind(":to", to).run();
}

}  // namespace

std::map<std::string, std::string> decided_students(Sqlite& book, const Rules& rules) {
  Statement ask(book,
                "SELECT given, student FROM identity AS i WHERE student IS NOT NULL AND id = "
                "(SELECT max(id) FROM identity WHERE given = i.given)");
  std::map<std::string, std::string> out;
  while (ask.step()) out[ask.text(0)] = ask.text(1);
  if (!rules.roster) return out;
  const auto earlier = earlier_roster(book);
  for (auto& [given, student] : out) {
    if (std::ranges::find(*rules.roster, student, &Enrolled::student) != rules.roster->end()) {
      continue;
    }
    const auto known = std::ranges::find(earlier, student, &Enrolled::student);
    if (known != earlier.end()) student = roster_key_of(*rules.roster, *known).value_or(student);
  }
  return out;
}

std::map<std::string, std::string> changed_keys(Sqlite& book, const Rules& rules,
                                                const HandedIn& handed_in) {
  std::set<std::string> current(handed_in.students.begin(), handed_in.students.end());
  const auto roster = rules.roster.value_or(std::vector<Enrolled>());
  for (const auto& one : roster) current.insert(one.student);
  std::map<std::string, std::string> out;
  const auto add = [&](const std::string& from, const std::string& to) {
    if (from != to && !current.contains(from)) out.try_emplace(from, to);
  };
  // By the name in submissions: a group's work has several students and identifies none.
  std::map<std::string, std::set<std::string>> keys;
  for (const auto& one : handed_in.attempts) keys[one.given].insert(one.student);
  for (const auto& one : handed_in.received) keys[one.given].insert(one.student);
  Statement before(
      book,
      "SELECT given, min(student) FROM (SELECT given, student FROM attempt WHERE found "
      "UNION SELECT given, student FROM received WHERE given <> '') GROUP BY given "
      "HAVING count(*) = 1");
  while (before.step()) {
    const auto now = keys.find(before.text(0));
    if (now == keys.end() || now->second.size() != 1 || now->second.begin()->empty()) continue;
    add(before.text(1), *now->second.begin());
  }
  if (roster.empty()) return out;
  for (const auto& one : earlier_roster(book)) {
    if (const auto key = roster_key_of(roster, one)) add(one.student, *key);
  }
  Statement others(book, "SELECT student, name FROM class_student");
  while (others.step()) {
    const auto student = others.text(0);
    const auto key = roster_key(roster, student, {others.text(1), "", "", ""});
    if (key) add(student, *key);
  }
  return out;
}

void move_student(Sqlite& book, const std::string& from, const std::string& to) {
  move_decisions(book, from, to);
  move_work(book, from, to, "");
  Statement decided(book,
                    "INSERT INTO identity (given, student, who, why, made_at) SELECT given, :to, "
                    "who, why, made_at FROM identity AS i WHERE student = :from AND given <> :from "
                    "AND id = (SELECT max(id) FROM identity WHERE given = i.given)");
  decided.bind(":from", from).bind(":to", to).run();
}

void keep_candidates(Sqlite& book, const HandedIn& handed_in) {
  Statement gone(book, "DELETE FROM candidate WHERE student = :student");
  for (const auto& student : handed_in.students) gone.bind(":student", student).run();
  Statement put(book, "INSERT OR IGNORE INTO candidate VALUES (:student, :enrolled)");
  for (const auto& [student, rows] : handed_in.unmatched) {
    for (const auto& row : rows) put.bind(":student", student).bind(":enrolled", row).run();
  }
}

void mark_unmatched(Sqlite& book) {
  book.run(
      "UPDATE student SET unmatched = NOT forgotten AND NOT in_roster AND EXISTS (SELECT 1 FROM "
      "student WHERE in_roster) AND coalesce((SELECT i.student FROM identity AS i WHERE i.given = "
      "student.student ORDER BY i.id DESC LIMIT 1), '') <> student AND (EXISTS (SELECT 1 FROM "
      "attempt AS a WHERE a.student = student.student AND a.found) OR EXISTS (SELECT 1 FROM "
      "received AS r WHERE r.student = student.student AND r.state = 'open'))");
}

void decide_student(Sqlite& book, const IdentityDecision& decision) {
  const auto& given = decision.given;
  Statement names(book,
                  "SELECT given FROM attempt WHERE found UNION SELECT given FROM received WHERE "
                  "given <> '' ORDER BY 1");
  const auto known = texts_of(names);
  if (std::ranges::find(known, given) == known.end()) {
    throw base::UsageError(fmt::format("the book has no work under the name {}{}",
                                       base::escape_controls(given),
                                       text::did_you_mean(given, known)));
  }
  const auto to = decision.student.value_or(given);
  Statement students(book, "SELECT student FROM class_student ORDER BY 1");
  const auto present = texts_of(students);
  if (to != given && std::ranges::find(present, to) == present.end()) {
    throw base::UsageError(fmt::format("the book has no student {}{}", base::escape_controls(to),
                                       text::did_you_mean(to, present)));
  }
  if (to == given) {
    Statement own(book,
                  "INSERT INTO student (student, name, in_roster) VALUES (:student, '', 0) ON "
                  "CONFLICT DO UPDATE SET forgotten = 0");
    own.bind(":student", given).run();
  }
  Statement put(book,
                "INSERT INTO identity (given, student, who, why) VALUES (:given, nullif(:student, "
                "''), :who, :why)");
  put.bind(":given", given).bind(":student", decision.student.value_or(""));
  put.bind(":who", decision.who).bind(":why", decision.why).run();
  Statement holders(book,
                    "SELECT student FROM attempt WHERE given = :given AND found UNION SELECT "
                    "student FROM received WHERE given = :given");
  for (const auto& from : texts_of(holders.bind(":given", given))) {
    if (from == to) continue;
    if (from == given) move_decisions(book, from, to);
    move_work(book, from, to, given);
  }
  mark_unmatched(book);
}

std::vector<UnmatchedStudent> unmatched_students(Sqlite& book) {
  Statement ask(book, "SELECT student, name FROM student WHERE unmatched ORDER BY student");
  std::vector<UnmatchedStudent> out;
  while (ask.step()) out.push_back({ask.text(0), ask.text(1), {}});
  Statement rows(book,
                 "SELECT student, name FROM student AS s WHERE in_roster AND NOT EXISTS (SELECT 1 "
                 "FROM attempt WHERE student = s.student AND found) ORDER BY student");
  std::vector<std::string> keys;
  std::map<std::string, std::string> by_name;
  while (rows.step()) {
    keys.push_back(rows.text(0));
    if (!rows.text(1).empty()) by_name[rows.text(1)] = rows.text(0);
  }
  std::vector<std::string_view> candidates(keys.begin(), keys.end());
  for (const auto& [name, key] : by_name) candidates.emplace_back(name);
  for (auto& one : out) {
    Statement known(book, "SELECT enrolled FROM candidate WHERE student = :student ORDER BY 1");
    one.nearest = texts_of(known.bind(":student", one.student));
    for (const auto& word : {one.student, one.name}) {
      std::string near(base::nearest(word, candidates));
      if (const auto found = by_name.find(near); found != by_name.end()) near = found->second;
      const bool is_new = std::ranges::find(one.nearest, near) == one.nearest.end();
      if (!near.empty() && is_new) one.nearest.push_back(near);
    }
  }
  return out;
}

}  // namespace warpgrade::grader::class_book

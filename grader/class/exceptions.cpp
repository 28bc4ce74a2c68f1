// SPDX-License-Identifier: Apache-2.0
#include "grader/class/exceptions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "grader/class/utc_time.h"

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

}  // namespace warpgrade::grader::class_book

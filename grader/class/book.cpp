// SPDX-License-Identifier: Apache-2.0
#include "grader/class/book.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/base/text.h"
#include "grader/class/book_file.h"
#include "grader/class/exceptions.h"
#include "grader/class/hand_in.h"
#include "grader/class/identities.h"
#include "grader/class/rules.h"
#include "grader/class/spool.h"
#include "grader/class/timestamps.h"
#include "grader/course/course.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::class_book {

namespace fs = std::filesystem;

/// Names the grade of a content; the same in all runs of that program with that manifest.
static std::string grade_key_of(const GradingIdentity& identity, const std::string& manifest,
                                const WantedGrade& wanted) {
  return base::sha256_hex(fmt::format("{}\n{}\n{}\n{}/{}\n{}", identity.program,
                                      run::name(identity.backend), manifest, wanted.lab,
                                      wanted.exercise, wanted.bundle));
}

Book::Book(const fs::path& file) : database_(file, Sqlite::Open::kWrite) {
  // Grades reach the disk before anyone sees them: each commit is a full sync. The write-ahead log
  // beside the book lets readers read without waiting.
  database_.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  make_book(database_);
}

std::int64_t Book::begin_run(const RunStart& start) {
  Statement put(database_,
                "INSERT INTO run (began_at, engine, workers, backend, sandbox, program) VALUES "
                "(:began_at, :engine, :workers, :backend, :sandbox, :program)");
  put.bind(":began_at", utc_text(utc_now())).bind(":engine", start.engine);
  put.bind(":workers", start.workers).bind(":backend", run::name(start.backend));
  put.bind(":sandbox", start.sandbox).bind(":program", start.program).run();
  return database_.last_row();
}

void Book::end_run(std::int64_t run) {
  Transaction all(database_);
  Statement put(database_, "UPDATE run SET ended_at = :ended_at WHERE id = :run");
  put.bind(":ended_at", utc_text(utc_now())).bind(":run", run).run();
  Statement regraded(
      database_,
      "INSERT INTO regrade SELECT :run, c.student, c.lab, c.exercise, l.points, c.full_points FROM "
      "counted_attempt AS c JOIN last_grade AS l USING (student, lab, exercise) WHERE l.bundle = "
      "c.bundle AND l.grade <> c.grade");
  regraded.bind(":run", run).run();
  database_.run(
      "INSERT OR REPLACE INTO last_grade SELECT student, lab, exercise, bundle, grade, full_points "
      "FROM counted_attempt WHERE grade IS NOT NULL");
  all.commit();
}

std::vector<WantedGrade> Book::wanted(const GradingIdentity& identity,
                                      const std::vector<course::Selected>& exercises,
                                      const std::vector<std::string>& students, bool retry) {
  std::map<std::string, std::string> manifests;
  for (const auto& one : exercises) manifests[one.lab->id + '/' + one.exercise->id] = {};
  Statement known_manifests(database_, "SELECT lab || '/' || exercise, manifest FROM exercise");
  while (known_manifests.step()) {
    const auto found = manifests.find(known_manifests.text(0));
    if (found != manifests.end()) found->second = known_manifests.text(1);
  }
  // Work that a person closed is graded once, and not tried again.
  std::set<std::string> closed;
  Statement decided(database_, "SELECT student || '/' || lab || '/' || exercise FROM closed_work");
  while (decided.step()) closed.insert(decided.text(0));
  std::set<std::string> tried;
  std::set<std::string> done;
  Statement grades(database_, "SELECT key FROM grade");
  while (grades.step()) done.insert(grades.text(0));
  Statement open(database_, "SELECT key FROM open_attempt");
  while (open.step()) (retry ? tried : done).insert(open.text(0));

  // The best of all attempts is known once all have a grade.
  Statement ask(database_,
                "SELECT student, lab, exercise, bundle FROM attempt WHERE found AND (SELECT value "
                "FROM setting WHERE name = 'policy') = 'best' UNION SELECT student, lab, exercise, "
                "bundle FROM counted_attempt ORDER BY lab, exercise, student");
  std::vector<WantedGrade> out;
  while (ask.step()) {
    const auto student = ask.text(0);
    if (!students.empty() && std::ranges::find(students, student) == students.end()) continue;
    WantedGrade one{"", ask.text(1), ask.text(2), ask.text(3)};
    const auto manifest = manifests.find(one.lab + '/' + one.exercise);
    if (manifest == manifests.end()) continue;
    one.key = grade_key_of(identity, manifest->second, one);
    const auto work = student + '/' + one.lab + '/' + one.exercise;
    if (tried.contains(one.key) && closed.contains(work)) continue;
    if (done.insert(one.key).second) out.push_back(std::move(one));
  }
  return out;
}

Task Book::task_of(const WantedGrade& wanted) {
  Task out{wanted.key, wanted.lab, wanted.exercise, {}, {}};
  Statement ask(database_,
                "SELECT name, bytes FROM bundle_file WHERE bundle = :bundle ORDER BY place");
  ask.bind(":bundle", wanted.bundle);
  while (ask.step()) out.files.push_back({ask.text(0), ask.text(1)});
  return out;
}

void Book::keep(const std::vector<Outcome>& outcomes, const std::vector<WantedGrade>& of) {
  Transaction all(database_);
  Statement grade(
      database_,
      "INSERT OR IGNORE INTO grade (key, lab, exercise, bundle, sha256, points, max_points, "
      "verdict, reason, backend, device, card, grader_version, grader_commit, toolkit, manifest, "
      "graded_at, seconds, worker, report, text, page, waived) SELECT :key, :lab, :exercise, "
      ":bundle, (SELECT sha256 FROM attempt WHERE bundle = :bundle), :points, :max_points, "
      ":verdict, :reason, :backend, :device, :card, :version, :commit, :toolkit, (SELECT manifest "
      "FROM exercise WHERE lab = :lab AND exercise = :exercise), :graded_at, :seconds, :worker, "
      ":report, :text, :page, :waived");
  Statement close(database_, "DELETE FROM open_attempt WHERE key = :key");
  Statement open(
      database_,
      "INSERT INTO open_attempt VALUES (:key, :lab, :exercise, :bundle, :reason, 1, :since) ON "
      "CONFLICT DO UPDATE SET reason = excluded.reason, tries = tries + 1, since = excluded.since");
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const auto& one = outcomes[i];
    const auto& task = of[i];
    if (const auto* trouble = one.trouble()) {
      open.bind(":key", task.key).bind(":lab", task.lab).bind(":exercise", task.exercise);
      open.bind(":bundle", task.bundle).bind(":reason", trouble->why);
      open.bind(":since", utc_text(utc_now())).run();
      continue;
    }
    const auto& made = *one.grade();
    grade.bind(":key", task.key).bind(":lab", task.lab).bind(":exercise", task.exercise);
    grade.bind(":bundle", task.bundle).bind(":points", made.points);
    grade.bind(":max_points", made.max_points).bind(":verdict", name(made.verdict));
    grade.bind(":reason", name(made.reason)).bind(":backend", run::name(one.backend));
    grade.bind(":device", made.device).bind(":card", made.card);
    grade.bind(":version", made.provenance.version).bind(":commit", made.provenance.commit);
    grade.bind(":toolkit", made.provenance.toolkit).bind(":graded_at", made.provenance.time);
    grade.bind(":seconds", made.seconds).bind(":worker", one.worker).bind(":report", made.report);
    grade.bind(":text", made.text).bind_bytes(":page", made.page);
    grade.bind(":waived", text::joined(made.waived)).run();
    close.bind(":key", task.key).run();
  }
  all.commit();
}

namespace {

// Converts a run's findings to rows of the book: exercises, students, attempts, and the use of
// every received file. A run replaces what earlier runs found in the same place, or in a folder
// above or below it: attempts that it does not find again stay in the book and do not count.

using AttemptIds = std::map<std::pair<std::string, std::string>, std::int64_t>;

std::string time_text(const std::optional<std::int64_t>& time) {
  return time ? utc_text(*time) : std::string();
}

std::string id_of(const std::string& lab, const std::string& exercise) {
  return lab + '/' + exercise;
}

void take_in_students(Sqlite& database, const Rules& rules, const HandedIn& handed_in) {
  database.run("UPDATE student SET in_roster = 0");
  Statement put(
      database,
      "INSERT INTO student (student, name, in_roster) VALUES (:student, :name, :in_roster) ON "
      "CONFLICT DO UPDATE SET name = excluded.name, in_roster = excluded.in_roster, forgotten = 0");
  Statement gone(database,
                 "DELETE FROM setting WHERE name IN ('roster', 'scale') OR name LIKE 'column %' OR "
                 "name LIKE 'identity %'");
  gone.run();
  Statement keep(database, "INSERT INTO setting VALUES (:name, :value)");
  if (!rules.roster_bytes.empty())
    keep.bind(":name", "roster").bind_bytes(":value", rules.roster_bytes).run();
  for (const auto& [exercise, title] : rules.columns) {
    keep.bind(":name", "column " + exercise).bind(":value", title).run();
  }
  for (const auto& [meaning, title] : rules.identity) {
    keep.bind(":name", "identity " + std::string(name(meaning))).bind(":value", title).run();
  }
  if (rules.scale == PointScale::kColumn) {
    keep.bind(":name", "scale").bind(":value", "column").run();
  }
  std::set<std::string> in_roster;
  for (const auto& one : rules.roster) {
    in_roster.insert(one.student);
    put.bind(":student", one.student).bind(":name", one.name).bind(":in_roster", true).run();
  }
  for (const auto& student : handed_in.students) {
    if (in_roster.contains(student)) continue;
    const auto known = handed_in.identities.find(student);
    const auto name = known == handed_in.identities.end() ? "" : known->second.name;
    put.bind(":student", student).bind(":name", name).bind(":in_roster", false).run();
  }
}

// Returns the exercises whose manifest has changed.
std::set<std::string> take_in_exercises(Sqlite& database,
                                        const std::vector<course::Selected>& exercises) {
  std::set<std::string> changed;
  database.run("UPDATE exercise SET selected = 0");
  Statement before(database,
                   "SELECT manifest FROM exercise WHERE lab = :lab AND exercise = :exercise");
  Statement put(database,
                "INSERT INTO exercise (lab, exercise, place, max_points, manifest, selected) "
                "VALUES (:lab, :exercise, :place, :max_points, :manifest, 1) ON CONFLICT DO UPDATE "
                "SET place = excluded.place, max_points = excluded.max_points, manifest = "
                "excluded.manifest, selected = 1");
  std::map<std::string, std::string> hashes;
  std::int64_t place = 0;
  for (const auto& one : exercises) {
    auto& hash = hashes[one.lab->id];
    if (hash.empty()) hash = manifest_hash(*one.lab);
    before.bind(":lab", one.lab->id).bind(":exercise", one.exercise->id);
    if (!before.step() || before.text(0) != hash) {
      changed.insert(id_of(one.lab->id, one.exercise->id));
    }
    before.reset();
    put.bind(":lab", one.lab->id).bind(":exercise", one.exercise->id).bind(":place", place++);
    put.bind(":max_points", static_cast<double>(one.exercise->max_points()));
    put.bind(":manifest", hash).run();
  }
  return changed;
}

// Whether `path` is `folder` or is in it.
bool is_within(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder + "/");
}

// The row of the place that was read; earlier findings there no longer count.
std::int64_t take_in_source(Sqlite& database, std::int64_t run, const HandedIn& handed_in) {
  Statement put(database,
                "INSERT INTO source (path, layout, run) VALUES (:path, :layout, :run) ON CONFLICT "
                "DO UPDATE SET layout = excluded.layout, run = excluded.run");
  put.bind(":path", handed_in.source).bind(":layout", handed_in.layout).bind(":run", run).run();
  Statement lost(database, "UPDATE attempt SET found = 0 WHERE found_in = :source");
  Statement gone(database, "DELETE FROM received WHERE source = :source");
  Statement sources(database, "SELECT id, path FROM source");
  std::int64_t own = 0;
  while (sources.step()) {
    const auto path = sources.text(1);
    if (path == handed_in.source) own = sources.integer(0);
    if (!is_within(path, handed_in.source) && !is_within(handed_in.source, path)) continue;
    lost.bind(":source", sources.integer(0)).run();
    gone.bind(":source", sources.integer(0)).run();
  }
  return own;
}

void take_in_files(Sqlite& database, const std::vector<HandedFile>& files,
                   const std::string& bundle) {
  Statement known(database, "SELECT 1 FROM bundle_file WHERE bundle = :bundle");
  if (known.bind(":bundle", bundle).step()) return;
  Statement file(database, "INSERT INTO bundle_file VALUES (:bundle, :place, :name, :bytes)");
  for (std::size_t i = 0; i < files.size(); ++i) {
    file.bind(":bundle", bundle).bind(":place", i).bind(":name", files[i].name);
    file.bind_bytes(":bytes", files[i].bytes).run();
  }
}

// Returns the attempt's number. refresh_late_shares() computes its deduction.
std::int64_t take_in_attempt(Sqlite& database, const Rules& rules, const HandIn& attempt,
                             std::int64_t source, std::int64_t place) {
  const auto bundle = bundle_of(attempt);
  const auto files = files_of(attempt);
  take_in_files(database, files, bundle);
  const auto deadline = rules.deadline_of(attempt.lab, attempt.exercise);
  Statement put(
      database,
      "INSERT INTO attempt (student, lab, exercise, bundle, sha256, submitted_at, late_share, "
      "source, seen_at, found, found_in, place, late_mark, untouched, deadline, given) VALUES "
      "(:student, "
      ":lab, :exercise, :bundle, :sha256, :submitted_at, 0, :source, :seen_at, 1, :found_in, "
      ":place, :late_mark, :untouched, :deadline, :given) ON CONFLICT DO UPDATE SET source = "
      "excluded.source, "
      "found = 1, found_in = excluded.found_in, place = excluded.place, late_mark = "
      "excluded.late_mark, deadline = excluded.deadline, given = excluded.given RETURNING id");
  put.bind(":student", attempt.student).bind(":lab", attempt.lab);
  put.bind(":exercise", attempt.exercise).bind(":bundle", bundle);
  put.bind(":sha256", base::sha256_hex(files.front().bytes));
  put.bind(":submitted_at", time_text(attempt.submitted_at)).bind(":source", attempt.source);
  put.bind(":seen_at", utc_text(utc_now())).bind(":found_in", source).bind(":place", place);
  put.bind(":late_mark", attempt.late_mark).bind(":untouched", attempt.is_skeleton);
  put.bind(":deadline", time_text(deadline));
  put.bind(":given", attempt.given.empty() ? attempt.student : attempt.given);
  put.step();
  return put.integer(0);
}

void take_in_received(Sqlite& database, std::int64_t run, std::int64_t source,
                      const HandedIn& handed_in, const AttemptIds& attempts) {
  Statement put(
      database,
      "INSERT INTO received (source, run, student, path, name, state, lab, exercise, reason, "
      "received_at, bytes, sha256, given, attempt) VALUES (:source, :run, :student, :path, :name, "
      ":state, :lab, :exercise, :reason, :received_at, :bytes, :sha256, :given, :attempt)");
  for (const auto& one : handed_in.received) {
    put.bind(":source", source).bind(":run", run).bind(":student", one.student);
    put.bind(":path", one.path).bind(":name", one.name).bind(":state", name(one.state));
    put.bind(":lab", one.lab).bind(":exercise", one.exercise).bind(":reason", one.reason);
    put.bind(":received_at", time_text(one.time)).bind(":bytes", one.size);
    put.bind(":sha256", one.sha256).bind(":given", one.given.empty() ? one.student : one.given);
    const auto attempt = attempts.find({one.student, one.path});
    const bool is_attempt = one.state == FileState::kAttempt && attempt != attempts.end();
    if (is_attempt) put.bind(":attempt", attempt->second);
    put.run();
  }
}

void take_in_groups(Sqlite& database, std::int64_t source, const Rules& rules) {
  Statement gone(database, "DELETE FROM class_group WHERE source = :source");
  gone.bind(":source", source).run();
  Statement put(database, "INSERT OR IGNORE INTO class_group VALUES (:source, :name, :member)");
  for (const auto& group : rules.groups) {
    for (const auto& member : group.members) {
      put.bind(":source", source).bind(":name", group.name).bind(":member", member).run();
    }
  }
}

void take_in_problems(Sqlite& database, std::int64_t run, const HandedIn& handed_in) {
  Statement put(database, "INSERT INTO problem VALUES (:run, :student, :file, :what, :unread)");
  for (const auto& one : handed_in.problems) {
    put.bind(":run", run).bind(":student", one.student).bind(":file", one.file);
    put.bind(":what", one.what).bind(":unread", one.unread).run();
  }
}

// Each attempt's grade becomes the one of the run's program and the current manifest. If the run is
// for some students only, the others keep the program that they have.
void choose_grades(Sqlite& database, std::int64_t run, const std::set<std::string>& changed,
                   const std::vector<std::string>& students) {
  GradingIdentity identity;
  Statement of_run(database, "SELECT program, backend FROM run WHERE id = :run");
  if (of_run.bind(":run", run).step()) {
    identity.program = of_run.text(0);
    identity.backend = run::backend_called(of_run.text(1)).value();
  }
  Statement put(database, "UPDATE attempt SET grade_key = :key WHERE id = :attempt");
  Statement ask(database,
                "SELECT a.id, a.student, a.lab, a.exercise, a.bundle, a.grade_key, e.manifest FROM "
                "attempt AS a JOIN exercise AS e USING (lab, exercise) WHERE a.found AND "
                "e.selected");
  std::vector<std::pair<std::int64_t, std::string>> keys;
  while (ask.step()) {
    const auto chosen =
        students.empty() || std::ranges::find(students, ask.text(1)) != students.end();
    const WantedGrade wanted{"", ask.text(2), ask.text(3), ask.text(4)};
    const bool is_stale = changed.contains(id_of(wanted.lab, wanted.exercise));
    if (!chosen && !is_stale && !ask.text(5).empty()) continue;
    keys.emplace_back(ask.integer(0), grade_key_of(identity, ask.text(6), wanted));
  }
  for (const auto& [attempt, key] : keys) put.bind(":key", key).bind(":attempt", attempt).run();
}

}  // namespace

void Book::take_in(std::int64_t run, const std::vector<course::Selected>& exercises,
                   const Rules& rules, const HandedIn& handed_in,
                   const std::vector<std::string>& students) {
  Transaction all(database_);
  const auto changed = take_in_exercises(database_, exercises);
  const auto moved = changed_keys(database_, rules.roster, handed_in);
  take_in_students(database_, rules, handed_in);
  for (const auto& [from, to] : moved) move_student(database_, from, to);
  Statement policy(database_, "INSERT OR REPLACE INTO setting VALUES ('policy', :policy)");
  policy.bind(":policy", name(rules.policy)).run();
  database_.run(rules.strict ? "INSERT OR REPLACE INTO setting VALUES ('strict', 'yes')"
                             : "DELETE FROM setting WHERE name = 'strict'");
  const auto source = take_in_source(database_, run, handed_in);
  AttemptIds ids;
  std::int64_t place = 0;
  const auto is_selected = [&](const HandIn& one) {
    return std::ranges::any_of(exercises, [&](const course::Selected& each) {
      return each.lab->id == one.lab && each.exercise->id == one.exercise;
    });
  };
  for (const auto& one : handed_in.attempts) {
    if (!is_selected(one)) continue;
    ids[{one.student, one.source}] = take_in_attempt(database_, rules, one, source, place++);
  }
  choose_grades(database_, run, changed, students);
  take_in_received(database_, run, source, handed_in, ids);
  take_in_groups(database_, source, rules);
  keep_late_rules(database_, source, exercises, rules);
  take_in_exceptions(database_, rules.exceptions, rules.files);
  refresh_late_shares(database_, "");
  keep_candidates(database_, handed_in);
  mark_unmatched(database_);
  take_in_problems(database_, run, handed_in);
  all.commit();
}

void Book::forget(const std::string& student) {
  Transaction all(database_);
  Statement mark(database_,
                 "UPDATE student SET forgotten = 1, in_roster = 0 WHERE student = :student");
  mark.bind(":student", student).run();
  Statement lost(database_, "UPDATE attempt SET found = 0 WHERE student = :student");
  lost.bind(":student", student).run();
  Statement gone(database_, "DELETE FROM received WHERE student = :student");
  gone.bind(":student", student).run();
  mark_unmatched(database_);
  all.commit();
}

}  // namespace warpgrade::grader::class_book

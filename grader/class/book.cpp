// SPDX-License-Identifier: Apache-2.0
#include "grader/class/book.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/base/error.h"
#include "common/base/sha256.h"
#include "grader/class/book_schema.h"
#include "grader/class/utc_time.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader::class_book {
namespace fs = std::filesystem;

std::string grade_key_of(const GradingIdentity& identity, const std::string& manifest,
                         const WantedGrade& wanted) {
  return base::sha256_hex(fmt::format("{}\n{}\n{}\n{}/{}\n{}", identity.program,
                                      run::name(identity.backend), manifest, wanted.lab,
                                      wanted.exercise, wanted.bundle));
}

Book::Book(const fs::path& file) : database_(file, Sqlite::Open::kWrite) {
  // Grades reach the disk before anyone sees them: each commit is a full sync. The write-ahead log
  // beside the book lets readers read without waiting.
  database_.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  migrate_book(database_);
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
  Statement put(database_, "UPDATE run SET ended_at = :ended_at WHERE id = :run");
  put.bind(":ended_at", utc_text(utc_now())).bind(":run", run).run();
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
  std::set<std::string> done;
  Statement grades(database_, "SELECT key FROM grade");
  while (grades.step()) done.insert(grades.text(0));
  Statement open(database_, "SELECT key FROM open_attempt");
  while (!retry && open.step()) done.insert(open.text(0));

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

}  // namespace warpgrade::grader::class_book

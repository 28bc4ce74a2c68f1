// SPDX-License-Identifier: Apache-2.0
// `warpgrade class`: run, status, explain, export, feedback, forget, the processes that they
// start, and an instructor's changes for one student.
//
// `extend`, `excuse`, `adjust` and `match` each add a row to the book with person and reason, and
// print the points that change.

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class/archive_reader.h"
#include "grader/class/book.h"
#include "grader/class/book_file.h"
#include "grader/class/exceptions.h"
#include "grader/class/explain.h"
#include "grader/class/exports.h"
#include "grader/class/feedback_archive.h"
#include "grader/class/identities.h"
#include "grader/class/rules.h"
#include "grader/class/run_class.h"
#include "grader/class/status.h"
#include "grader/class/worker.h"
#include "grader/cli/commands/commands.h"
#include "grader/cli/version.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::cli {
namespace {

report::Provenance provenance_now() { return provenance(std::chrono::system_clock::now()); }

const std::string& existing(const std::string& book) {
  std::error_code ignored;
  if (std::filesystem::exists(book, ignored)) return book;
  throw base::UsageError(
      fmt::format("{}: no such grade book; `class run` creates one", base::escape_controls(book)));
}

class_book::Sqlite read_book(const std::string& file) {
  class_book::Sqlite book(existing(file), class_book::Sqlite::Open::kRead);
  class_book::expect_book(book);
  return book;
}

// Labs that changed after the last run; none outside of a course.
std::vector<std::string> changed_labs(class_book::Sqlite& book) {
  try {
    std::vector<std::string> ignored;
    return class_book::labs_changed_since(book,
                                          course::read_usable_labs(course::find_root(), ignored));
  } catch (const base::UsageError&) {
    return {};
  }
}

run::Backend worker_backend(const std::string& name) {
  const auto backend = run::backend_called(name);
  if (!backend) throw base::UsageError(fmt::format("unknown backend `{}`", name));
  return *backend;
}

// On a terminal a transient line is replaced by the next one.
void say_line(const std::string& line, bool transient) {
  static bool replaces = false;
  const bool is_terminal = isatty(STDOUT_FILENO) != 0;
  auto text = replaces ? "\r\x1b[K" + line : line;
  replaces = is_terminal && transient;
  if (!replaces) text += '\n';
  print(text);
}

}  // namespace

int run_command(const ClassRunOptions& options) {
  class_book::RunOptions run;
  run.book = options.book;
  run.submissions = options.submissions;
  run.engine = options.engine;
  run.workers = options.workers;
  run.backend = options.backend;
  run.students = options.students;
  if (!options.policy.empty()) run.policy = class_book::policy_called(options.policy);
  run.retry = options.retry;
  run.strict = options.strict;
  return class_book::run_class(run, provenance_now(), say_line);
}

int run_command(const ClassStatusOptions& options) {
  auto book = read_book(options.book);
  print(class_book::status_text(book, options.book, changed_labs(book), text::style_of_stdout()));
  return 0;
}

int run_command(const ClassChangesOptions& options) {
  auto book = read_book(options.book);
  const auto text = class_book::regrades_text(book, /*only_last=*/false);
  print(text.empty() ? "No run changed the points of work that an earlier run had graded.\n"
                     : text);
  return 0;
}

int run_command(const ClassExportOptions& options) {
  auto book = read_book(options.book);
  std::vector<std::string> mistakes;
  class_book::write_export(book, {options.format, options.out, options.feedback},
                           [&] { return course::read_usable_labs(course::find_root(), mistakes); });
  if (class_book::is_gradebook_format(options.format)) {
    for (const auto& line : class_book::other_maxima_of(book)) print(line + "\n");
  }
  course::expect_no_mistakes(mistakes);
  return 0;
}

int run_command(const ClassFeedbackOptions& options) {
  auto book = read_book(options.book);
  if (!options.format.empty()) {
    const auto made = class_book::write_feedback_archive(book, options.format, options.folder);
    print(fmt::format("feedback for {} student{} in {}\n", made.students,
                      made.students == 1 ? "" : "s", base::escape_controls(options.folder)));
    if (!made.left_out.empty()) {
      print(
          fmt::format("without {}: no name on {} is known for them; `class feedback` without "
                      "--format writes their folders\n",
                      base::escape_controls(text::joined(made.left_out)), options.format));
    }
    return 0;
  }
  const auto count = class_book::write_feedback(book, options.folder);
  print(fmt::format("feedback for {} student{} in {}\n", count, count == 1 ? "" : "s",
                    base::escape_controls(options.folder)));
  return 0;
}

int run_command(const ClassExplainOptions& options) {
  auto book = read_book(options.book);
  const auto student = class_book::explain_student(book, options.student);
  std::vector<std::function<void()>> files;
  if (!options.json.empty()) {
    files.push_back([&] { write_or_print(options.json, class_book::render_json(student)); });
  }
  deliver(files, prints_a_file({options.json}) ? std::string() : class_book::render_text(student));
  return 0;
}

int run_command(const ClassForgetOptions& options) {
  auto book = read_book(options.book);
  class_book::Statement known(book,
                              "SELECT 1 FROM student WHERE student = :student AND NOT forgotten");
  if (!known.bind(":student", options.student).step()) {
    throw base::UsageError(
        fmt::format("the book has no student {}", base::escape_controls(options.student)));
  }
  class_book::Book(options.book).forget(options.student);
  print(fmt::format("{} is in no export any more; a run that finds their work brings them back\n",
                    base::escape_controls(options.student)));
  return 0;
}

int run_command(const ClassWorkerOptions& options) {
  return class_book::run_worker({options.spool, options.name, worker_backend(options.backend),
                                 options.bubblewrap, options.local});
}

int run_command(const ClassCardOptions& /*options*/) {
  std::vector<std::string> ignored;  // The run reports mistakes in manifests.
  return class_book::run_card_survey(course::read_usable_labs(course::find_root(), ignored));
}

int run_command(const ClassJudgeOptions& options) {
  return class_book::run_judge(worker_backend(options.backend), provenance_now);
}

int run_command(const ClassUnpackOptions& options) {
  return class_book::run_unpack(options.zone, options.kind);
}

int run_command(const ClassNamesOptions& /*options*/) { return class_book::run_names(); }

namespace {

// `warpgrade class extend`, `excuse`, `adjust` and `match`: an instructor's changes for one
// student. Each command adds a row to the book with person and reason, and prints the points that
// change.

// The key of a student from the key itself or a unique name.
std::string student_called(class_book::Sqlite& book, const std::string& student) {
  std::vector<std::string> names;
  std::vector<std::string> named;
  class_book::Statement ask(book, "SELECT student, name FROM class_student");
  while (ask.step()) {
    names.push_back(ask.text(0));
    if (names.back() == student) return student;
    if (ask.text(1) == student) named.push_back(names.back());
  }
  if (named.size() == 1) return named.front();
  if (named.size() > 1) {
    throw base::UsageError(fmt::format("several students are called {}: {}",
                                       base::escape_controls(student),
                                       base::escape_controls(text::joined(named))));
  }
  throw base::UsageError(fmt::format("the book has no student {}{}", base::escape_controls(student),
                                     text::did_you_mean(student, names)));
}

// Sets the lab and exercise that `text` names in the book: "", LAB, LAB/EXERCISE, or EXERCISE if
// only one lab has it.
void set_exercises(class_book::Sqlite& book, const std::string& text,
                   class_book::StudentException& out) {
  if (text.empty()) return;
  class_book::Statement ask(book, "SELECT lab, exercise FROM exercise ORDER BY place");
  std::vector<std::string> names;
  std::size_t with_name = 0;
  while (ask.step()) {
    const auto lab = ask.text(0);
    const auto exercise = ask.text(1);
    names.push_back(lab + "/" + exercise);
    if (text == lab) {
      out.lab = lab;
      out.exercise.clear();
      return;
    }
    if (text != names.back() && text != exercise) continue;
    out.lab = lab;
    out.exercise = exercise;
    if (text == names.back()) return;
    ++with_name;
  }
  if (with_name == 1) return;
  throw base::UsageError(fmt::format(
      "{} {}{}", with_name == 0 ? "the book has no exercise" : "several labs have an exercise",
      base::escape_controls(text), text::did_you_mean(text, names)));
}

class_book::StudentException decision(class_book::Sqlite& book, const DecisionOptions& options,
                                      class_book::ExceptionKind kind) {
  class_book::StudentException out;
  out.student = student_called(book, options.student);
  out.kind = kind;
  set_exercises(book, options.exercise, out);
  out.who = options.who;
  out.why = options.why;
  return out;
}

// The current points of each of the student's exercises, as text.
std::map<std::string, std::string> standings_of(class_book::Sqlite& book,
                                                const std::string& student) {
  class_book::Statement ask(book,
                            "SELECT lab || '/' || exercise, points, max_points, verdict, "
                            "open_reason FROM standing WHERE student = :student");
  ask.bind(":student", student);
  std::map<std::string, std::string> out;
  while (ask.step()) {
    auto& words = out[ask.text(0)];
    if (!ask.is_null(1)) {
      words = fmt::format("{:g} of {:g} points", ask.number(1), ask.number(2));
    } else if (ask.text(3) == "excused") {
      words = "excused";
    } else {
      words = ask.is_null(4) ? "not due yet" : "open";
    }
  }
  return out;
}

// Makes a change in one transaction, and prints its effects.
template <typename Change>
void change_book(class_book::Sqlite& book, const std::string& student, const std::string& title,
                 const Change& change) {
  class_book::Transaction all(book);
  const auto before = standings_of(book, student);
  change();
  class_book::refresh_late_shares(book, student);
  const auto after = standings_of(book, student);
  all.commit();
  auto out = base::escape_controls(title) + "\n";
  for (const auto& [exercise, words] : after) {
    const auto old = before.find(exercise);
    if (old != before.end() && old->second == words) continue;
    out +=
        fmt::format("  {}: {}, now {}\n", exercise, old == before.end() ? "" : old->second, words);
  }
  print(out);
}

void refuse_missing(class_book::Sqlite& book, const class_book::StudentException& one) {
  std::string have;
  const auto zone = class_book::zone_of_book(book);
  for (const auto& each : class_book::current_exceptions(book)) {
    if (each.student != one.student) continue;
    have += fmt::format("{}{}: {}", have.empty() ? "" : "; ", exercises_of(each),
                        class_book::described(each, zone));
  }
  throw base::UsageError(fmt::format("{} has no {} for {} that could be taken back{}",
                                     base::escape_controls(one.student), class_book::name(one.kind),
                                     exercises_of(one), have.empty() ? "" : " (" + have + ")"));
}

void take_back_or_refuse(class_book::Sqlite& book, const class_book::StudentException& one) {
  change_book(book, one.student,
              fmt::format("{}: {} taken back for {}", one.student, class_book::name(one.kind),
                          exercises_of(one)),
              [&] {
                if (!class_book::take_back(book, one)) refuse_missing(book, one);
              });
}

std::string granted(class_book::Sqlite& book, const class_book::StudentException& one) {
  return fmt::format("{}: {}, {}", one.student, exercises_of(one),
                     class_book::described(one, class_book::zone_of_book(book)));
}

// A sentence if the extension moves no deadline; otherwise empty.
std::string idle_extension(class_book::Sqlite& book, const class_book::StudentException& one) {
  class_book::Statement ask(
      book,
      "SELECT max(deadline <> ''), max(extended_until = deadline) FROM standing WHERE student = "
      ":student AND :lab IN ('', lab) AND :exercise IN ('', exercise)");
  ask.bind(":student", one.student).bind(":lab", one.lab).bind(":exercise", one.exercise);
  if (!ask.step() || ask.is_null(0) || ask.integer(1) != 0) return {};
  class_book::Statement unknown(book,
                                "SELECT 1 FROM attempt WHERE found AND deadline IS NULL LIMIT 1");
  if (ask.integer(0) == 0 && unknown.step()) {
    return "An earlier program did not keep deadlines: the next `class run` applies the "
           "extension.\n";
  }
  if (ask.integer(0) == 0) {
    return "No deadline is set for these exercises in class.toml, so no work is late.\n";
  }
  return "The deadline is not earlier than that, so it stays.\n";
}

void set_points(class_book::Sqlite& book, const class_book::StudentException& one,
                std::optional<double> points) {
  class_book::Statement put(book,
                            "INSERT INTO adjustment (student, lab, exercise, who, why, points) "
                            "VALUES (:student, :lab, :exercise, :who, :why, :points)");
  put.bind(":student", one.student).bind(":lab", one.lab).bind(":exercise", one.exercise);
  put.bind(":who", one.who).bind(":why", one.why);
  if (points) put.bind(":points", *points);
  put.run();
}

double most_points(class_book::Sqlite& book, const class_book::StudentException& one) {
  class_book::Statement ask(book,
                            "SELECT max_points FROM standing WHERE student = :student AND lab = "
                            ":lab AND exercise = :exercise");
  ask.bind(":student", one.student).bind(":lab", one.lab).bind(":exercise", one.exercise);
  if (!ask.step()) {
    throw base::UsageError(fmt::format("the class does not have the exercise {}",
                                       base::escape_controls(exercises_of(one))));
  }
  return ask.number(0);
}

}  // namespace

int run_command(const ClassExtendOptions& options) {
  class_book::Book book(existing(options.book));
  auto& database = book.database();
  auto one = decision(database, options, class_book::ExceptionKind::kExtension);
  if (options.remove) {
    take_back_or_refuse(database, one);
    return 0;
  }
  const auto zone = class_book::zone_of_book(database);
  const auto until = class_book::parse_time(options.until, zone);
  if (!until) {
    throw base::UsageError(fmt::format(
        "--until: give a time such as \"2026-11-20 23:59\" (in {}), or --remove", zone.name()));
  }
  one.until = *until;
  change_book(database, one.student, granted(database, one),
              [&] { class_book::grant(database, one); });
  print(idle_extension(database, one));
  return 0;
}

int run_command(const ClassExcuseOptions& options) {
  class_book::Book book(existing(options.book));
  auto& database = book.database();
  const auto one = decision(database, options, class_book::ExceptionKind::kExcuse);
  if (options.remove) {
    take_back_or_refuse(database, one);
  } else {
    change_book(database, one.student, granted(database, one),
                [&] { class_book::grant(database, one); });
  }
  return 0;
}

int run_command(const ClassAdjustOptions& options) {
  class_book::Book book(existing(options.book));
  auto& database = book.database();
  auto one = decision(database, options, class_book::ExceptionKind::kBonus);
  if (one.exercise.empty()) throw base::UsageError("name one exercise: LAB/EXERCISE");
  const auto most = most_points(database, one);
  if (!options.remove && !options.points && !options.bonus) {
    throw base::UsageError("give --points, --bonus or --withdraw");
  }
  if (options.points && !(*options.points >= 0 && *options.points <= most)) {
    throw base::UsageError(
        fmt::format("--points: from 0 to {:g}; --bonus adds points past the maximum", most));
  }
  if (options.bonus && !(std::isfinite(*options.bonus) && *options.bonus >= 0)) {
    throw base::UsageError("--bonus: must be 0 or more");
  }
  one.points = options.bonus.value_or(0);
  change_book(database, one.student,
              fmt::format("{}: {}, {}", one.student, exercises_of(one),
                          options.remove ? "changes by hand taken back" : "changed by hand"),
              [&] {
                if (options.remove || options.points) set_points(database, one, options.points);
                if (options.remove || options.bonus == 0.0) {
                  class_book::take_back(database, one);
                } else if (options.bonus) {
                  class_book::grant(database, one);
                }
              });
  return 0;
}

int run_command(const ClassCommentOptions& options) {
  if (options.why.empty() && !options.remove) throw base::UsageError("give --text or --remove");
  class_book::Book book(existing(options.book));
  auto& database = book.database();
  const auto one = decision(database, options, class_book::ExceptionKind::kBonus);
  if (one.exercise.empty()) throw base::UsageError("name one exercise: LAB/EXERCISE");
  most_points(database, one);  // The class has the exercise.
  class_book::Statement put(database,
                            "INSERT INTO comment (student, lab, exercise, text, who) VALUES "
                            "(:student, :lab, :exercise, :text, :who)");
  put.bind(":student", one.student).bind(":lab", one.lab).bind(":exercise", one.exercise);
  put.bind(":text", options.remove ? std::string() : one.why).bind(":who", one.who).run();
  print(base::escape_controls(fmt::format("{}: {}, comment {}", one.student, exercises_of(one),
                                          options.remove ? "taken back" : "kept")) +
        "\n");
  return 0;
}

int run_command(const ClassMatchOptions& options) {
  class_book::Book book(existing(options.book));
  if (options.student.empty() && !options.guest && !options.remove) {
    class_book::expect_given(book.database(), options.given);
    print(class_book::match_choices(book.database(), options.book, options.given));
    return 0;
  }
  class_book::IdentityDecision decision{options.given, std::nullopt, options.who, options.why};
  if (!options.remove) decision.student = options.guest ? options.given : options.student;
  const auto student = decision.student.value_or(options.given);
  const auto title =
      options.remove  ? options.given + " is matched by the roster again, with the next run"
      : options.guest ? options.given + " is a student of their own, whom the roster does not have"
                      : fmt::format("work of {} is the work of {}", options.given, options.student);
  change_book(book.database(), student, title,
              [&] { class_book::decide_student(book.database(), decision); });
  return 0;
}

}  // namespace warpgrade::grader::cli

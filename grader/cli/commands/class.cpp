// SPDX-License-Identifier: Apache-2.0
// `warpgrade class`: run, status, explain, export, feedback, forget, and the processes that they
// start.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class/archive_reader.h"
#include "grader/class/book.h"
#include "grader/class/book_schema.h"
#include "grader/class/card_survey.h"
#include "grader/class/explain.h"
#include "grader/class/export.h"
#include "grader/class/feedback.h"
#include "grader/class/judge.h"
#include "grader/class/run_class.h"
#include "grader/class/status.h"
#include "grader/class/worker.h"
#include "grader/cli/commands/commands.h"
#include "grader/cli/version.h"
#include "grader/text/files.h"

namespace warpgrade::grader::cli {
namespace {

report::Provenance provenance_now() { return provenance(std::chrono::system_clock::now()); }

class_book::Sqlite read_book(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    throw base::UsageError(fmt::format("{}: no such grade book; `class run` creates one",
                                       base::escape_controls(file)));
  }
  class_book::Sqlite book(file, class_book::Sqlite::Open::kRead);
  class_book::expect_book(book);
  return book;
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

int run_class_run(const ClassOptions& options) {
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

int run_class_status(const ClassOptions& options) {
  auto book = read_book(options.book);
  print(class_book::status_text(book, options.book, text::style_of_stdout()));
  return 0;
}

int run_class_export(const ClassOptions& options) {
  auto book = read_book(options.book);
  std::vector<std::string> mistakes;
  class_book::write_export(book, {options.format, options.out, options.feedback},
                           [&] { return course::read_usable_labs(course::find_root(), mistakes); });
  course::expect_no_mistakes(mistakes);
  return 0;
}

int run_class_feedback(const ClassOptions& options) {
  auto book = read_book(options.book);
  print(fmt::format("{} students' feedback in {}\n", class_book::write_feedback(book, options.out),
                    base::escape_controls(options.out)));
  return 0;
}

int run_class_explain(const ClassOptions& options) {
  auto book = read_book(options.book);
  const auto student = class_book::explain_student(book, options.student);
  std::vector<std::function<void()>> files;
  if (!options.out.empty()) {
    files.push_back([&] { text::write_atomically(options.out, class_book::render_json(student)); });
  }
  deliver(files, class_book::render_text(student));
  return 0;
}

int run_class_forget(const ClassOptions& options) {
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

int run_class_worker(const ClassWorkerOptions& options) {
  return class_book::run_worker({options.spool, options.name, worker_backend(options.backend),
                                 options.bubblewrap, options.local});
}

int run_class_card() {
  std::vector<std::string> ignored;  // The run reports mistakes in manifests.
  return class_book::run_card_survey(course::read_usable_labs(course::find_root(), ignored));
}

int run_class_judge(const ClassWorkerOptions& options) {
  return class_book::run_judge(worker_backend(options.backend), provenance_now);
}

int run_class_unpack(const ClassWorkerOptions& options) {
  return class_book::run_unpack(options.zone);
}

int run_class_names() { return class_book::run_names(); }

}  // namespace warpgrade::grader::cli

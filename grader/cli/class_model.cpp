// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/class_model.h"

#include <functional>
#include <string>

#include "grader/class/card_survey.h"
#include "grader/cli/number_option.h"

namespace warpgrade::grader::cli {
namespace {

CLI::Option* add_class_format(CLI::App& command, ClassOptions& options) {
  return command
      .add_option(
          "--format", options.format,
          "Program that reads the file; html: a page of the class for the instructor; similar: "
          "near-copies, as CSV")
      ->check(CLI::IsMember({"csv", "canvas", "moodle", "blackboard", "brightspace", "roster",
                             "nbgrader", "html", "similar"}));
}

void add_class_run(CLI::App& parent, ClassOptions& options) {
  auto* command = parent.add_subcommand("run", "Grade submissions into the grade book");
  command->add_option("BOOK", options.book, "Grade book; created if missing")->required();
  command
      ->add_option("SUBMISSIONS", options.submissions,
                   "Folder with one folder per student, or the archive of a platform; class.toml "
                   "is beside it")
      ->required();
  command->add_option("--engine", options.engine, "Where the workers run (default: local)")
      ->check(CLI::IsMember({"local", "slurm"}));
  add_number<std::size_t>(*command, "--workers", options.workers,
                          "Number of workers (default: one per core)", 1);
  const auto choose = [&](const std::string& text) { options.backend = run::backend_called(text); };
  command
      ->add_option_function<std::string>(
          "--backend", choose, "Simulate or use the GPU (default: auto, the GPU if available)")
      ->check(CLI::IsMember({"auto", "sim", "gpu"}));
  command->add_option("--only", options.students, "Only this student's submissions")
      ->type_name("STUDENT")
      ->allow_extra_args(false);
  command->add_option("--policy", options.policy, "Attempt that counts (default: class.toml's)")
      ->check(CLI::IsMember({"latest", "best", "first"}));
  command->add_flag("--retry", options.retry, "Retry submissions that could not be judged");
  command->add_flag("--strict", options.strict,
                    "Leave a grade open if the card cannot decide one of its gates");
}

// Commands that change one student's grade; the book keeps person, time and reason.
void add_class_changes(const std::function<CLI::App*(const char*, const char*)>& add,
                       ClassOptions& options) {
  const auto add_reason = [&](CLI::App& command) {
    command.add_option("--by,--who", options.who, "Name of the person who decided it")->required();
    command.add_option("--why", options.why, "Reason; the student reads it")->required();
  };
  auto* command = add("extend", "Move a student's deadline; late deductions change at once");
  command->add_option("STUDENT", options.student, "Student with the extension")->required();
  command->add_option("LAB[/EXERCISE]", options.exercise, "Exercises (default: all)");
  auto* until =
      command->add_option("--until", options.until, "New deadline, in the class's time zone")
          ->type_name("TIME");
  command->add_flag("--remove", options.remove, "Withdraw the extension")->excludes(until);
  add_reason(*command);
  command = add("excuse", "Excuse a student: no points, and no zero");
  command->add_option("STUDENT", options.student, "Student to excuse")->required();
  command->add_option("LAB[/EXERCISE]", options.exercise, "Exercises (default: all)");
  command->add_flag("--remove", options.remove, "Withdraw the excuse");
  add_reason(*command);
  command = add("adjust", "Set a student's points by hand, or add a bonus");
  command->add_option("STUDENT", options.student, "Student")->required();
  command->add_option("LAB/EXERCISE", options.exercise, "Exercise")->required();
  auto* points = command->add_option("--points", options.points, "Points that count");
  auto* bonus = command->add_option("--bonus", options.bonus,
                                    "Extra points, which may exceed the maximum; 0 withdraws them");
  command->add_flag("--withdraw,--remove", options.remove, "Withdraw points and bonus")
      ->excludes(points)
      ->excludes(bonus);
  add_reason(*command);
}

}  // namespace

void add_class(CLI::App& app, ClassOptions& options) {
  auto* parent = app.add_subcommand("class", "Grade a whole class into one grade book");
  parent->require_subcommand(1);
  add_class_run(*parent, options);
  const auto add = [&](const char* name, const char* description) {
    auto* command = parent->add_subcommand(name, description);
    command->add_option("BOOK", options.book, "Grade book")->required();
    return command;
  };
  add("status", "Show points by exercise, open tasks and remarks");
  auto* command = add("export", "Write the grades for another program");
  add_class_format(*command, options)->required();
  command->add_option("--out", options.out, "Output file")->required();
  command->add_option("--feedback", options.feedback,
                      "The folder of `class feedback`: the page links to it");
  command = add("feedback", "Write one folder with feedback per student");
  command->add_option("FOLDER", options.out, "Output folder; created if missing")->required();
  add_class_changes(add, options);
  command = add("match", "Assign work under another name to a student, for all runs");
  command->add_option("KEY", options.given, "Name in the submissions")->required();
  auto* student = command->add_option("STUDENT", options.student, "Student of the roster");
  auto* guest =
      command->add_flag("--guest", options.guest, "The roster does not have this student");
  command->add_flag("--remove", options.remove, "Withdraw the decision")
      ->excludes(student)
      ->excludes(guest->excludes(student));
  command->add_option("--by", options.who, "Name of the person who decided it");
  command->add_option("--why", options.why, "Reason");
  command = add("explain", "Print every file of a student, its use, and the grades that count");
  command->add_option("STUDENT", options.student, "Student")->required();
  command->add_option("--json", options.out, "Write JSON to this file instead");
  command = add("forget", "Remove a student from all exports; adjustments are kept");
  command->add_option("STUDENT", options.student, "Student to remove")->required();
}

void add_class_processes(CLI::App& app, ClassWorkerOptions& options) {
  auto* worker = app.add_subcommand("class-worker")->group("");
  worker->add_option("SPOOL", options.spool)->required();
  worker->add_option("NAME", options.name)->required();
  worker->add_option("BACKEND", options.backend)->required();
  worker->add_flag("--bubblewrap", options.bubblewrap);
  worker->add_flag("--local", options.local);
  app.add_subcommand(class_book::kCardCommand)->group("");
  auto* judge = app.add_subcommand("class-judge")->group("");
  judge->add_option("BACKEND", options.backend)->required();
  auto* unpack = app.add_subcommand("class-unpack")->group("");
  unpack->add_option("ZONE", options.zone, "Time zone of local times")->required();
  app.add_subcommand("class-names")->group("");
}

}  // namespace warpgrade::grader::cli

// SPDX-License-Identifier: Apache-2.0
#include "grader/class/run_class.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "common/base/error.h"
#include "common/base/sha256.h"
#include "common/base/text.h"
#include "common/gpu/device_info.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/platform.h"
#include "grader/class/book.h"
#include "grader/class/card_work.h"
#include "grader/class/class_lock.h"
#include "grader/class/class_needs.h"
#include "grader/class/exceptions_file.h"
#include "grader/class/gather.h"
#include "grader/class/identities.h"
#include "grader/class/local_engine.h"
#include "grader/class/progress.h"
#include "grader/class/roster_match.h"
#include "grader/class/sandbox.h"
#include "grader/class/slurm_engine.h"
#include "grader/class/spool.h"
#include "grader/text/files.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kGlance{20};  // between two looks at the spool
constexpr double kSecondsALine = 2;               // between two lines of progress
constexpr std::size_t kMostLost = 3;  // workers that may end with a task, before it is the task's
constexpr std::size_t kMostProblems = 20;  // told; the book has all

run::Backend backend_of(const std::optional<run::Backend>& wanted) {
  if (wanted) return *wanted;
  try {
    return gpu::open_gpu("") ? run::Backend::kGpu : run::Backend::kSim;
  } catch (const base::ToolError&) {
    return run::Backend::kSim;
  }
}

// A build of a changed tree has no commit that says what it is: its bytes do.
std::string program_of(const Provenance& provenance) {
  auto out = fmt::format("{} {} {}", provenance.version, provenance.commit, provenance.toolkit);
  if (provenance.commit == "unknown" || provenance.commit.ends_with("-dirty")) {
    out += ' ' + base::sha256_hex(read_file("/proc/self/exe", "the program")).substr(0, 16);
  }
  return out;
}

// A line for each problem: student, file, reason.
std::string problem_line(const HandInProblem& one) {
  return fmt::format("{}: {}", base::escape_controls(subject_of(one.student, one.file)), one.what);
}

// Students without a row of the roster; work of theirs needs a person.
void report_unmatched(const HandedIn& handed_in, std::vector<HandInProblem>& problems) {
  for (const auto& unmatched : handed_in.unmatched) {
    const auto& student = unmatched.first;
    const bool has_work = std::ranges::find(handed_in.attempts, student, &HandIn::student) !=
                              handed_in.attempts.end() ||
                          std::ranges::any_of(handed_in.received, [&](const ReceivedFile& one) {
                            return one.student == student && one.state == FileState::kOpen;
                          });
    problems.push_back({student, student,
                        has_work ? "is not in the roster; graded under this name, and grades that "
                                   "may be theirs stay open"
                                 : "is not in the roster, and no work was received",
                        has_work});
  }
}

void tell_problems(const HandedIn& handed_in, const ClassRules& rules, const fs::path& all,
                   const Say& say) {
  auto problems = handed_in.problems;
  report_unmatched(handed_in, problems);
  std::set<std::string> present(handed_in.students.begin(), handed_in.students.end());
  std::size_t missing = 0;
  if (rules.roster) {
    for (const auto& one : *rules.roster) missing += present.contains(one.student) ? 0 : 1;
  }
  say("layout: " + base::escape_controls(handed_in.layout), false);
  say(fmt::format("{} students, {} attempts", present.size() + missing, handed_in.attempts.size()),
      false);
  std::set<std::string> received;
  std::size_t open = 0;
  bool has_unknown = false;
  for (const auto& one : handed_in.received) {
    if (!one.name.empty()) received.insert(one.student);
    if (one.state == FileState::kOpen) ++open;
    has_unknown = has_unknown || (one.state == FileState::kOpen && one.student.empty());
  }
  std::size_t none = missing;
  for (const auto& one : present) none += received.contains(one) ? 0 : 1;
  if (open > 0) {
    say(fmt::format("{} received and not graded; they are open",
                    open == 1 ? "1 file was" : fmt::format("{} files were", open)),
        false);
  }
  if (none > 0) {
    say(fmt::format("nothing was received from {}{}",
                    none == 1 ? "1 student" : fmt::format("{} students", none),
                    has_unknown ? "; files of unknown students may be theirs" : ""),
        false);
  }
  std::ranges::stable_sort(problems,
                           [](const auto& a, const auto& b) { return a.unread > b.unread; });
  std::string lines;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const auto line = problem_line(problems[i]);
    if (i < kMostProblems) say("  " + line, false);
    lines += line + "\n";
  }
  write_atomically(all, lines);
  if (problems.size() > kMostProblems) {
    say(fmt::format("  and {} more; {} has all", problems.size() - kMostProblems,
                    base::escape_controls(all.string())),
        false);
  }
}

// Has all of `wanted` graded, and keeps what comes.
class Coordinator {
 public:
  Coordinator(Book& book, Spool& spool, std::vector<WantedGrade> wanted,
              const std::vector<Selected>& exercises, run::Backend backend, const Say& say)
      : book_(book),
        spool_(spool),
        wanted_(std::move(wanted)),
        exercises_(exercises),
        on_card_(backend == run::Backend::kGpu),
        say_(say) {
    for (const auto& one : wanted_) open_[one.key] = &one;
  }

  /// Keeps the outcomes that an earlier run left in the spool, so that they are not graded again.
  void keep_leftovers() {
    spool_.make();
    take_results();
    spool_.clear();
  }

  /// Simulates all of them, and keeps those that need no card; the others are left for run().
  void simulate_first(Engine& engine) {
    run(engine, /*leaves_right_ones=*/true);
    say_(fmt::format("simulated; {} compile and are right: they get a card", open_.size()), false);
    for_card_.clear();
    spool_.clear();
  }

  void run(Engine& engine, bool leaves_right_ones = false) {
    leaves_right_ones_ = leaves_right_ones;
    has_begun_ = true;
    std::size_t number = 0;
    for (const auto& one : wanted_) {
      if (open_.contains(one.key)) spool_.put(number++, book_.task_of(one));
    }
    begin_ = Clock::now();
    while (open_.size() > for_card_.size()) {
      take_results();
      for (const auto& worker : engine.ended()) lose(worker);
      if (open_.size() > for_card_.size() && (spool_.has_tasks() || !engine.is_busy()))
        engine.keep_working();
      tell(false);
      std::this_thread::sleep_for(kGlance);
    }
    tell(true);
  }

  bool is_done() const { return open_.empty(); }

 private:
  void take_results() {
    std::vector<Outcome> outcomes;
    std::vector<WantedGrade> of;
    std::vector<fs::path> files;
    for (auto& result : spool_.results()) {
      files.push_back(result.file);
      const auto found = open_.find(result.outcome.key);
      if (found == open_.end()) continue;
      if (!is_grade(result.outcome, *found->second)) {
        if (leaves_right_ones_) for_card_.insert(found->first);
        continue;
      }
      troubled_ += result.outcome.trouble.empty() ? 0 : 1;
      outcomes.push_back(std::move(result.outcome));
      of.push_back(*found->second);
      open_.erase(found);
      ++done_;
    }
    if (!outcomes.empty()) book_.keep(outcomes, of);
    // Only now: what is in the book cannot be lost any more.
    std::error_code ignored;
    for (const auto& file : files) fs::remove(file, ignored);
  }

  // On a card, what was simulated is a grade where it needs none; the rest is done again there.
  bool is_grade(const Outcome& outcome, const WantedGrade& wanted) const {
    if (!on_card_ || outcome.backend == run::name(run::Backend::kGpu)) return true;
    if (needs_no_card(outcome, exercises_, wanted.lab, wanted.exercise)) return true;
    return !leaves_right_ones_ && has_begun_ && !outcome.trouble.empty();
  }

  // A worker has ended: its task is another's, or nobody's where it ends all that take it.
  void lose(const std::string& worker) {
    for (const auto& key : spool_.give_back(worker)) {
      const auto found = open_.find(key);
      if (found == open_.end() || ++lost_[key] < kMostLost) continue;
      Outcome outcome;
      outcome.key = key;
      outcome.trouble = fmt::format("{} workers ended while they graded it", kMostLost);
      book_.keep({outcome}, {*found->second});
      open_.erase(found);
      ++done_;
      ++troubled_;
      spool_.drop(key);
    }
  }

  void tell(bool last) {
    const std::chrono::duration<double> passed = Clock::now() - begin_;
    if (!last && passed.count() - told_ < kSecondsALine) return;
    told_ = passed.count();
    say_(progress_line(done_, wanted_.size(), troubled_, passed.count()), !last);
  }

  Book& book_;
  Spool& spool_;
  std::vector<WantedGrade> wanted_;
  const std::vector<Selected>& exercises_;
  bool on_card_;
  bool leaves_right_ones_ = false;  // The pass that simulates, before cards are given.
  bool has_begun_ = false;
  const Say& say_;
  std::map<std::string, const WantedGrade*> open_;
  std::set<std::string> for_card_;  // Simulated, and open until they were on a card.
  std::map<std::string, std::size_t> lost_;
  std::size_t done_ = 0;
  std::size_t troubled_ = 0;
  double told_ = 0;
  Clock::time_point begin_;
};

std::unique_ptr<Engine> engine_of(const ClassRunOptions& options, const WorkerOptions& worker,
                                  const std::vector<std::string>& cards = {}) {
  if (options.engine == "slurm") {
    return std::make_unique<SlurmEngine>(worker, options.workers > 0 ? options.workers : 4);
  }
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  return std::make_unique<LocalEngine>(worker, options.workers > 0 ? options.workers : cores,
                                       cards);
}

// The numbers of this machine's GPUs, or the one that was chosen.
std::vector<std::string> cards_here() {
  if (const auto* chosen = std::getenv(gpu::kGpuVariable)) return {chosen};
  std::vector<std::string> out;
  const auto count = gpu::open_gpu("--backend gpu: there is no GPU to run on")->info().count;
  for (std::uint32_t card = 0; card < count; ++card) out.push_back(std::to_string(card));
  return out;
}

// Throws if --only names a student of whom nothing is known.
void expect_students(const std::vector<std::string>& only, const HandedIn& handed_in,
                     const ClassRules& rules) {
  auto known = handed_in.students;
  if (rules.roster) {
    for (const auto& one : *rules.roster) known.push_back(one.student);
  }
  for (const auto& student : only) {
    if (std::ranges::find(known, student) != known.end()) continue;
    throw base::UsageError(fmt::format("--only: there is no student {} in these submissions{}",
                                       base::escape_controls(student),
                                       did_you_mean(student, known)));
  }
}

// The course's names of the exercises in class.toml. Throws if there is no such exercise.
void resolve_rules(ClassRules& rules, const Course& course) {
  resolve_exercises(rules.exceptions, course);
  resolve_students(rules.exceptions, rules.roster.value_or(std::vector<Enrolled>()));
  std::map<std::string, std::int64_t> deadlines;
  for (const auto& [key, deadline] : rules.deadlines) {
    const bool is_lab = std::ranges::find(course.labs, key, &Lab::id) != course.labs.end();
    if (key.empty() || is_lab) {
      deadlines[key] = deadline;
      continue;
    }
    const auto one = select(course, {key}).front();
    deadlines[one.lab->id + "/" + one.exercise->id] = deadline;
  }
  rules.deadlines = std::move(deadlines);
}

// A decision of class.toml for a student who is nowhere would have no effect, and must be reported.
void report_unknown_students(Book& book, const ClassRules& rules, HandedIn& handed_in) {
  auto present = handed_in.students;
  if (rules.roster) {
    for (const auto& one : *rules.roster) present.push_back(one.student);
  }
  for (const auto& one : of_unknown_students(book.database(), rules.exceptions, present)) {
    handed_in.problems.push_back(
        {"", one.place,
         fmt::format("{}: the class has no student {}{}", name(one.kind),
                     base::escape_controls(one.student), did_you_mean(one.student, present)),
         false});
  }
}

// Has all graded by workers; on cards what needs them, after all was simulated.
void grade_all(Coordinator& coordinator, const ClassRunOptions& options,
               const WorkerOptions& worker) {
  std::vector<std::string> cards;
  if (worker.backend == run::Backend::kGpu) {
    if (options.engine == "local") cards = cards_here();
    auto simulated = worker;
    simulated.backend = run::Backend::kSim;
    coordinator.simulate_first(*engine_of(options, simulated));
    if (coordinator.is_done()) return;
  }
  coordinator.run(*engine_of(options, worker, cards));
}

}  // namespace

int run_class(const ClassRunOptions& options, const Course& course, const Provenance& provenance,
              const Say& say) {
  auto rules = read_class_rules(options.submissions);
  if (options.policy) rules.policy = *options.policy;
  const auto exercises = select(course, rules.exercises);
  resolve_rules(rules, course);
  auto spool_folder = options.book;
  spool_folder += ".spool";
  auto lock_file = options.book;
  lock_file += ".lock";
  const ClassLock lock(lock_file);
  Book book(options.book);

  const auto confinement = available_confinement();
  say("sandbox: " + describe(confinement), false);
  auto handed_in = gather(course, rules, options.submissions);
  match_roster(handed_in, rules.roster.value_or(std::vector<Enrolled>()),
               decided_students(book.database(), rules));
  expect_students(options.students, handed_in, rules);
  report_unknown_students(book, rules, handed_in);
  auto problems_file = options.book;
  problems_file += ".problems.txt";
  tell_problems(handed_in, rules, problems_file, say);

  const WorkerOptions worker{fs::absolute(spool_folder), "", backend_of(options.backend),
                             confinement.bubblewrap, false};
  const GradingIdentity identity{program_of(provenance), std::string(run::name(worker.backend))};
  const auto run = book.begin_run({options.engine, static_cast<std::int64_t>(options.workers),
                                   identity.backend, describe(confinement), identity.program});
  book.take_in(run, exercises, rules, handed_in, options.students);

  Spool spool(worker.spool);
  Coordinator coordinator(book, spool,
                          book.wanted(identity, exercises, options.students, options.retry),
                          exercises, worker.backend, say);
  coordinator.keep_leftovers();
  if (coordinator.is_done()) {
    say("nothing to grade: each attempt has a grade, or is open", false);
  } else {
    grade_all(coordinator, options, worker);
  }
  book.end_run(run);
  std::error_code ignored;
  fs::remove_all(spool.folder(), ignored);

  const auto left = book.wanted(identity, exercises, options.students, true).size();
  const bool has_unread = std::ranges::any_of(handed_in.problems, &HandInProblem::unread);
  const auto needs = class_needs(book.database(), options.book.string());
  bool has_unmatched = false;
  for (const auto& need : needs) {
    has_unmatched = has_unmatched || need.kind == NeedKind::kUnmatched;
    // A run for some students leaves the others as they are.
    if (need.kind == NeedKind::kNotGraded && !options.students.empty()) continue;
    say(fmt::format("{}; next: {}", title(need), need.command), false);
  }
  return left > 0 || has_unread || has_unmatched ? 3 : 0;
}

}  // namespace warpgrade::grader

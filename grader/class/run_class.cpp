// SPDX-License-Identifier: Apache-2.0
// `class run`, from the submissions to the last grade.
//
// In: the submissions, and the cards of this machine or of Slurm. Out: tasks in the spool, outcomes
// in the book, and lines about the progress. A process of its own (`class-card`) measures each card
// outside of the sandbox, and ends before the first submission (grade/time/course_on_card.h).
#include "grader/class/run_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/child.h"
#include "common/gpu/device_info.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/platform.h"
#include "common/run/launch.h"
#include "grader/cases/submission.h"
#include "grader/class/book.h"
#include "grader/class/book_file.h"
#include "grader/class/engines.h"
#include "grader/class/exceptions.h"
#include "grader/class/exports.h"
#include "grader/class/gather.h"
#include "grader/class/hand_in.h"
#include "grader/class/identities.h"
#include "grader/class/rules.h"
#include "grader/class/sandbox.h"
#include "grader/class/spool.h"
#include "grader/class/status.h"
#include "grader/course/course.h"
#include "grader/grade/grading_session.h"
#include "grader/grade/plan/target.h"
#include "grader/grade/time/course_on_card.h"
#include "grader/report/report.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::class_book {

bool needs_no_card(const Outcome& simulated, const std::vector<course::Selected>& exercises,
                   const std::string& lab, const std::string& exercise) {
  const auto* grade = simulated.grade();
  if (grade == nullptr) return false;
  const bool asks_questions = std::ranges::any_of(exercises, [&](const course::Selected& one) {
    return one.lab->id == lab && one.exercise->id == exercise && one.exercise->kernel() == nullptr;
  });
  if (asks_questions) return true;
  return grade->verdict == report::Verdict::kFail &&
         (grade->reason == report::Reason::kCompile ||
          grade->reason == report::Reason::kDiagnostic ||
          grade->reason == report::Reason::kIncorrect);
}

namespace {

constexpr const char* kCardCommand = "class-card";
constexpr std::chrono::minutes kSurveyPatience{30};  // for all exercises of a course on a slow card

std::vector<grade::CardFacts> survey(const compile::Command& command, const std::string& card) {
  const auto child = compile::run_child(command, {}, kSurveyPatience);
  auto out = grade::card_facts_from_json(child.output);
  if (child.timed_out || child.signal != 0 || child.exit_code != 0 || out.empty()) {
    throw base::ToolError(
        fmt::format("the course's solutions could not be measured on {}: see above", card));
  }
  return out;
}

std::string own_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

/// The facts of this machine's cards with these numbers; of equal cards only the first one's.
/// Throws base::ToolError if a card cannot be opened.
std::vector<grade::CardFacts> survey_cards(const std::vector<std::string>& cards) {
  std::vector<grade::CardFacts> out;
  for (const auto& card : cards) {
    const compile::Command command{
        "/usr/bin/env",
        {fmt::format("{}={}", gpu::kGpuVariable, card), own_program(), kCardCommand},
        true};
    for (auto& one : survey(command, "card " + card)) {
      const bool is_known = std::ranges::any_of(
          out, [&](const grade::CardFacts& other) { return is_same_card(one, other); });
      if (!is_known) out.push_back(std::move(one));
    }
  }
  return out;
}

/// The facts of a card that Slurm lends; empty if it lends none.
std::vector<grade::CardFacts> survey_slurm_card() {
  const compile::Command command{
      "/usr/bin/srun", {"--gres=gpu:1", "--quiet", own_program(), kCardCommand}, true};
  try {
    return survey(command, "a card of Slurm");
  } catch (const base::ToolError&) {  // Its gates are waived, and reported as such.
    return {};
  }
}

/// Prints the measured exercises, and those whose gates on speed will be waived.
void report_survey(const std::vector<grade::CardFacts>& cards, const Say& say) {
  for (const auto& card : cards) {
    std::vector<std::string> measured;
    for (const auto& [exercise, values] : card.course) {
      if (values.trouble.empty()) {
        measured.push_back(exercise);
        continue;
      }
      say(fmt::format("{}: the solution of {} has no speed, so its gate is waived: {}",
                      base::escape_controls(card.device), exercise,
                      base::escape_controls(values.trouble)),
          false);
    }
    if (measured.empty()) continue;
    say(fmt::format("{}: bounds on speed are shares of the solution's speed for {}",
                    base::escape_controls(card.device), text::joined(measured)),
        false);
  }
}

}  // namespace

int run_card_survey(const course::Course& course) {
  grade::GradingSession session(run::Backend::kGpu, "", cases::kDefaultSeed);
  const auto text = to_json(std::vector<grade::CardFacts>{session.card_facts(course)});
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 3;
}

std::string digest_of(const std::vector<grade::CardFacts>& cards) {
  const bool is_none = std::ranges::all_of(cards, [](const grade::CardFacts& card) {
    return card.calibration.empty() && card.course.empty();
  });
  return is_none ? std::string() : base::sha256_hex(to_json(cards)).substr(0, 16);
}

std::string progress_line(std::size_t done, std::size_t all, std::size_t troubled, double seconds) {
  auto out = fmt::format("graded {} of {}", done, all);
  if (done > 0 && seconds > 0) {
    const auto rate = static_cast<double>(done) / seconds;
    const auto left = static_cast<long>(static_cast<double>(all - done) / rate);
    out += fmt::format(", {:.1f} a second", rate);
    if (done < all && left >= 60) out += fmt::format(", {} min {} s left", left / 60, left % 60);
    if (done < all && left < 60) out += fmt::format(", {} s left", left);
  }
  if (troubled > 0) out += fmt::format(", {} not judged", troubled);
  return out;
}

namespace {

// Has the submissions of a run graded: puts tasks into the spool, keeps workers busy, and writes
// each outcome into the book.

class Coordinator {
 public:
  /// `book`, `spool`, `exercises` and `say` outlive the coordinator. `cards`: JSON of CardFacts for
  /// judges with a card.
  Coordinator(Book& book, Spool& spool, std::vector<WantedGrade> wanted,
              const std::vector<course::Selected>& exercises, run::Backend backend,
              std::string cards, const Say& say)
      : book_(book),
        spool_(spool),
        wanted_(std::move(wanted)),
        exercises_(exercises),
        on_card_(backend == run::Backend::kGpu),
        cards_(std::move(cards)),
        say_(say) {
    for (const auto& one : wanted_) open_[one.key] = &one;
  }

  /// Keeps the outcomes that an earlier run left in the spool, so that they are not graded again.
  void keep_leftovers();

  /// Simulates all attempts and keeps the grades that need no card; run() does the others.
  void simulate_first(Engine& engine);

  /// Runs until each attempt has a grade or a reason; with `leaves_right_ones` until only attempts
  /// that need a card remain.
  void run(Engine& engine, bool leaves_right_ones = false);

  bool is_done() const { return open_.empty(); }

 private:
  void take_results();

  // On cards, a simulated outcome is final only if it needs no card. A card repeats the others.
  bool is_final(const Outcome& outcome, const WantedGrade& wanted) const;

  // A worker has ended: requeues its task, unless the task has already ended several workers.
  void lose(const std::string& worker);

  void tell(bool last);

  Book& book_;
  Spool& spool_;
  std::vector<WantedGrade> wanted_;
  const std::vector<course::Selected>& exercises_;
  bool on_card_;
  std::string cards_;
  bool leaves_right_ones_ = false;  // The pass that simulates, before cards are given.
  const Say& say_;
  std::map<std::string, const WantedGrade*> open_;  // By key.
  std::set<std::string> for_card_;  // Simulated, and open until they were on a card.
  std::map<std::string, std::size_t> lost_;
  std::size_t done_ = 0;
  std::size_t troubled_ = 0;
  double told_ = 0;
  std::chrono::steady_clock::time_point begin_;
};

namespace fs = std::filesystem;

constexpr double kSecondsALine = 2;   // between two lines of progress
constexpr std::size_t kMostLost = 3;  // lost workers at which the task is at fault

}  // namespace

void Coordinator::keep_leftovers() {
  spool_.make();
  take_results();
  spool_.clear();
}

void Coordinator::simulate_first(Engine& engine) {
  run(engine, /*leaves_right_ones=*/true);
  say_(fmt::format("simulated; {} compile and are right: they get a card", open_.size()), false);
  for_card_.clear();
  spool_.clear();
}

void Coordinator::run(Engine& engine, bool leaves_right_ones) {
  leaves_right_ones_ = leaves_right_ones;
  std::size_t number = 0;
  for (const auto& one : wanted_) {
    if (!open_.contains(one.key)) continue;
    auto task = book_.task_of(one);
    if (on_card_ && !leaves_right_ones) task.cards = cards_;
    spool_.put(number++, task);
  }
  spool_.end_announcement();
  begin_ = std::chrono::steady_clock::now();
  while (open_.size() > for_card_.size()) {
    take_results();
    for (const auto& worker : engine.ended()) lose(worker);
    if (open_.size() > for_card_.size() && (spool_.has_tasks() || !engine.is_busy()))
      engine.keep_working();
    tell(false);
    std::this_thread::sleep_for(Spool::kGlance);
  }
  tell(true);
}

void Coordinator::take_results() {
  std::vector<Outcome> outcomes;
  std::vector<WantedGrade> of;
  std::vector<fs::path> files;
  for (auto& result : spool_.results()) {
    files.push_back(result.file);
    const auto found = open_.find(result.outcome.key);
    if (found == open_.end()) continue;
    if (!is_final(result.outcome, *found->second)) {
      if (leaves_right_ones_) for_card_.insert(found->first);
      continue;
    }
    troubled_ += result.outcome.trouble() == nullptr ? 0 : 1;
    outcomes.push_back(std::move(result.outcome));
    of.push_back(*found->second);
    open_.erase(found);
    ++done_;
  }
  if (!outcomes.empty()) book_.keep(outcomes, of);
  // Only now, since the book has the outcome.
  std::error_code ignored;
  for (const auto& file : files) fs::remove(file, ignored);
}

bool Coordinator::is_final(const Outcome& outcome, const WantedGrade& wanted) const {
  return !on_card_ || outcome.backend == run::Backend::kGpu ||
         needs_no_card(outcome, exercises_, wanted.lab, wanted.exercise);
}

void Coordinator::lose(const std::string& worker) {
  for (const auto& key : spool_.give_back(worker)) {
    const auto found = open_.find(key);
    if (found == open_.end() || ++lost_[key] < kMostLost) continue;
    Outcome outcome;
    outcome.key = key;
    outcome.result = Trouble{Trouble::Kind::kNoGrade,
                             fmt::format("{} workers ended while they graded it", kMostLost)};
    book_.keep({outcome}, {*found->second});
    open_.erase(found);
    ++done_;
    ++troubled_;
    spool_.drop(key);
  }
}

void Coordinator::tell(bool last) {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
  if (!last && passed.count() - told_ < kSecondsALine) return;
  told_ = passed.count();
  say_(progress_line(done_, wanted_.size(), troubled_, passed.count()), !last);
}

namespace {

run::Backend backend_of(const std::optional<run::Backend>& wanted) {
  if (wanted) return *wanted;
  try {
    return gpu::open_gpu("") ? run::Backend::kGpu : run::Backend::kSim;
  } catch (const base::ToolError&) {
    return run::Backend::kSim;
  }
}

// No commit identifies a build of a changed tree, so the program's bytes do.
std::string program_of(const report::Provenance& provenance) {
  auto out = fmt::format("{} {} {}", provenance.version, provenance.commit, provenance.toolkit);
  if (provenance.commit == "unknown" || provenance.commit.ends_with("-dirty")) {
    out += ' ' + base::sha256_hex(text::read_file("/proc/self/exe", "the program")).substr(0, 16);
  }
  return out;
}

std::unique_ptr<Engine> engine_of(const RunOptions& options, const WorkerOptions& worker,
                                  const std::vector<std::string>& places = {}) {
  if (options.engine == "slurm") {
    return slurm_engine(worker, options.workers > 0 ? options.workers : 4);
  }
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  return local_engine(worker, options.workers > 0 ? options.workers : cores, places);
}

// The numbers of this machine's GPUs, or the one that was chosen.
std::vector<std::string> cards_here() {
  if (const auto* chosen = std::getenv(gpu::kGpuVariable)) return {chosen};
  std::vector<std::string> out;
  const auto count = gpu::open_gpu("--backend gpu: no GPU to run on")->info().count;
  for (std::uint32_t card = 0; card < count; ++card) out.push_back(std::to_string(card));
  return out;
}

// The same, with the number of grades of `exercises` that fit in its free memory at once.
std::vector<Card> cards_for(const std::vector<course::Selected>& exercises) {
  // For the driver's contexts, the heap of kernels, and the memory that empties L2.
  constexpr double kBesideBuffers = 1U << 30;
  double most = 0;
  for (const auto& one : exercises) {
    const auto* kernel = one.exercise->kernel();
    if (kernel != nullptr) most = std::max(most, grade::most_card_bytes(*kernel));
  }
  std::vector<Card> out;
  for (auto& number : cards_here()) {
    const auto card = gpu::open_gpu("--backend gpu: no GPU to run on", text::parse_count(number));
    const auto free = static_cast<double>(card->info().free_bytes);
    out.push_back({std::move(number), static_cast<std::size_t>(free / (most + kBesideBuffers))});
  }
  return out;
}

// The facts of the cards that will grade; none if no card will.
std::vector<grade::CardFacts> facts_of_cards(const RunOptions& options, run::Backend backend,
                                             const Say& say) {
  if (backend != run::Backend::kGpu) return {};
  const bool is_slurm = options.engine == "slurm";
  say(fmt::format("{} the course's solutions, unless an earlier run has measured them",
                  is_slurm ? "waiting for a card of Slurm to measure" : "measuring"),
      false);
  auto out = is_slurm ? survey_slurm_card() : survey_cards(cards_here());
  report_survey(out, say);
  return out;
}

// The students of the submissions and of the roster.
std::vector<std::string> present_students(const HandedIn& handed_in, const Rules& rules) {
  auto out = handed_in.students;
  for (const auto& one : rules.roster) out.push_back(one.student);
  return out;
}

// Throws if --only names an unknown student.
void expect_students(const std::vector<std::string>& only, const HandedIn& handed_in,
                     const Rules& rules) {
  const auto known = present_students(handed_in, rules);
  for (const auto& student : only) {
    if (std::ranges::find(known, student) != known.end()) continue;
    throw base::UsageError(fmt::format("--only: unknown student {} in these submissions{}",
                                       base::escape_controls(student),
                                       text::did_you_mean(student, known)));
  }
}

// Adds the excuses that the platform's gradebook has, unless class.toml has them already.
void excuse_by_gradebook(Rules& rules, const course::Course& course) {
  if (rules.roster_bytes.empty()) return;
  std::vector<std::pair<std::string, std::string>> exercises;
  for (const auto& one : select(course, rules.exercises)) {
    exercises.emplace_back(one.lab->id, one.exercise->id);
  }
  const auto book = read_gradebook(rules.roster_bytes, "the roster", rules.identity);
  for (const auto& cell : excused_cells(book, exercises, rules.columns)) {
    StudentException one;
    one.student = cell.student;
    one.lab = cell.exercise.substr(0, cell.exercise.find('/'));
    if (one.lab != cell.exercise) one.exercise = cell.exercise.substr(one.lab.size() + 1);
    one.kind = ExceptionKind::kExcuse;
    one.who = "the gradebook";
    one.why = "excused in the gradebook";
    one.place = fmt::format("the roster:{}", cell.row);
    const bool is_known = std::ranges::any_of(rules.exceptions, [&](const auto& other) {
      return std::tie(other.student, other.lab, other.exercise, other.kind) ==
             std::tie(one.student, one.lab, one.exercise, one.kind);
    });
    if (!is_known) rules.exceptions.push_back(std::move(one));
  }
}

// The course without labs that have a mistake in their manifest. Throws if the class needs one of
// these.
course::Course course_for(const Rules& rules) {
  std::vector<std::string> mistakes;
  auto course = course::read_usable_labs(course::find_root(), mistakes);
  if (mistakes.empty()) return course;
  if (rules.exercises.empty()) {
    mistakes.emplace_back("to grade other labs only, name them in class.toml: exercises = [...]");
    course::expect_no_mistakes(mistakes);
  }
  course::read_course(course.root, rules.exercises);
  return course;
}

// Resolves the exercise names in class.toml to the course's. Throws if an exercise does not exist.
void resolve_rules(Rules& rules, const course::Course& course) {
  resolve_titles_and_deadlines(rules, course);
  resolve_exercises(rules.exceptions, course);
  resolve_students(rules.exceptions, rules.roster);
  excuse_by_gradebook(rules, course);
  resolve_groups(rules.groups, rules.roster);
}

// Prints which class.toml holds, and what in it has no effect.
void report_rules(const Rules& rules, const std::vector<course::Selected>& exercises,
                  const Say& say) {
  std::error_code ignored;
  const auto& file = rules.files.front();
  say(fs::is_regular_file(file, ignored)
          ? "rules: " + base::escape_controls(file)
          : fmt::format(
                "rules: none, so all {} exercises of the course and no deadline; write {} to "
                "set them",
                exercises.size(), base::escape_controls(file)),
      false);
  for (const auto& line : idle_settings(rules, exercises)) say("  " + line, false);
}

// A decision of class.toml for an unknown student has no effect, so it is reported.
void report_unknown_students(Book& book, const Rules& rules, HandedIn& handed_in) {
  const auto present = present_students(handed_in, rules);
  for (const auto& one : of_unknown_students(book.database(), rules.exceptions, present)) {
    handed_in.problems.push_back(
        {"", one.place,
         fmt::format("{}: the class has no student {}{}", name(one.kind),
                     base::escape_controls(one.student), text::did_you_mean(one.student, present)),
         false});
  }
}

// Judges under bubblewrap read the user's cache and cannot add to it. So it receives what they have
// in common before they start.
void fill_cache(const std::vector<course::Selected>& exercises,
                const std::vector<WantedGrade>& wanted) {
  try {
    grade::GradingSession session(run::Backend::kSim, "", cases::kDefaultSeed);
    for (const auto& one : exercises) {
      const bool is_wanted = std::ranges::any_of(wanted, [&](const WantedGrade& grade) {
        return grade.lab == one.lab->id && grade.exercise == one.exercise->id;
      });
      if (is_wanted) session.warm(*one.lab, *one.exercise);
    }
  } catch (const base::ToolError&) {
    // Each grade reports it.
  }
}

// Has workers grade all submissions; on cards, only submissions that need one, after simulating
// all.
void grade_all(Coordinator& coordinator, const RunOptions& options, const WorkerOptions& worker,
               const std::vector<course::Selected>& exercises, std::unique_ptr<Engine> simulating) {
  if (worker.backend == run::Backend::kSim) {
    coordinator.run(*simulating);
    return;
  }
  coordinator.simulate_first(*simulating);
  simulating.reset();
  if (coordinator.is_done()) return;
  std::vector<std::string> places;
  if (options.engine == "local") places = places_on(cards_for(exercises));
  coordinator.run(*engine_of(options, worker, places));
}

// Workers that simulate. With cards they start later, since the cards are measured first.
std::unique_ptr<Engine> simulating_engine(const RunOptions& options, WorkerOptions worker) {
  const bool is_all = worker.backend == run::Backend::kSim;
  worker.backend = run::Backend::kSim;
  auto out = engine_of(options, worker);
  if (is_all) out->prepare();
  return out;
}

// Whether a folder or an archive could not be read, which the book does not list as a file.
bool has_unread_place(const HandedIn& handed_in) {
  std::set<std::string> open;
  for (const auto& one : handed_in.received) {
    if (one.state == FileState::kOpen) open.insert(one.path);
  }
  return std::ranges::any_of(handed_in.problems, [&](const HandInProblem& one) {
    return one.unread && !open.contains(one.file);
  });
}

}  // namespace

int run_class(const RunOptions& options, const report::Provenance& provenance, const Say& say) {
  auto rules = read_rules(options.submissions);
  const auto course = course_for(rules);
  if (options.policy) rules.policy = *options.policy;
  rules.strict = options.strict;
  const auto exercises = select(course, rules.exercises);
  resolve_rules(rules, course);
  auto spool_folder = options.book;
  spool_folder += ".spool";
  auto lock_file = options.book;
  lock_file += ".lock";
  const Lock lock(lock_file);
  Book book(options.book);

  const auto confinement = available_confinement();
  say("sandbox: " + describe(confinement), false);
  report_rules(rules, exercises, say);
  const WorkerOptions worker{fs::absolute(spool_folder), "", backend_of(options.backend),
                             confinement.bubblewrap, false};
  auto simulating = simulating_engine(options, worker);
  auto handed_in = gather(course, rules, options.submissions, options.book);
  match_roster(handed_in, rules.roster, decided_students(book.database(), rules.roster));
  share_group_work(handed_in, rules.groups, rules.roster);
  apply_submission_times(handed_in, rules);
  // Two names of the submissions may be one student's, and members of a group have each other's.
  settle_attempts(handed_in, rules.policy == Policy::kBest);
  expect_students(options.students, handed_in, rules);
  report_unknown_students(book, rules, handed_in);
  auto problems_file = options.book;
  problems_file += ".problems.txt";
  report_intake(handed_in, rules, problems_file, say);

  const auto cards = facts_of_cards(options, worker.backend, say);
  GradingIdentity identity{program_of(provenance), worker.backend};
  if (const auto digest = digest_of(cards); !digest.empty()) identity.program += " cards " + digest;
  const auto run = book.begin_run({options.engine, static_cast<std::int64_t>(options.workers),
                                   identity.backend, describe(confinement), identity.program});
  book.take_in(run, exercises, rules, handed_in, options.students);

  const auto wanted = book.wanted(identity, exercises, options.students, options.retry);
  if (confinement.bubblewrap) fill_cache(exercises, wanted);
  Spool spool(worker.spool);
  Coordinator coordinator(book, spool, wanted, exercises, worker.backend, to_json(cards), say);
  coordinator.keep_leftovers();
  if (coordinator.is_done()) {
    say("nothing to grade: each attempt has a grade, or is open", false);
  } else {
    grade_all(coordinator, options, worker, exercises, std::move(simulating));
  }
  simulating.reset();
  book.end_run(run);
  std::error_code ignored;
  fs::remove_all(spool.folder(), ignored);

  const auto left = book.wanted(identity, exercises, options.students, true).size();
  bool has_unread = has_unread_place(handed_in);
  const auto needs = find_needs(book.database(), options.book.string());
  bool has_unmatched = false;
  bool is_refused = false;
  for (const auto& need : needs) {
    has_unmatched = has_unmatched || need.kind == NeedKind::kUnmatched;
    has_unread = has_unread || need.kind == NeedKind::kFiles;
    is_refused = is_refused || need.kind == NeedKind::kWaived;
    // A run for some students does not report the others.
    if (need.kind == NeedKind::kNotGraded && !options.students.empty()) continue;
    say(fmt::format("{}; next: {}", title(need), need.command), false);
  }
  for (const auto& one : waived_gates(book.database())) say(described(one), false);
  if (const auto changed = regrades_text(book.database(), /*only_last=*/true); !changed.empty()) {
    say("regraded, because a manifest, a solution or the program changed:\n" +
            changed.substr(0, changed.size() - 1),
        false);
  }
  for (const auto& line : other_maxima_of(book.database())) say(line, false);
  return left > 0 || has_unread || has_unmatched || is_refused ? 3 : 0;
}

}  // namespace warpgrade::grader::class_book

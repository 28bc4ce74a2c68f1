// SPDX-License-Identifier: Apache-2.0
#include "grader/grading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <utility>

#include "common/base/error.h"
#include "grader/answers.h"
#include "grader/case_launch.h"
#include "grader/contents_salt.h"
#include "grader/gates.h"
#include "grader/orders.h"
#include "grader/outputs.h"
#include "grader/rubric.h"

namespace warpgrade::grader {
namespace {

// Warp instructions a block may execute: 2000 times what a block of any lab needs, and a loop
// without end is found within a second or two. A whole launch has half a minute of one core.
constexpr std::uint64_t kInstructionBudget = std::uint64_t{1} << 26;
constexpr std::uint64_t kLaunchBudget = std::uint64_t{1} << 30;
constexpr std::size_t kMostDiagnostics = 10;

std::string shown(const Variables& variables) {
  std::string out;
  for (const auto& [name, value] : variables) {
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", name, value);
  }
  return out;
}

// The requests for the architectures of `targets`, or what is wrong with the file itself.
std::variant<compile::Request, std::vector<base::Diagnostic>> request_for(const Work& work) {
  auto source = compile::read_source(work.submission.file);
  if (auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&source)) {
    for (auto& diagnostic : *wrong) diagnostic.where.file = work.submission.shown;
    return std::move(*wrong);
  }
  auto request = std::get<compile::Request>(std::move(source));
  request.file = work.submission.shown;
  const auto& exercise = *work.exercise;
  if (exercise.kernel.find('<') != std::string::npos) {
    for (const auto& item : exercise.cases) {
      auto name = kernel_name(exercise.kernel, item.variables);
      auto& names = request.instantiations;
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(std::move(name));
      }
    }
  }
  return request;
}

// One submission on its way through the cases; fills the report.
class Run {
 public:
  Run(const Tools& tools, const Work& work, std::vector<Target> targets, ExerciseReport& report)
      : tools_(tools), work_(work), targets_(std::move(targets)), report_(report) {}

  void run() {
    if (!compile()) return;
    run_cases(/*measured=*/false);
    const bool right =
        std::all_of(report_.cases.begin(), report_.cases.end(),
                    [](const auto& item) { return item.state == CaseResult::State::kPassed; });
    if (!right) stopped_ = true;
    run_cases(/*measured=*/true);
  }

 private:
  bool compile() {
    const auto source = request_for(work_);
    if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&source)) {
      add(*wrong);
      return false;
    }
    auto request = std::get<compile::Request>(source);
    report_.source = request.source;
    for (auto& target : targets_) {
      request.architecture = target.bench->profile().architecture;
      const auto& result = tools_.compilations->get(request);
      if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&result)) {
        add(*wrong);
        continue;
      }
      target.program = &std::get<compile::Program>(result);
      // Found here once for all cases, so that a missing kernel is told before anything runs.
      for (const auto& item : work_.exercise->cases) {
        if (find(target, item.variables) == nullptr) break;
      }
    }
    if (!report_.diagnostics.empty()) return false;
    std::vector<const compile::Program*> programs;
    for (const auto& target : targets_) programs.push_back(target.program);
    salt_ = contents_salt(programs);
    return true;
  }

  const compile::Kernel* find(const Target& target, const Variables& variables) {
    const auto& exercise = *work_.exercise;
    const auto found = compile::find_kernel(
        *target.program, kernel_name(exercise.kernel, variables), exercise.signature);
    if (const auto* wrong = std::get_if<base::Diagnostic>(&found)) {
      add({*wrong});
      return nullptr;
    }
    return std::get<const compile::Kernel*>(found);
  }

  void run_cases(bool measured) {
    std::vector<std::pair<const Target*, const Case*>> all;
    for (const auto& target : targets_) {
      for (const auto& item : work_.exercise->cases) {
        if (item.measured == measured) all.emplace_back(&target, &item);
      }
    }
    std::future<void> ahead;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto& [target, item] = all[i];
      if (ahead.valid() && stopped_) ahead.wait();  // whatever came of it, nobody asks any more
      if (ahead.valid() && !stopped_) ahead.get();
      const auto* expected = stopped_ ? nullptr : &this->expected(*target, *item);
      if (measured && !stopped_ && i + 1 < all.size()) {
        ahead = get_ahead(*all[i + 1].first, *all[i + 1].second);
      }
      run_case(*target, *item, expected);
    }
  }

  const Expected& expected(const Target& target, const Case& item) {
    auto& reference = target.is_gpu ? *tools_.gpu_reference : *tools_.reference;
    return reference.expected(*work_.lab, *work_.exercise, item.name, target.variables(item),
                              item.measured ? salt_ : 0);
  }

  // What a large case is compared with, made while the case before it is measured.
  std::future<void> get_ahead(const Target& target, const Case& item) {
    if (target.is_gpu) return {};  // two that run at a time would disturb each other's times
    return std::async(std::launch::async, [this, &target, &item] {
      const auto bytes = buffer_bytes(expected(target, item).before);
      if (has_speed_gate(*work_.exercise, target, item)) target.bench->copy_seconds(bytes);
    });
  }

  void run_case(const Target& target, const Case& item, const Expected* known) {
    const auto& exercise = *work_.exercise;
    const auto& variables = target.variables(item);
    auto& result = report_.cases.emplace_back();
    result.name = item.name;
    result.variables = shown(variables);
    result.device = target.device;
    result.backend = target.bench->backend();
    if (stopped_) return;

    const auto& expected = *known;
    const auto* kernel = find(target, variables);
    if (kernel == nullptr) {
      stopped_ = true;
      return;
    }
    auto buffers = expected.before;
    const auto launch = make_launch(exercise.parameters, exercise.launch, kernel->name, variables);
    run::Options options;
    options.instruction_budget = kInstructionBudget;
    options.launch_budget = kLaunchBudget;
    measure::Measurement measured;
    try {
      measured = target.bench->measure(*target.program, *kernel, launch, buffers, options);
    } catch (const base::UsageError& error) {
      cannot_launch(error.what());
      return;
    } catch (const base::ToolError& error) {
      cannot_judge(result, error.what());
      return;
    }
    if (report_.printed.empty() && !measured.result.printed.empty()) {
      report_.printed = measured.result.printed;
      report_.printed_case = item.name;
    }
    if (!measured.result.diagnostics.empty()) {
      result.state = CaseResult::State::kDiagnostic;
      add(measured.result.diagnostics);
      stopped_ = true;
      return;
    }
    result.difference = first_difference(exercise, variables, expected, buffers);
    if (!result.difference.empty()) {
      result.state = CaseResult::State::kIncorrect;
      note_result_lines(measured);
      return;
    }
    result.state = CaseResult::State::kPassed;
    if (!item.measured) run_in_orders(target, item, expected, launch, measured, result);
    if (result.state != CaseResult::State::kPassed) return;
    measure_gates(exercise, target, item, *kernel, measured, buffer_bytes(buffers), report_);
  }

  // A case that is right in the order by number, in others.
  void run_in_orders(const Target& target, const Case& item, const Expected& expected,
                     const run::Launch& launch, const measure::Measurement& measured,
                     CaseResult& result) {
    const auto seeds = order_seeds(tools_.seed, measured, kMostGradedInstructions);
    const auto runs =
        target.bench->run_in_orders(*target.program, launch, expected.before, measured, seeds);
    const auto replay = fmt::format("warpgrade grade {}/{} --file {} --seed {}", work_.lab->id,
                                    work_.exercise->id, work_.submission.shown, tools_.seed);
    for (const auto& run : runs) {
      if (!run.diagnostics.empty()) {
        auto found = run.diagnostics;
        add_replay(found, replay);
        result.state = CaseResult::State::kDiagnostic;
        add(found);
        stopped_ = true;
        return;
      }
      const auto difference =
          first_difference(*work_.exercise, target.variables(item), expected, run.buffers);
      if (difference.empty()) continue;
      result.difference = fmt::format("{}, {}", difference, order_text(replay));
      result.state = CaseResult::State::kIncorrect;
      note_result_lines(measured);
      return;
    }
  }

  // The launch is the course's, so what does not fit it is the kernel.
  void cannot_launch(const std::string& why) {
    base::Diagnostic diagnostic;
    diagnostic.kind = base::DiagnosticKind::kCompileError;
    diagnostic.where.file = work_.submission.shown;
    diagnostic.message =
        fmt::format("the kernel cannot be launched as {}: {}", work_.exercise->signature, why);
    add({diagnostic});
    stopped_ = true;
  }

  // Whatever a submission does to the tools costs that submission only: those behind it are graded.
  void cannot_judge(CaseResult& result, const std::string& why) {
    base::Diagnostic diagnostic;
    diagnostic.kind = base::DiagnosticKind::kUnsupported;
    diagnostic.where.file = work_.submission.shown;
    diagnostic.message = fmt::format("case {} could not be run: {}", result.name, why);
    result.state = CaseResult::State::kDiagnostic;
    add({diagnostic});
    stopped_ = true;
  }

  void note_result_lines(const measure::Measurement& measured) {
    for (const auto& line : measured.lines) {
      auto& lines = report_.result_lines;
      if (line.operation == "global store" && line.file == report_.file &&
          std::find(lines.begin(), lines.end(), line.line) == lines.end()) {
        lines.push_back(line.line);
      }
    }
  }

  // Each finding once: devices and cases repeat them.
  void add(const std::vector<base::Diagnostic>& found) {
    for (const auto& diagnostic : found) {
      auto& all = report_.diagnostics;
      const bool seen = std::any_of(all.begin(), all.end(), [&](const base::Diagnostic& other) {
        return other.kind == diagnostic.kind && other.where == diagnostic.where &&
               (other.message == diagnostic.message || diagnostic.where.line != 0);
      });
      if (!seen && all.size() < kMostDiagnostics) all.push_back(diagnostic);
    }
  }

  const Tools& tools_;
  const Work& work_;
  std::vector<Target> targets_;
  ExerciseReport& report_;
  std::uint64_t salt_ = 0;  // Of measured cases.
  bool stopped_ = false;
};

// A later hint for a submission that has come further: one step for each gate passed.
std::string hint_for(const ExerciseReport& report, const Exercise& exercise) {
  // What the untouched skeleton passes is no progress.
  const auto is_progress = [](const GateResult& gate) {
    const bool skeleton_fails =
        (gate.min && gate.skeleton < *gate.min) || (gate.max && gate.skeleton > *gate.max);
    return gate.measured && gate.passed && skeleton_fails;
  };
  const auto progress = static_cast<std::size_t>(
      std::count_if(report.gates.begin(), report.gates.end(), is_progress));
  const auto step = std::min(progress, exercise.hints.size() - 1);
  return fmt::format("hint {} of {}: {}", step + 1, exercise.hints.size(), exercise.hints[step]);
}

void say_what_next(ExerciseReport& report, const Exercise& exercise) {
  switch (report.reason) {
    case Reason::kNone:
      return;
    case Reason::kTool:
      report.next =
          "Nothing is wrong with the submission as far as it was judged: this grader could "
          "not judge it.";
      return;
    case Reason::kCompile:
      report.next = exercise.questions.empty()
                        ? fmt::format("Make it compile as {}; the first message matters most.",
                                      exercise.signature)
                        : "Put the file right where the message points; nothing was graded.";
      return;
    case Reason::kDiagnostic:
      report.next = "Look at the line above, and at which block and thread it was.";
      return;  // the lab's hints are about how to be fast
    case Reason::kIncorrect:
      if (!exercise.questions.empty()) {
        report.next = "Redo the first wrong answer by hand with the reasoning beside it.";
        break;
      }
      report.next =
          "Follow one wrong element by hand: which thread writes it, and what does it read?";
      break;
    case Reason::kMechanism:
    case Reason::kPerformance:
      for (const auto& gate : report.gates) {
        const bool wanted = gate.is_performance == (report.reason == Reason::kPerformance);
        if (gate.measured && !gate.passed && wanted) {
          report.next = gate.next;
          break;
        }
      }
      break;
  }
  report.hint = hint_for(report, exercise);
}

}  // namespace

Grading::Grading(Tools tools, std::string only_device)
    : tools_(std::move(tools)), only_device_(std::move(only_device)) {}

std::vector<Target> Grading::targets(const Exercise& exercise) const {
  return targets_of(exercise, only_device_, tools_.sim, tools_.gpu);
}

void Grading::prepare(const Work& work) {
  if (!work.exercise->questions.empty()) return;
  const auto source = request_for(work);
  if (!std::holds_alternative<compile::Request>(source)) return;
  auto request = std::get<compile::Request>(source);
  for (const auto& target : targets(*work.exercise)) {
    request.architecture = target.bench->profile().architecture;
    tools_.compilations->begin(request);
  }
}

ExerciseReport Grading::grade(const Work& work) {
  const auto& exercise = *work.exercise;
  if (!exercise.questions.empty()) {
    auto report = grade_answers(work);
    say_what_next(report, exercise);
    return report;
  }
  ExerciseReport report;
  report.lab = work.lab->id;
  report.exercise = exercise.id;
  report.title = exercise.title;
  report.file = work.submission.shown;
  report.correctness_points = exercise.correctness_points;
  auto targets = this->targets(exercise);
  report.gates = gates_of(exercise, targets);
  Run(tools_, work, std::move(targets), report).run();
  judge(report);
  keep_lines_that_matter(report);
  say_what_next(report, exercise);
  return report;
}

}  // namespace warpgrade::grader

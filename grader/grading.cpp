// SPDX-License-Identifier: Apache-2.0
// Past 400 lines: one class takes a submission through its cases, simulated and timed, and each
// step needs what the others have found.
#include "grader/grading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <utility>

#include "common/base/error.h"
#include "grader/advice.h"
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
      const bool needed = !stopped_ && !is_made_there(*target, *item);
      const auto* expected = needed ? &this->expected(*target, *item) : nullptr;
      // Not while a GPU is at work: what runs beside it would disturb its times.
      if (measured && !stopped_ && !target->is_gpu && i + 1 < all.size()) {
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

  // Large cases on a GPU: their right results are made there, from inputs of their own.
  static bool is_made_there(const Target& target, const Case& item) {
    return target.is_gpu && item.measured;
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
    const auto& variables = target.variables(item);
    auto& result = report_.cases.emplace_back();
    result.name = item.name;
    result.variables = shown(variables);
    result.device = target.device;
    result.backend = target.bench->backend();
    if (stopped_) return;

    const auto* kernel = find(target, variables);
    if (kernel == nullptr) {
      stopped_ = true;
      return;
    }
    try {
      if (is_made_there(target, item)) {
        time_case(target, item, *kernel, result);
      } else {
        measure_case(target, item, *kernel, *known, result);
      }
    } catch (const base::ToolError& error) {
      if (!target.is_gpu) throw;
      report_.tool_trouble = error.what();
      stopped_ = true;
    }
  }

  void measure_case(const Target& target, const Case& item, const compile::Kernel& kernel,
                    const Expected& expected, CaseResult& result) {
    const auto& exercise = *work_.exercise;
    const auto& variables = target.variables(item);
    auto buffers = expected.before;
    const auto launch = make_launch(exercise.parameters, exercise.launch, kernel.name, variables);
    run::Options options;
    options.instruction_budget = kInstructionBudget;
    options.launch_budget = kLaunchBudget;
    measure::Measurement measured;
    try {
      measured = target.bench->measure(*target.program, kernel, launch, buffers, options);
    } catch (const base::UsageError& error) {
      cannot_launch(error.what());
      return;
    } catch (const base::ToolError& error) {
      if (target.is_gpu) throw;
      cannot_judge(result, error.what());
      return;
    }
    if (!ran_well(measured, item, result)) return;
    result.difference = first_difference(exercise, variables, expected, buffers);
    if (!result.difference.empty()) {
      result.state = CaseResult::State::kIncorrect;
      note_result_lines(measured);
      return;
    }
    result.state = CaseResult::State::kPassed;
    if (!item.measured) run_in_orders(target, item, expected, launch, measured, result);
    if (result.state != CaseResult::State::kPassed) return;
    measure_gates(exercise, target, item, kernel, measured, buffer_bytes(buffers), {}, report_);
    if (item.measured && is_counted(target)) {
      count_case(target, expected, launch, measured.metrics, result);
    }
  }

  // Whether the card is asked for its counters of the launches on a simulated device: its own.
  bool is_counted(const Target& target) const {
    return tools_.counters && tools_.gpu != nullptr && !target.is_gpu &&
           target.device == tools_.gpu->profile().name;
  }

  // Counts on the card what the simulator has counted. Whatever comes of it changes no grade.
  void count_case(const Target& target, const Expected& expected, const run::Launch& launch,
                  const memory::Metrics& simulated, const CaseResult& result) {
    auto& counted = report_.counted.emplace_back();
    counted.name = result.name;
    counted.variables = result.variables;
    counted.device = result.device;
    counted.simulated = simulated;
    try {
      auto found = tools_.gpu->count(*target.program, launch, expected.before);
      if (!found) throw base::ToolError("this GPU's bench has none");
      counted.card = std::move(found->metrics);
      counted.reason = std::move(found->reason);
    } catch (const base::ToolError& error) {
      counted.reason = error.what();
    }
  }

  // A large case on a GPU, every launch checked; timed beside the copy where its gates ask for it.
  void time_case(const Target& target, const Case& item, const compile::Kernel& kernel,
                 CaseResult& result) {
    const auto& exercise = *work_.exercise;
    const auto& variables = target.variables(item);
    const auto before = make_patterns(exercise.parameters, exercise.id, item.name, variables,
                                      tools_.seed ^ tools_.timed_variant());
    const auto reference = tools_.gpu_reference->launch(*work_.lab, exercise, variables);
    measure::TimedCase timed;
    timed.launch = make_launch(exercise.parameters, exercise.launch, kernel.name, variables);
    timed.before = &before.buffers;
    timed.sizes = before.sizes;
    timed.any_order = before.any_order;
    timed.reference = reference.program;
    timed.reference_launch = reference.launch;
    timed.is_timed = has_speed_gate(exercise, target, item);
    timed.bounds = speed_bounds(exercise, target, item, report_);
    timed.difference = [&](const auto& content, const auto& after, const auto& got) {
      return first_difference(exercise, variables, {content, after}, got);
    };
    std::optional<measure::Comparison> found;
    try {
      found = target.bench->compare(*target.program, kernel, timed);
    } catch (const base::UsageError& error) {
      cannot_launch(error.what());
      return;
    }
    if (!found) throw base::ToolError("this GPU's bench cannot compare with a copy");
    for (const auto& note : found->notes) remark(item, note);
    if (!ran_well(found->measured, item, result)) return;
    result.difference = found->difference;
    if (!result.difference.empty()) {
      result.state = CaseResult::State::kIncorrect;
      return;
    }
    result.state = CaseResult::State::kPassed;
    if (!found->impossible.empty()) throw base::ToolError(found->impossible);
    if (!timed.is_timed) return;
    if (!found->fraction->remark.empty()) remark(item, found->fraction->remark);
    measure_gates(exercise, target, item, kernel, found->measured, found->measured.bytes,
                  found->fraction, report_);
  }

  void remark(const Case& item, const std::string& text) {
    report_.remarks.push_back(fmt::format("case {}: {}", item.name, text));
  }

  // Notes what was printed and found; whether the launch came to its end.
  bool ran_well(const measure::Measurement& measured, const Case& item, CaseResult& result) {
    if (report_.printed.empty() && !measured.result.printed.empty()) {
      report_.printed = measured.result.printed;
      report_.printed_case = item.name;
    }
    if (measured.result.diagnostics.empty()) return true;
    result.state = CaseResult::State::kDiagnostic;
    add(measured.result.diagnostics);
    stopped_ = true;
    return false;
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

}  // namespace

Grading::Grading(Tools tools, std::string only_device)
    : tools_(std::move(tools)), only_device_(std::move(only_device)) {}

std::vector<Target> Grading::targets(const Exercise& exercise) const {
  return targets_of(exercise, only_device_, tools_.sim, tools_.gpu);
}

// Where the course's own solution does not clear a gate on this card, nobody has to.
void Grading::waive_gates(ExerciseReport& report) const {
  if (tools_.card == nullptr) return;
  for (auto& gate : report.gates) {
    if (gate.backend != "gpu") continue;
    const auto why = why_waived(*tools_.card, report.lab + "/" + report.exercise, gate);
    gate.waived = !why.empty();
    if (gate.waived) report.remarks.push_back(why);
  }
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
  waive_gates(report);
  const bool on_card = std::any_of(targets.begin(), targets.end(),
                                   [](const Target& target) { return target.is_gpu; });
  if (tools_.counters && tools_.gpu != nullptr && !on_card) {
    report.remarks.push_back(
        fmt::format("no counters of the card: no gate of this exercise is for its profile, {}",
                    tools_.gpu->profile().name));
  }
  Run(tools_, work, std::move(targets), report).run();
  judge(report);
  keep_lines_that_matter(report);
  say_what_next(report, exercise);
  return report;
}

}  // namespace warpgrade::grader

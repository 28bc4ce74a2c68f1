// SPDX-License-Identifier: Apache-2.0
// Past 400 lines: one class writes the report, of cases that are simulated, timed and counted, and
// each step needs what the others have found.
#include "grader/grade/grading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <thread>
#include <utility>

#include "common/base/error.h"
#include "common/measure/copy_kernel.h"
#include "grader/cases/case_launch.h"
#include "grader/cases/input_salt.h"
#include "grader/cases/ordered_prefetch.h"
#include "grader/cases/outputs.h"
#include "grader/grade/advice.h"
#include "grader/grade/answers.h"
#include "grader/grade/case_run.h"
#include "grader/grade/gates.h"
#include "grader/grade/rubric.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader {
namespace {

constexpr std::size_t kMostDiagnostics = 10;
constexpr memory::MemoryOperation kGlobalStore{run::Space::kGlobal, run::Operation::kStore};

std::string shown(const Variables& variables) {
  std::string out;
  for (const auto& [name, value] : variables) {
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", name, value);
  }
  return out;
}

// The requests for the architectures of `targets`, or what is wrong with the file itself.
std::variant<compile::CompileRequest, std::vector<base::Diagnostic>> request_for(
    const GradingTask& task) {
  auto source = read_submission(task.submission);
  if (!std::holds_alternative<compile::CompileRequest>(source)) return source;
  auto request = std::get<compile::CompileRequest>(std::move(source));
  const auto& exercise = *task.exercise;
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
  Run(const GradingServices& services, const GradingTask& task, std::vector<Target> targets,
      ExerciseReport& report)
      : services_(services), task_(task), targets_(std::move(targets)), report_(report) {}

  void run() {
    try {
      if (!compile()) return;
    } catch (const base::ToolError& error) {  // Of this submission; the others may do better.
      report_.tool_trouble = error.what();
      return;
    }
    begin_copies();
    run_cases(/*measured=*/false);
    const bool right =
        std::all_of(report_.cases.begin(), report_.cases.end(),
                    [](const auto& item) { return item.state == CaseResult::State::kPassed; });
    if (!right) stopped_ = true;
    run_cases(/*measured=*/true);
  }

 private:
  bool compile() {
    const auto source = request_for(task_);
    if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&source)) {
      add(*wrong);
      return false;
    }
    auto request = std::get<compile::CompileRequest>(source);
    report_.source = request.source;
    for (auto& target : targets_) {
      request.architecture = target.profile().architecture;
      const auto& result = services_.compilations->get(request);
      if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&result)) {
        add(*wrong);
        continue;
      }
      target.program = &std::get<compile::Program>(result);
      // Found here once for all cases, so that a missing kernel is told before anything runs.
      for (const auto& item : task_.exercise->cases) {
        if (find(target, item.variables) == nullptr) break;
      }
    }
    if (!report_.diagnostics.empty()) return false;
    std::vector<const compile::Program*> programs;
    for (const auto& target : targets_) programs.push_back(target.program);
    salt_ = input_salt(programs);
    return true;
  }

  // Compiles the copy baseline while the small cases run, which do not ask for it.
  void begin_copies() {
    const auto& exercise = *task_.exercise;
    for (const auto& target : targets_) {
      auto* const* sim = std::get_if<measure::SimBench*>(&target.bench);
      const auto known = sim == nullptr ? std::map<std::uint64_t, double>() : (*sim)->copies();
      const auto& cases = exercise.cases;
      const bool is_asked = std::any_of(cases.begin(), cases.end(), [&](const Case& item) {
        return item.measured && has_speed_gate(exercise, target, item) &&
               !known.contains(buffer_bytes(exercise.parameters, target.variables(item)));
      });
      if (!is_asked) continue;
      copies_.push_back(std::async(std::launch::async, [&target] {
        measure::copy_program(std::string(target.profile().architecture));
      }));
    }
  }

  std::variant<const compile::Kernel*, base::Diagnostic> kernel_of(
      const Target& target, const Variables& variables) const {
    const auto& exercise = *task_.exercise;
    return compile::find_kernel(*target.program, kernel_name(exercise.kernel, variables),
                                exercise.signature);
  }

  const compile::Kernel* find(const Target& target, const Variables& variables) {
    const auto found = kernel_of(target, variables);
    if (const auto* wrong = std::get_if<base::Diagnostic>(&found)) {
      add({*wrong});
      return nullptr;
    }
    return std::get<const compile::Kernel*>(found);
  }

  using Place = std::pair<const Target*, const Case*>;

  void run_cases(bool measured) {
    std::vector<Place> all;
    for (const auto& target : targets_) {
      for (const auto& item : task_.exercise->cases) {
        if (item.measured == measured) all.emplace_back(&target, &item);
      }
    }
    for (auto begin = all.begin(); begin != all.end();) {
      // On a GPU one after the other: what runs beside it would disturb its times.
      const bool is_gpu = begin->first->is_gpu();
      const auto end = std::find_if(
          begin, all.end(), [&](const Place& place) { return place.first->is_gpu() != is_gpu; });
      run_places({begin, end}, is_gpu ? 1 : services_.simulator.cases_at_once);
      begin = end;
    }
  }

  void run_places(const std::vector<Place>& places, unsigned at_once) {
    if (stopped_) at_once = 1;
    // Those behind which others come share the cores: whole launches beside one another take less
    // than halves.
    const auto share = std::max(std::thread::hardware_concurrency() / std::max(at_once, 1U), 1U);
    OrderedPrefetch<CaseOutcome> outcomes(places.size(), at_once, [&](std::size_t i) {
      const auto& [target, item] = places[i];
      const auto kernel = kernel_of(*target, target->variables(*item));  // note_case() asks first
      CasePlan plan;
      plan.variant = item->measured ? salt_ : 0;
      plan.is_shared = !item->measured || targets_.size() > 1;  // the salt is this submission's
      plan.threads = i + at_once < places.size() ? share : 0;
      return run_case(services_, task_, *target, *item, *std::get<const compile::Kernel*>(kernel),
                      plan);
    });
    for (std::size_t i = 0; i < places.size(); ++i) {
      note_case(*places[i].first, *places[i].second, [&] { return outcomes.take(i); });
    }
  }

  // Large cases on a GPU: their right results are made there, from inputs of their own.
  static bool is_made_there(const Target& target, const Case& item) {
    return target.is_gpu() && item.measured;
  }

  void note_case(const Target& target, const Case& item,
                 const std::function<CaseOutcome()>& outcome) {
    const auto& variables = target.variables(item);
    auto& result = report_.cases.emplace_back();
    result.name = item.name;
    result.variables = shown(variables);
    result.device = target.device;
    result.backend = target.backend();
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
        note_outcome(target, item, *kernel, outcome(), result);
      }
    } catch (const base::ToolError& error) {
      if (!target.is_gpu()) throw;
      report_.tool_trouble = error.what();
      stopped_ = true;
    }
  }

  void note_outcome(const Target& target, const Case& item, const compile::Kernel& kernel,
                    const CaseOutcome& outcome, CaseResult& result) {
    if (!outcome.refused.empty()) return cannot_launch(outcome.refused);
    if (!outcome.trouble.empty()) return cannot_judge(result, outcome.trouble);
    if (!ran_well(outcome.measured, item, result)) return;
    if (!outcome.other_schedules.empty()) {
      result.state = CaseResult::State::kDiagnostic;
      add(outcome.other_schedules);
      stopped_ = true;
      return;
    }
    result.difference = outcome.difference;
    if (!result.difference.empty()) {
      result.state = CaseResult::State::kIncorrect;
      note_result_lines(outcome.measured);
      return;
    }
    result.state = CaseResult::State::kPassed;
    measure_gates(*task_.exercise, target, item, kernel, outcome.measured, outcome.bytes, {},
                  report_);
    if (item.measured && is_counted(target)) {
      count_case(target, item, kernel, outcome.measured.metrics, result);
    }
  }

  // Whether the card is asked for its counters of the launches on a simulated device: its own.
  bool is_counted(const Target& target) const {
    return services_.gpu && services_.gpu->counters && !target.is_gpu() &&
           target.device == services_.gpu->bench->profile().name;
  }

  // Counts on the card what the simulator has counted. Whatever comes of it changes no grade.
  void count_case(const Target& target, const Case& item, const compile::Kernel& kernel,
                  const memory::Metrics& simulated, const CaseResult& result) {
    const auto& exercise = *task_.exercise;
    const auto& variables = target.variables(item);
    const auto expected =
        services_.simulator.reference->expected(*task_.lab, exercise, item.name, variables, salt_);
    const auto launch = make_launch(exercise.parameters, exercise.launch, kernel.name, variables);
    auto& counted = report_.counted.emplace_back();
    counted.name = result.name;
    counted.variables = result.variables;
    counted.device = result.device;
    counted.simulated = simulated;
    try {
      auto found = services_.gpu->bench->count(*target.program, launch, expected->before);
      counted.gpu = std::move(found.metrics);
      counted.reason = std::move(found.reason);
    } catch (const base::ToolError& error) {
      counted.reason = error.what();
    }
  }

  // Large cases on a GPU go there together, at the first one.
  void begin_comparisons(const Target& target) {
    std::vector<measure::TimedCase> timed;
    for (const auto& item : task_.exercise->cases) {
      if (!is_made_there(target, item)) continue;
      compared_.push_back(&item);
      timed.push_back(timed_case(services_, task_, target, item,
                                 *find(target, target.variables(item)), report_));
    }
    comparisons_ =
        std::get<measure::GpuBench*>(target.bench)->comparisons(*target.program, std::move(timed));
  }

  void time_case(const Target& target, const Case& item, const compile::Kernel& kernel,
                 CaseResult& result) {
    const auto& exercise = *task_.exercise;
    if (!comparisons_) begin_comparisons(target);
    const auto which = std::find(compared_.begin(), compared_.end(), &item) - compared_.begin();
    measure::CopyComparison found;
    try {
      found = comparisons_->compare(static_cast<std::size_t>(which));
    } catch (const base::UsageError& error) {
      cannot_launch(error.what());
      return;
    }
    for (const auto& note : found.notes) warning(item, note);
    if (!ran_well(found.measured, item, result)) return;
    result.difference = found.difference;
    if (!result.difference.empty()) {
      result.state = CaseResult::State::kIncorrect;
      return;
    }
    result.state = CaseResult::State::kPassed;
    if (!found.impossible.empty()) throw base::ToolError(found.impossible);
    if (!found.fraction) return;
    if (!found.fraction->warning.empty()) warning(item, found.fraction->warning);
    measure_gates(exercise, target, item, kernel, found.measured, found.measured.bytes,
                  found.fraction, report_);
  }

  void warning(const Case& item, const std::string& text) {
    report_.warnings.push_back(fmt::format("case {}: {}", item.name, text));
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

  // The launch is the course's, so what does not fit it is the kernel.
  void cannot_launch(const std::string& why) {
    base::Diagnostic diagnostic;
    diagnostic.kind = base::DiagnosticKind::kCompileError;
    diagnostic.where.file = task_.submission.shown;
    diagnostic.message =
        fmt::format("the kernel cannot be launched as {}: {}", task_.exercise->signature, why);
    add({diagnostic});
    stopped_ = true;
  }

  // Whatever a submission does to the services costs that submission only: those behind it are
  // graded.
  void cannot_judge(CaseResult& result, const std::string& why) {
    base::Diagnostic diagnostic;
    diagnostic.kind = base::DiagnosticKind::kUnsupported;
    diagnostic.where.file = task_.submission.shown;
    diagnostic.message = fmt::format("case {} could not be run: {}", result.name, why);
    result.state = CaseResult::State::kDiagnostic;
    add({diagnostic});
    stopped_ = true;
  }

  void note_result_lines(const measure::Measurement& measured) {
    for (const auto& line : measured.lines) {
      auto& lines = report_.result_lines;
      if (line.operation == kGlobalStore && line.file == report_.file &&
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

  const GradingServices& services_;
  const GradingTask& task_;
  std::vector<Target> targets_;
  ExerciseReport& report_;
  std::uint64_t salt_ = 0;  // Of measured cases.
  std::vector<std::future<void>> copies_;
  std::vector<const Case*> compared_;  // On the GPU, of which there is one.
  std::unique_ptr<measure::CopyComparisons> comparisons_;
  bool stopped_ = false;
};

}  // namespace

Grading::Grading(GradingServices services, std::string only_device)
    : services_(std::move(services)), only_device_(std::move(only_device)) {}

std::vector<Target> Grading::targets(const Exercise& exercise) const {
  return targets_of(exercise, only_device_, services_.simulator.bench,
                    services_.gpu ? services_.gpu->bench : nullptr);
}

// Where the course's own solution does not clear a gate on this card, nobody has to.
void Grading::waive_gates(ExerciseReport& report) const {
  if (!services_.gpu || services_.gpu->calibration == nullptr) return;
  for (auto& gate : report.gates) {
    if (gate.backend != run::Backend::kGpu) continue;
    const auto why =
        why_waived(*services_.gpu->calibration, report.lab + "/" + report.exercise, gate);
    gate.waived = !why.empty();
    if (gate.waived) report.warnings.push_back(why);
  }
}

void Grading::prepare(const GradingTask& task) {
  if (!task.exercise->questions.empty()) return;
  std::variant<compile::CompileRequest, std::vector<base::Diagnostic>> source;
  try {
    source = request_for(task);
  } catch (const base::ToolError&) {  // Thrown again, and caught, when it is graded.
    return;
  }
  if (!std::holds_alternative<compile::CompileRequest>(source)) return;
  auto request = std::get<compile::CompileRequest>(source);
  for (const auto& target : targets(*task.exercise)) {
    request.architecture = target.profile().architecture;
    services_.compilations->begin(request);
  }
}

ExerciseReport Grading::grade(const GradingTask& task) {
  const auto& exercise = *task.exercise;
  if (!exercise.questions.empty()) {
    auto report = grade_answers(task);
    say_what_next(report, exercise);
    return report;
  }
  ExerciseReport report;
  report.lab = task.lab->id;
  report.exercise = exercise.id;
  report.title = exercise.title;
  report.file = task.submission.shown;
  report.correctness_points = exercise.correctness_points;
  auto targets = this->targets(exercise);
  report.gates = gates_of(exercise, targets);
  waive_gates(report);
  if (report.gates.empty() && !exercise.gates.empty()) {
    const auto devices = exercise.devices();
    report.warnings.push_back(
        fmt::format("No gate of this exercise is for {}: only the result is graded here. Its gates "
                    "are for {}.",
                    only_device_, joined(std::span<const std::string>(devices))));
  }
  const bool on_gpu = std::any_of(targets.begin(), targets.end(),
                                  [](const Target& target) { return target.is_gpu(); });
  if (services_.gpu && services_.gpu->counters && !on_gpu) {
    report.warnings.push_back(
        fmt::format("no counters of the card: no gate of this exercise is for its profile, {}",
                    services_.gpu->bench->profile().name));
  }
  Run(services_, task, std::move(targets), report).run();
  judge(report);
  keep_lines_that_matter(report);
  say_what_next(report, exercise);
  return report;
}

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <future>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/compiler_log.h"
#include "common/measure/baselines.h"
#include "common/sim/micro_op.h"
#include "grader/cases/reference.h"
#include "grader/cases/student_terms.h"
#include "grader/cases/work_ahead.h"
#include "grader/course/manifest.h"
#include "grader/grade/execute/simulated_case.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/plan/target.h"

namespace warpgrade::grader::grade {
namespace {

constexpr std::size_t kMostDiagnostics = 10;

bool has_same_facts(const base::Diagnostic& a, const base::Diagnostic& b) {
  return a.message == b.message && a.facts == b.facts && a.seen == b.seen;
}

}  // namespace

void add_distinct(std::vector<base::Diagnostic>& all, const std::vector<base::Diagnostic>& found) {
  for (const auto& diagnostic : found) {
    const bool seen = std::any_of(all.begin(), all.end(), [&](const base::Diagnostic& other) {
      if (other.kind != diagnostic.kind || other.where != diagnostic.where) return false;
      return diagnostic.where.line != 0 || has_same_facts(other, diagnostic);
    });
    if (!seen && all.size() < kMostDiagnostics) all.push_back(diagnostic);
  }
}

namespace {

// The request for the source with the template instances that the cases need; its architecture is
// not set yet.
compile::CompileRequest request_for(const GradingTask& task, compile::CompileRequest source) {
  const auto& exercise = task.kernel();
  source.include_folders = task.lab->include_folders;
  auto& names = source.instantiations;
  for (const auto& step : exercise.steps) {
    if (step.kernel.find('<') == std::string::npos) continue;
    for (const auto& item : exercise.cases) {
      auto name = course::kernel_name(step.kernel, item.variables);
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    }
  }
  return source;
}

// Name, size and place of each field: "out (8 at 0), n (4 at 8)".
std::string fields_text(const course::StructParameter& structure) {
  const auto layout = layout_of(structure);
  std::string out;
  for (std::size_t i = 0; i < structure.fields.size(); ++i) {
    const auto& field = structure.fields[i];
    out += fmt::format("{}{} ({} at {})", out.empty() ? "" : ", ",
                       course::parameter_name(field).substr(structure.name.size() + 1),
                       field_bytes(field), layout.offsets[i]);
  }
  return out;
}

// Names the struct of the kernel whose size differs from the exercise's; the signature has only its
// name.
std::optional<base::Diagnostic> wrong_struct(const course::KernelExercise& exercise,
                                             const course::Step& step,
                                             const compile::Program& program,
                                             const compile::Kernel& kernel) {
  const auto struct_at = [&](std::size_t which) {
    return std::get_if<course::StructParameter>(&exercise.parameters[which]);
  };
  if (std::ranges::none_of(step.arguments, struct_at)) return std::nullopt;
  const auto count = std::min(kernel.parameters.size(), step.arguments.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto* expected = struct_at(step.arguments[i]);
    if (expected == nullptr) continue;
    const auto bytes = layout_of(*expected).bytes;
    if (kernel.parameters[i].size_bytes == bytes) continue;
    return compile::compile_error(
        program.file, 0, 0,
        fmt::format("the kernel '{}' has the wrong parameter list: the struct '{}' has {} bytes, "
                    "but must have {} (size and place of each field: {}); expected: {}",
                    kernel.signature, expected->name, kernel.parameters[i].size_bytes, bytes,
                    fields_text(*expected), step.signature));
  }
  return std::nullopt;
}

// Finds the kernels of `planned` in `program`; returns what is wrong with one.
std::optional<base::Diagnostic> find_kernels(const course::KernelExercise& exercise,
                                             const compile::Program& program,
                                             PlannedCase& planned) {
  planned.program = &program;
  for (const auto& step : exercise.steps) {
    const auto found = compile::find_kernel(
        program, course::kernel_name(step.kernel, planned.item->variables), step.signature);
    if (const auto* wrong = std::get_if<base::Diagnostic>(&found)) return *wrong;
    const auto* kernel = std::get<const compile::Kernel*>(found);
    if (auto wrong = wrong_struct(exercise, step, program, *kernel)) return wrong;
    planned.kernels.push_back(kernel);
  }
  return std::nullopt;
}

Execution not_compiled(const std::vector<base::Diagnostic>& diagnostics) {
  Execution out;
  add_distinct(out.diagnostics, diagnostics);
  return out;
}

Execution in_trouble(std::string why) {
  Execution out;
  out.trouble = std::move(why);
  return out;
}

// Compiles for `target` and adds its cases to `out`, or what is wrong.
void compile_on(const Plan& plan, const Target& target, const compile::CompileRequest& request,
                Execution& out) {
  const auto& result = plan.services.compilations->get(request);
  if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&result)) {
    add_distinct(out.diagnostics, *wrong);
    return;
  }
  const auto& program = std::get<compile::Program>(result);
  // The same for all targets, unless the file depends on its architecture.
  if (out.left_out.empty()) out.left_out = compile::describe(program.left_out, program.file);
  for (const auto& planned : plan.cases) {
    if (planned.target != &target) continue;
    if (auto wrong = find_kernels(plan.kernel(), program, out.cases.emplace_back(planned))) {
      add_distinct(out.diagnostics, {*std::move(wrong)});
      return;
    }
  }
}

bool is_measured(const PlannedCase& planned) { return planned.item->measured; }

}  // namespace

std::span<PlannedCase> Execution::small() {
  return {cases.begin(), std::ranges::find_if(cases, is_measured)};
}

std::span<PlannedCase> Execution::measured() {
  return {std::ranges::find_if(cases, is_measured), cases.end()};
}

void begin_compilations(const Plan& plan) {
  const auto* source = std::get_if<compile::CompileRequest>(&plan.task.submission.content);
  if (source == nullptr) return;
  auto request = request_for(plan.task, *source);
  for (const auto& target : plan.targets) {
    request.architecture = target.profile().architecture;
    plan.services.compilations->begin(request);
  }
}

Execution compile_submission(const Plan& plan) {
  const auto& content = plan.task.submission.content;
  if (const auto* unread = std::get_if<cases::Unreadable>(&content)) return in_trouble(unread->why);
  if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&content)) {
    return not_compiled(*wrong);
  }
  const auto& source = std::get<compile::CompileRequest>(content);
  auto request = request_for(plan.task, source);
  Execution out;
  try {
    for (const auto& target : plan.targets) {
      request.architecture = target.profile().architecture;
      compile_on(plan, target, request, out);
    }
  } catch (const base::ToolError& error) {  // of this submission; others may succeed
    return in_trouble(error.what());
  }
  std::stable_partition(out.cases.begin(), out.cases.end(), std::not_fn(is_measured));
  if (out.diagnostics.empty()) return out;
  out = not_compiled(out.diagnostics);
  for (auto& diagnostic : out.diagnostics) {
    point_at_array(diagnostic, cases::declared_arrays(source.source));
  }
  return out;
}

CaseOutcome check_on_gpu(const Plan& plan, const PlannedCase& planned) {
  CaseOutcome out;
  try {
    const auto expected = plan.services.gpu->reference->expected(plan.lab(), *planned.sized);
    auto buffers = expected->before;
    try {
      out.measured = planned.target->gpu().measure(
          *planned.program, launches_of(planned, *planned.sized), buffers, 1);
    } catch (const base::UsageError& error) {
      return ended_by(NotLaunchable{error.what()});
    }
    if (!out.measured.result.diagnostics.empty()) {
      out.ending = FoundFaults{out.measured.result.diagnostics};
    } else if (auto wrong = first_difference(planned.sized->buffers, *expected, buffers)) {
      out.ending = WrongResult{std::move(*wrong)};
    }
    return out;
  } catch (const base::ToolError& error) {
    return ended_by(GpuTrouble{error.what()});
  }
}

namespace {

// Runs `cases` until one ends the grading; returns false if one did.
bool run_in_order(const Plan& plan, std::span<PlannedCase> cases, const OnGpu& outcome_of) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (plan.services.on_case) plan.services.on_case(cases[i].item->name);
    cases[i].outcome = outcome_of(i);
    if (ends_grading(*cases[i].outcome)) return false;
  }
  return true;
}

// The ending of a small case if it and those before it have done `work` units, more than they may.
CaseEnding too_much_work(const Plan& plan, std::uint64_t work) {
  base::Diagnostic found;
  found.kind = base::DiagnosticKind::kRunaway;
  found.where.file = plan.task.submission.shown;
  found.message = fmt::format(
      "the small cases up to this one take {} units of work ({}), and all of them together may "
      "take {}: let each thread do less",
      base::grouped(work), sim::kUnitsText, base::grouped(kSmallWork));
  return FoundFaults{{std::move(found)}};
}

bool simulate_group(const Plan& plan, std::span<PlannedCase> group, const Finish& finish) {
  const auto work = work_limits(group);
  const auto at_once = plan.services.simulator.cases_at_once;
  // If other cases follow, they share the cores: whole launches in parallel are faster than
  // launches split over all cores.
  const auto share = std::max(std::thread::hardware_concurrency() / std::max(at_once, 1U), 1U);
  SharedRuns shared(plan.gates, group);
  std::vector<std::promise<bool>> ends(group.size());  // whether its result is wrong
  std::vector<std::shared_future<bool>> is_wrong;
  for (auto& end : ends) is_wrong.push_back(end.get_future().share());
  cases::OrderedPrefetch<CaseOutcome> outcomes(group.size(), at_once, [&](std::size_t i) {
    const auto& item = *group[i].item;
    CaseJob job{group[i]};
    // Only this submission has the contents of a measured case.
    job.is_shared = !item.measured || shared.executions_of(item) > 1;
    job.work = work[i];
    job.threads = i + at_once < group.size() ? share : 0;
    job.is_wrong_before = [&is_wrong, i] {
      return std::any_of(is_wrong.begin(), is_wrong.begin() + static_cast<std::ptrdiff_t>(i),
                         [](const auto& one) { return one.get(); });
    };
    try {
      auto executed = shared.take(i, [&](const std::vector<const PlannedCase*>& others) {
        return execute_case(plan, job, others);
      });
      auto outcome = finish(job, std::move(executed));
      ends[i].set_value(std::holds_alternative<WrongResult>(outcome.ending));
      return outcome;
    } catch (...) {
      ends[i].set_value(false);
      throw;
    }
  });
  std::uint64_t done = 0;
  const auto outcome_of = [&](std::size_t i) {
    auto outcome = outcomes.take(i);
    done += group[i].item->measured ? 0 : outcome.measured.result.work;
    if (done > kSmallWork && !ends_grading(outcome)) outcome.ending = too_much_work(plan, done);
    return outcome;
  };
  return run_in_order(plan, group, outcome_of);
}

}  // namespace

void run_cases(const Plan& plan, std::span<PlannedCase> cases, const Finish& finish,
               const std::function<OnGpu(std::span<const PlannedCase> group)>& begin_on_gpu) {
  while (!cases.empty()) {
    const bool is_gpu = cases.front().target->is_gpu();
    const auto end = std::ranges::find_if(
        cases, [&](const PlannedCase& planned) { return planned.target->is_gpu() != is_gpu; });
    const auto group = cases.first(static_cast<std::size_t>(end - cases.begin()));
    const bool goes_on = is_gpu ? run_in_order(plan, group, begin_on_gpu(group))
                                : simulate_group(plan, group, finish);
    if (!goes_on) break;
    cases = cases.subspan(group.size());
  }
}

namespace {

// Begins to compile the copy baseline for the measured cases that need it. The small cases do not
// need it, and run meanwhile.
std::vector<std::future<void>> begin_copies(const Plan& plan,
                                            std::span<const PlannedCase> measured) {
  std::set<std::string> architectures;
  for (const auto& planned : measured) {
    const auto& target = *planned.target;
    if (!needs_time(plan.gates, target, *planned.item)) continue;
    const auto bytes = planned.timed->work.bytes;
    const bool is_known = !target.is_gpu() && target.sim().copies().contains(bytes);
    if (!is_known) architectures.emplace(target.profile().architecture);
  }
  std::vector<std::future<void>> out;
  for (const auto& architecture : architectures) {
    out.push_back(
        std::async(std::launch::async, [architecture] { measure::copy_program(architecture); }));
  }
  return out;
}

}  // namespace

bool Execution::is_right() {
  return std::ranges::all_of(small(), [](const PlannedCase& planned) {
    return planned.is_right() ||
           (planned.outcome && std::holds_alternative<NotChecked>(planned.outcome->ending));
  });
}

Execution execute(const Plan& plan) {
  auto out = compile_submission(plan);
  const auto copies = begin_copies(plan, out.measured());
  run_cases(
      plan, out.small(), [](const CaseJob& /*job*/, CaseOutcome executed) { return executed; },
      [&](std::span<const PlannedCase> group) {
        return [&plan, group](std::size_t i) { return check_on_gpu(plan, group[i]); };
      });
  return out;
}

}  // namespace warpgrade::grader::grade

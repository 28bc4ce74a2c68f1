// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/case_run.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "common/base/error.h"
#include "grader/cases/case_launch.h"
#include "grader/cases/outputs.h"
#include "grader/cases/reference.h"
#include "grader/cases/schedules.h"

namespace warpgrade::grader {
namespace {

// Warp instructions a block may execute: 2000 times what a block of any lab needs, and a loop
// without end is found within a second or two. A whole launch has half a minute of one core.
constexpr std::uint64_t kInstructionBudget = std::uint64_t{1} << 26;
constexpr std::uint64_t kLaunchBudget = std::uint64_t{1} << 30;

// A case without diagnostics in the order by number, in others. One that is wrong by number needs a
// single one: there the checks for races in global memory are on, and a race goes before it.
void run_in_schedules(const GradingServices& services, const GradingTask& task,
                      const Target& target, const Case& item, const run::Launch& launch,
                      const Expected& expected, CaseOutcome& outcome) {
  auto seeds = schedule_seeds(services.seed, outcome.measured, kMostGradedInstructions);
  const bool is_wrong = !outcome.difference.empty();
  while (is_wrong && seeds.size() > 1) seeds.pop_back();
  auto* const* sim = std::get_if<measure::SimBench*>(&target.bench);
  if (sim == nullptr) return;
  const auto runs =
      (*sim)->run_in_schedules(*target.program, launch, expected.before, outcome.measured, seeds);
  const auto replay = fmt::format("warpgrade grade {}/{} --file {} --seed {}", task.lab->id,
                                  task.exercise->id, task.submission.shown, services.seed);
  for (const auto& run : runs) {
    if (!run.diagnostics.empty()) {
      outcome.other_schedules = run.diagnostics;
      add_replay(outcome.other_schedules, replay);
      return;
    }
    if (is_wrong) return;
    const auto difference =
        first_difference(*task.exercise, target.variables(item), expected, run.buffers);
    if (difference.empty()) continue;
    outcome.difference = fmt::format("{}, {}", difference, schedule_text(replay));
    return;
  }
}

}  // namespace

CaseOutcome run_case(const GradingServices& services, const GradingTask& task, const Target& target,
                     const Case& item, const compile::Kernel& kernel, const CasePlan& plan) {
  const auto& exercise = *task.exercise;
  const auto& variables = target.variables(item);
  auto& reference = target.is_gpu() ? *services.gpu->reference : *services.simulator.reference;
  std::shared_ptr<const Expected> shared;
  Expected own;
  if (plan.is_shared) {
    shared =
        reference.expected(*task.lab, exercise, item.name, variables, plan.variant, plan.threads);
  } else {
    own = reference.make(*task.lab, exercise, item.name, variables, plan.variant, plan.threads);
  }
  const Expected& expected = plan.is_shared ? *shared : own;
  const auto outputs = [&] {
    return reference.outputs(exercise, item.name, variables, plan.variant);
  };
  const auto launch = make_launch(exercise.parameters, exercise.launch, kernel.name, variables);
  auto buffers = plan.is_shared ? expected.before : outputs();
  if (!plan.is_shared) move_inputs(own.before, buffers);
  run::Options options;
  options.threads = plan.threads;
  options.instruction_budget = kInstructionBudget;
  options.launch_budget = kLaunchBudget;
  CaseOutcome outcome;
  outcome.bytes = buffer_bytes(buffers);
  try {
    if (auto* const* gpu = std::get_if<measure::GpuBench*>(&target.bench)) {
      outcome.measured = (*gpu)->measure(*target.program, kernel, launch, buffers, 1);
    } else {
      outcome.measured = std::get<measure::SimBench*>(target.bench)
                             ->measure(*target.program, kernel, launch, buffers, options, outputs);
    }
  } catch (const base::UsageError& error) {
    outcome.refused = error.what();
    return outcome;
  } catch (const base::ToolError& error) {
    if (target.is_gpu()) throw;
    outcome.trouble = error.what();
    return outcome;
  }
  if (!outcome.measured.result.diagnostics.empty()) return outcome;
  if (!plan.is_shared) move_inputs(buffers, own.before);
  outcome.difference = first_difference(exercise, variables, expected, buffers);
  if (!outcome.difference.empty() && !plan.is_shared) {
    // What an output held before tells whether it was written at all.
    move_outputs(outputs(), own.before);
    outcome.difference = first_difference(exercise, variables, expected, buffers);
  }
  if (!item.measured || !outcome.difference.empty()) {
    run_in_schedules(services, task, target, item, launch, expected, outcome);
  } else if (!target.is_gpu() && has_speed_gate(exercise, target, item)) {
    if (!plan.is_shared) move_inputs(own.before, buffers);
    std::get<measure::SimBench*>(target.bench)
        ->copy_seconds(outcome.bytes, std::move(buffers));  // kept, for the gates
  }
  return outcome;
}

measure::TimedCase timed_case(const GradingServices& services, const GradingTask& task,
                              const Target& target, const Case& item, const compile::Kernel& kernel,
                              const ExerciseReport& report) {
  const auto& exercise = *task.exercise;
  const auto& variables = target.variables(item);
  measure::TimedCase timed;
  timed.kernel = kernel;
  timed.launch = make_launch(exercise.parameters, exercise.launch, kernel.name, variables);
  timed.before = make_patterns(exercise.parameters, exercise.id, item.name, variables,
                               services.seed ^ services.gpu->timed_variant());
  timed.any_order = in_any_order(exercise.parameters);
  const auto reference = services.gpu->reference->launch(*task.lab, exercise, variables);
  timed.reference = reference.program;
  timed.reference_launch = reference.launch;
  timed.is_timed = has_speed_gate(exercise, target, item);
  timed.bounds = speed_bounds(exercise, target, item, report);
  timed.difference = [&](const auto& content, const auto& after, const auto& got) {
    return first_difference(exercise, variables, {content, after}, got);
  };
  return timed;
}

}  // namespace warpgrade::grader

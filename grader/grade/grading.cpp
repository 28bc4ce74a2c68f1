// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/grading.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "common/measure/card_profile.h"
#include "grader/grade/answers.h"
#include "grader/grade/execute/case_stage.h"
#include "grader/grade/execute/compiled.h"
#include "grader/grade/explain/assemble.h"
#include "grader/grade/explain/failing_thread.h"
#include "grader/grade/explain/pictures.h"
#include "grader/grade/explain/source_remarks.h"
#include "grader/grade/judge/gate_places.h"
#include "grader/grade/judge/gates.h"
#include "grader/grade/judge/run_findings.h"
#include "grader/grade/time/gpu_counting.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader {
namespace {

bool all_right(const std::vector<Place>& places, const std::vector<CaseRun>& runs) {
  return runs.size() == places.size() &&
         std::all_of(runs.begin(), runs.end(),
                     [](const CaseRun& run) { return is_right(run.outcome); });
}

// Remarks on gates that are waived or missing, and on requested counters that are missing.
std::vector<std::string> warnings_of(const GradingServices& services,
                                     const KernelExercise& exercise, const std::string& only_device,
                                     const std::vector<Target>& targets, const GatePlan& plan) {
  std::vector<std::string> out;
  for (const auto& planned : plan) {
    if (planned.waiver) out.push_back(waiver_text(*planned.waiver, planned.gate->id));
  }
  for (const auto& target : targets) {
    if (target.fit.divisor > 1) {
      out.push_back(
          fmt::format("This card's memory is small: the measured sizes are divided by {} here.",
                      target.fit.divisor));
    }
  }
  if (plan.empty() && !exercise.gates.empty()) {
    const auto devices = exercise.devices();
    out.push_back(fmt::format(
        "No gate of this exercise is for {}: only the result is graded here. Its gates are for {}.",
        only_device, joined(std::span<const std::string>(devices))));
  }
  // The report compares the GPU's counters with the simulated ones of its profile.
  const bool has_profile = std::any_of(targets.begin(), targets.end(), [&](const Target& target) {
    return !target.is_gpu() && services.gpu && target.device == services.gpu->bench->profile().name;
  });
  if (services.gpu && services.gpu->counters && !has_profile) {
    out.push_back(fmt::format("no counters of the card: its profile, {}, is not simulated here",
                              services.gpu->bench->profile().name));
  }
  return out;
}

}  // namespace

Grading::Grading(GradingServices services, std::string only_device)
    : services_(std::move(services)), only_device_(std::move(only_device)) {}

std::vector<Target> Grading::targets(const KernelExercise& exercise) const {
  return targets_of(exercise, only_device_, services_.simulator.bench,
                    services_.gpu ? services_.gpu->bench : nullptr,
                    services_.gpu && services_.gpu->counters);
}

void Grading::prepare(const GradingTask& task) const {
  const auto* kernel = task.exercise->kernel();
  if (kernel == nullptr) return;
  begin_compilations(task, targets(*kernel), *services_.compilations);
}

ExerciseReport Grading::grade(const GradingTask& task) const {
  if (task.exercise->kernel() != nullptr) return grade_kernel(task);
  // A card without a profile has no answers.
  const bool has_profile = only_device_ != measure::kUnknownCard;
  return grade_answers(task, has_profile ? only_device_ : std::string());
}

// A submission that does not compile has no places, so it does not run.
ExerciseReport Grading::grade_kernel(const GradingTask& task) const {
  const auto& exercise = task.kernel();
  const auto targets = this->targets(exercise);
  const auto* calibration = services_.gpu ? services_.gpu->calibration : nullptr;
  const auto name = task.lab->id + "/" + task.exercise->id;
  auto plan = plan_gates(exercise, name, targets, calibration, only_device_);

  auto compiled = compile_submission(task, targets, *services_.compilations);
  const auto copies = begin_copies(task, plan, compiled.measured);
  auto runs = run_small_cases(services_, task, plan, compiled.small);
  std::vector<CaseRun> measured;
  if (all_right(compiled.small, runs)) {
    if (needs_course(plan)) {
      const auto& course_values = services_.gpu->course_values;
      enter_course(course_values ? course_values(task) : CourseValues(), plan);
    }
    measured = run_measured_cases(services_, task, plan, compiled.measured, compiled.salt);
  }
  auto counted = count_on_gpu(services_, task, measured, compiled.salt);

  Findings found;
  found.diagnostics = std::move(compiled.diagnostics);
  found.tool_trouble = std::move(compiled.trouble);
  found.counted = std::move(counted);
  found.warnings = warnings_of(services_, exercise, only_device_, targets, plan);
  found.left_out = std::move(compiled.left_out);
  if (const auto* source = std::get_if<compile::CompileRequest>(&task.submission.content)) {
    const auto& kernel = exercise.steps.front().kernel;
    const auto remarks =
        source_remarks(source->source, std::string_view(kernel).substr(0, kernel.find('<')));
    found.warnings.insert(found.warnings.end(), remarks.begin(), remarks.end());
  }
  add_runs(task, compiled.small, runs, found);
  add_runs(task, compiled.measured, measured, found);
  runs.insert(runs.end(), measured.begin(), measured.end());
  put_failing_thread_first(services_, task, runs, compiled.salt, found);
  if (services_.pictures) found.pictures = draw_pictures(services_, task, runs, compiled.salt);
  auto decided = decide_gates(plan, exercise, runs);
  found.lines = lines_that_matter(decided);
  for (const auto& gate : decided.gates) {
    if (!gate.has_failed() || !has_places(gate.gate.metric) || runs.empty()) continue;
    const auto text = places_text(gate.gate.metric, runs.front().place);
    if (!text.empty()) found.warnings.push_back(fmt::format("{}: {}", gate.gate.id, text));
  }
  found.gates = std::move(decided.gates);
  return assemble(task, std::move(found));
}

}  // namespace warpgrade::grader

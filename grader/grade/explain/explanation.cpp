// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/grade/explain/assemble.h"
#include "grader/grade/explain/failing_thread.h"
#include "grader/grade/explain/pictures.h"
#include "grader/grade/explain/source_remarks.h"
#include "grader/grade/judge/gate_places.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader::grade {
namespace {

using Remarks = std::vector<std::string>;

void append(const Remarks& further, Remarks& out) {
  out.insert(out.end(), further.begin(), further.end());
}

// Remarks on gates that are waived or missing, and on requested counters that are missing.
Remarks plan_remarks(const Plan& plan, const GatePlan& gates) {
  const auto& exercise = plan.kernel();
  std::vector<std::string> out;
  for (const auto& planned : gates) {
    if (planned.waiver) out.push_back(waiver_text(*planned.waiver, planned.gate->id));
  }
  for (const auto& target : plan.targets) {
    if (target.fit.divisor > 1) {
      out.push_back(
          fmt::format("This card's memory is small: the measured sizes are divided by {} here.",
                      target.fit.divisor));
    }
  }
  if (gates.empty() && !exercise.gates.empty()) {
    const auto devices = exercise.devices();
    out.push_back(fmt::format(
        "No gate of this exercise is for {}: only the result is graded here. Its gates are for {}.",
        plan.only_device, text::joined(std::span<const std::string>(devices))));
  }
  const auto& gpu = plan.services.gpu;
  // The report compares the GPU's counters with the simulated ones of its profile.
  const bool has_profile = std::ranges::any_of(plan.targets, [&](const Target& target) {
    return !target.is_gpu() && gpu && target.device == gpu->bench->profile().name;
  });
  if (gpu && gpu->counters && !has_profile) {
    out.push_back(fmt::format("no counters of the card: its profile, {}, is not simulated here",
                              gpu->bench->profile().name));
  }
  return out;
}

Remarks text_remarks(const Plan& plan) {
  const auto* source = std::get_if<compile::CompileRequest>(&plan.task.submission.content);
  if (source == nullptr) return {};
  const std::string_view kernel = plan.kernel().steps.front().kernel;
  return source_remarks(source->source, kernel.substr(0, kernel.find('<')));
}

// The places behind the numbers of failed gates.
Remarks gate_remarks(const Findings& found, const std::vector<CaseRun>& runs) {
  Remarks out;
  for (const auto& gate : found.gates) {
    if (!gate.has_failed() || !has_places(gate.gate.metric) || runs.empty()) continue;
    const auto text = places_text(gate.gate.metric, runs.front().place);
    if (!text.empty()) out.push_back(fmt::format("{}: {}", gate.gate.id, text));
  }
  return out;
}

}  // namespace

report::ExerciseReport explain(const Plan& plan, const TimedRuns& timed, Judged judged) {
  auto& found = judged.found;
  auto remarks = plan_remarks(plan, timed.gates);
  append(text_remarks(plan), remarks);
  append(found.warnings, remarks);
  append(gate_remarks(found, timed.runs), remarks);
  found.warnings = std::move(remarks);
  put_failing_thread_first(plan, timed.runs, found);
  if (plan.services.pictures) found.pictures = draw_pictures(plan, timed.runs);
  return assemble(plan.task, std::move(judged));
}

}  // namespace warpgrade::grader::grade

// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/execution.h"

#include <algorithm>
#include <future>
#include <set>
#include <string>
#include <utility>

#include "common/measure/copy_kernel.h"
#include "grader/grade/execute/case_stage.h"
#include "grader/grade/execute/gpu_case.h"

namespace warpgrade::grader::grade {
namespace {

// Begins to compile the copy baseline for the measured cases that need it. The small cases do not
// need it, and run meanwhile.
std::vector<std::future<void>> begin_copies(const Plan& plan, const std::vector<Place>& measured) {
  std::set<std::string> architectures;
  for (const auto& place : measured) {
    if (!has_speed_gate(plan.gates, *place.target, *place.item)) continue;
    auto* const* sim = std::get_if<measure::SimBench*>(&place.target->bench);
    const auto bytes = place.timed->work.bytes;
    const bool is_known = sim != nullptr && (*sim)->copies().contains(bytes);
    if (!is_known) architectures.emplace(place.target->profile().architecture);
  }
  std::vector<std::future<void>> out;
  for (const auto& architecture : architectures) {
    out.push_back(
        std::async(std::launch::async, [architecture] { measure::copy_program(architecture); }));
  }
  return out;
}

}  // namespace

bool Execution::is_right() const {
  const auto has_no_fault = [](const CaseRun& run) {
    return grade::is_right(run.outcome) || std::holds_alternative<NotChecked>(run.outcome.ending);
  };
  return small.size() == compiled.small.size() && std::ranges::all_of(small, has_no_fault);
}

Execution execute(const Plan& plan) {
  Execution out;
  out.compiled = compile_submission(plan);
  const auto copies = begin_copies(plan, out.compiled.measured);
  out.small = run_cases(
      plan, out.compiled.small,
      [](const CaseJob& /*job*/, CaseOutcome executed) { return executed; },
      [&](const std::vector<Place>& group) {
        return [&plan, group](std::size_t i) { return check_on_gpu(plan, group[i]); };
      });
  return out;
}

}  // namespace warpgrade::grader::grade

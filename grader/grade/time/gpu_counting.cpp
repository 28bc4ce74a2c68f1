// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/time/gpu_counting.h"

#include <utility>

#include "common/base/error.h"

namespace warpgrade::grader::grade {
namespace {

report::CountedCase count(const Plan& plan, const CaseRun& run) {
  const auto& place = run.place;
  report::CountedCase out;
  out.name = place.item->name;
  out.variables = place.variables();
  out.device = place.target->device;
  out.simulated = run.outcome.measured.metrics;
  const auto expected = plan.services.simulator.reference->expected(plan.lab(), *place.sized,
                                                                    plan.variant_of(*place.item));
  const auto launches = launches_of(place, *place.sized);
  try {
    auto found = plan.services.gpu->bench->count(*place.program, launches, expected->before);
    out.gpu = std::move(found.metrics);
    out.reason = std::move(found.reason);
  } catch (const base::ToolError& error) {
    out.reason = error.what();
  }
  return out;
}

}  // namespace

std::vector<report::CountedCase> count_on_gpu(const Plan& plan, const std::vector<CaseRun>& runs) {
  std::vector<report::CountedCase> out;
  const auto& gpu = plan.services.gpu;
  if (!gpu || !gpu->counters) return out;
  const auto& profile = gpu->bench->profile();
  for (const auto& run : runs) {
    const auto& target = *run.place.target;
    if (target.is_gpu() || target.device != profile.name || !is_right(run.outcome)) continue;
    out.push_back(count(plan, run));
  }
  return out;
}

}  // namespace warpgrade::grader::grade

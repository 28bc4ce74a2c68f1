// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/time/gpu_counting.h"

#include <utility>

#include "common/base/error.h"

namespace warpgrade::grader {
namespace {

CountedCase count(const GradingServices& services, const GradingTask& task, const CaseRun& run,
                  std::uint64_t salt) {
  const auto& place = run.place;
  CountedCase out;
  out.name = place.item->name;
  out.variables = place.variables();
  out.device = place.target->device;
  out.simulated = run.outcome.measured.metrics;
  const auto expected = services.simulator.reference->expected(*task.lab, *task.exercise, out.name,
                                                               place.variables(), salt);
  const auto launches = launches_of(task.kernel(), place, place.variables());
  try {
    auto found = services.gpu->bench->count(*place.program, launches, expected->before);
    out.gpu = std::move(found.metrics);
    out.reason = std::move(found.reason);
  } catch (const base::ToolError& error) {
    out.reason = error.what();
  }
  return out;
}

}  // namespace

std::vector<CountedCase> count_on_gpu(const GradingServices& services, const GradingTask& task,
                                      const std::vector<CaseRun>& runs, std::uint64_t salt) {
  std::vector<CountedCase> out;
  if (!services.gpu || !services.gpu->counters) return out;
  const auto& profile = services.gpu->bench->profile();
  for (const auto& run : runs) {
    const auto& target = *run.place.target;
    if (target.is_gpu() || target.device != profile.name || !is_right(run.outcome)) continue;
    out.push_back(count(services, task, run, salt));
  }
  return out;
}

}  // namespace warpgrade::grader

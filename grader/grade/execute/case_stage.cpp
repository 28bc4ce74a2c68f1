// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/case_stage.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "common/measure/copy_kernel.h"
#include "grader/cases/ordered_prefetch.h"
#include "grader/cases/required_work.h"
#include "grader/grade/execute/gpu_case.h"
#include "grader/grade/execute/shared_runs.h"
#include "grader/grade/execute/simulated_case.h"
#include "grader/grade/plan/work_limits.h"

namespace warpgrade::grader {
namespace {

using Places = std::vector<Place>;

// Adds the runs of `places` to `runs` until one ends the grading; returns false if one did.
template <typename Outcome>
bool take_all(const GradingServices& services, const Places& places, const Outcome& outcome_of,
              std::vector<CaseRun>& runs) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (services.on_case) services.on_case(places[i].item->name);
    runs.push_back({places[i], outcome_of(i)});
    if (ends_grading(runs.back().outcome)) return false;
  }
  return true;
}

// Only this group uses the `contents` of a measured case.
bool simulate_group(const GradingServices& services, const GradingTask& task, const GatePlan& plan,
                    const Places& places, const CaseContents& contents,
                    std::vector<CaseRun>& runs) {
  const auto work = work_limits(task.kernel(), places);
  const auto at_once = services.simulator.cases_at_once;
  // If other cases follow, they share the cores: whole launches in parallel are faster than split
  // ones.
  const auto share = std::max(std::thread::hardware_concurrency() / std::max(at_once, 1U), 1U);
  SharedRuns shared(plan, places);
  OrderedPrefetch<CaseOutcome> outcomes(places.size(), at_once, [&](std::size_t i) {
    const unsigned threads = i + at_once < places.size() ? share : 0;
    const auto& place = places[i];
    auto own = contents;
    if (place.item->measured) own.is_shared = shared.executions_of(*place.item) > 1;
    const CaseLimits limits{work[i], threads};
    auto executed = shared.take(i, [&](const std::vector<const Place*>& served) {
      return execute_case(services, task, plan, served, own, limits);
    });
    return finish_case(services, task, plan, place, own, limits, std::move(executed));
  });
  return take_all(
      services, places, [&](std::size_t i) { return outcomes.take(i); }, runs);
}

// Calls `run_group` with each run of consecutive `places` on one backend, in order, until it
// returns false.
void for_each_backend(const Places& places, const std::function<bool(Places, bool)>& run_group) {
  for (auto begin = places.begin(); begin != places.end();) {
    const bool is_gpu = begin->target->is_gpu();
    const auto end = std::find_if(
        begin, places.end(), [&](const Place& place) { return place.target->is_gpu() != is_gpu; });
    if (!run_group({begin, end}, is_gpu)) return;
    begin = end;
  }
}

}  // namespace

std::vector<CaseRun> run_small_cases(const GradingServices& services, const GradingTask& task,
                                     const GatePlan& plan, const Places& places) {
  std::vector<CaseRun> runs;
  for_each_backend(places, [&](const Places& group, bool is_gpu) {
    if (!is_gpu) return simulate_group(services, task, plan, group, {}, runs);
    const auto check = [&](std::size_t i) { return check_on_gpu(services, task, plan, group[i]); };
    return take_all(services, group, check, runs);
  });
  return runs;
}

std::vector<CaseRun> run_measured_cases(const GradingServices& services, const GradingTask& task,
                                        const GatePlan& plan, const Places& places,
                                        std::uint64_t salt) {
  const CaseContents contents{.variant = salt};
  std::vector<CaseRun> runs;
  for_each_backend(places, [&](const Places& group, bool is_gpu) {
    if (!is_gpu) return simulate_group(services, task, plan, group, contents, runs);
    GpuTiming timing(services, task, plan, group);
    return take_all(
        services, group, [&](std::size_t i) { return timing.time(i); }, runs);
  });
  return runs;
}

std::vector<std::future<void>> begin_copies(const GradingTask& task, const GatePlan& plan,
                                            const Places& places) {
  std::set<std::string> architectures;
  for (const auto& place : places) {
    if (!has_speed_gate(plan, *place.target, *place.item)) continue;
    auto* const* sim = std::get_if<measure::SimBench*>(&place.target->bench);
    const auto bytes = required_work(task.kernel(), place.speed_variables).bytes;
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

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/case_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <thread>
#include <utility>

#include "common/base/counted.h"
#include "common/sim/work.h"
#include "grader/cases/ordered_prefetch.h"
#include "grader/grade/execute/shared_runs.h"
#include "grader/grade/execute/simulated_case.h"
#include "grader/grade/plan/work_limits.h"

namespace warpgrade::grader::grade {
namespace {

using Places = std::vector<Place>;

// Adds the runs of `places` to `runs` until one ends the grading; returns false if one did.
bool take_all(const Plan& plan, const Places& places, const OnGpu& outcome_of,
              std::vector<CaseRun>& runs) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (plan.services.on_case) plan.services.on_case(places[i].item->name);
    runs.push_back({places[i], outcome_of(i)});
    if (ends_grading(runs.back().outcome)) return false;
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

bool simulate_group(const Plan& plan, const Places& places, const Finish& finish,
                    std::vector<CaseRun>& runs) {
  const auto work = work_limits(places);
  const auto at_once = plan.services.simulator.cases_at_once;
  // If other cases follow, they share the cores: whole launches in parallel are faster than
  // launches split over all cores.
  const auto share = std::max(std::thread::hardware_concurrency() / std::max(at_once, 1U), 1U);
  SharedRuns shared(plan.gates, places);
  std::vector<std::promise<bool>> ends(places.size());  // whether its result is wrong
  std::vector<std::shared_future<bool>> is_wrong;
  for (auto& end : ends) is_wrong.push_back(end.get_future().share());
  cases::OrderedPrefetch<CaseOutcome> outcomes(places.size(), at_once, [&](std::size_t i) {
    const auto& item = *places[i].item;
    CaseJob job{places[i], plan.variant_of(item)};
    // Only this submission has the contents of a measured case.
    job.is_shared = !item.measured || shared.executions_of(item) > 1;
    job.work = work[i];
    job.threads = i + at_once < places.size() ? share : 0;
    job.is_wrong_before = [&is_wrong, i] {
      return std::any_of(is_wrong.begin(), is_wrong.begin() + static_cast<std::ptrdiff_t>(i),
                         [](const auto& one) { return one.get(); });
    };
    try {
      auto executed = shared.take(i, [&](const std::vector<const Place*>& others) {
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
    done += places[i].item->measured ? 0 : outcome.measured.result.work;
    if (done > kSmallWork && !ends_grading(outcome)) outcome.ending = too_much_work(plan, done);
    return outcome;
  };
  return take_all(plan, places, outcome_of, runs);
}

}  // namespace

std::vector<CaseRun> run_cases(const Plan& plan, const Places& places, const Finish& finish,
                               const std::function<OnGpu(const Places& group)>& begin_on_gpu) {
  std::vector<CaseRun> runs;
  for (auto begin = places.begin(); begin != places.end();) {
    const bool is_gpu = begin->target->is_gpu();
    const auto end = std::find_if(
        begin, places.end(), [&](const Place& place) { return place.target->is_gpu() != is_gpu; });
    const Places group(begin, end);
    const bool goes_on = is_gpu ? take_all(plan, group, begin_on_gpu(group), runs)
                                : simulate_group(plan, group, finish, runs);
    if (!goes_on) break;
    begin = end;
  }
  return runs;
}

}  // namespace warpgrade::grader::grade

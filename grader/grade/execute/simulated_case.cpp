// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/simulated_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grader/cases/outputs.h"
#include "grader/cases/schedules.h"
#include "grader/grade/execute/sampled_case.h"
#include "grader/grade/execute/whole_case.h"
#include "grader/grade/plan/work_limits.h"
#include "grader/text/program_call.h"

namespace warpgrade::grader::grade {
namespace {

// The ending of a case after runs in other orders; the order by number has given `by_number`
// without diagnostics. A case that is wrong by number needs a single further order. That order
// checks for races in global memory, and a race takes precedence over the wrong result.
CaseEnding run_in_schedules(const Plan& plan, const CaseJob& job, const cases::Expected& expected,
                            measure::Measurement& measured, CaseEnding by_number) {
  const auto& place = job.place;
  const auto seed = plan.services.seed;
  auto seeds = cases::schedule_seeds(seed, measured, cases::kMostGradedInstructions);
  const bool is_wrong = std::holds_alternative<WrongResult>(by_number);
  while (is_wrong && seeds.size() > 1) seeds.pop_back();
  const auto left = job.work - std::min(job.work, measured.result.work);
  auto runs = sim_bench_of(place).run_in_schedules(*place.program, launches_of(place, *place.sized),
                                                   expected.before, measured, seeds, left);
  const auto replay =
      fmt::format("{} grade {}/{} {} --seed {}", text::program_call(), plan.lab().id,
                  plan.exercise().id, plan.task.submission.options, seed);
  for (auto& run : runs) {
    measured.result.work += run.work;
    auto& warnings = measured.result.warnings;
    warnings.insert(warnings.end(), run.warnings.begin(), run.warnings.end());
    if (!run.diagnostics.empty()) {
      cases::add_replay(run.diagnostics, replay);
      add_limit(run.diagnostics, job, expected);
      return FoundFaults{std::move(run.diagnostics)};
    }
    if (is_wrong) break;
    auto difference = first_difference(place.sized->buffers, expected, run.buffers);
    if (!difference) continue;
    WrongResult wrong{std::move(*difference)};
    wrong.seen.replay = replay;
    return wrong;
  }
  return by_number;
}

// A case that is too large to execute completely, unless its sample is not complete.
CaseOutcome simulate_large(const Plan& plan, const CaseJob& job) {
  auto ending = run_sample(plan, job, *job.place.sized, measure::SampleUse::kResults).ending;
  // At such a large size, reaching the limit on work is not a fault.
  if (!is_runaway(ending)) return ended_by(std::move(ending));
  return ended_by(
      NotChecked{"its blocks take too long to be simulated, so nobody knows whether the result is "
                 "right. Grade it with --backend gpu"});
}

}  // namespace

bool can_be_shared(const GatePlan& gates, const Place& place) {
  return place.item->timed_variables || !has_speed_gate(gates, *place.target, *place.item);
}

std::vector<CaseOutcome> execute_case(const Plan& plan, const CaseJob& job,
                                      const std::vector<const Place*>& others) {
  const auto& place = job.place;
  const auto& item = *place.item;
  if (item.sampled) {  // The outcome depends on no profile.
    return std::vector<CaseOutcome>(1 + others.size(), simulate_large(plan, job));
  }
  auto limited = job;
  RightResults right(plan, limited, *place.sized);
  if (!item.measured) limited.work = small_limit(place, right.expected().warp_instructions);
  const auto timing = can_be_shared(plan.gates, place) ? Timing::kNone : Timing::kModelled;
  std::vector<measure::CountedElsewhere> elsewhere;
  for (const auto* other : others) elsewhere.push_back({&other->target->profile(), other->program});
  auto out = run_whole(limited, *place.sized, right, timing, elsewhere);
  const bool has_run = is_right(out) || std::holds_alternative<WrongResult>(out.ending);
  if (has_run && (!item.measured || !is_right(out))) {
    out.ending =
        run_in_schedules(plan, limited, right.expected(), out.measured, std::move(out.ending));
  }
  std::vector<CaseOutcome> all = {std::move(out)};
  for (auto& other : elsewhere) {
    auto same = all.front();
    if (!other.refusal.empty()) same = ended_by(NotLaunchable{std::move(other.refusal)});
    same.measured = std::move(other.measured);
    all.push_back(std::move(same));
  }
  return all;
}

bool is_runaway(const CaseEnding& ending) {
  const auto* found = std::get_if<FoundFaults>(&ending);
  return found != nullptr && found->diagnostics.size() == 1 &&
         found->diagnostics.front().kind == base::DiagnosticKind::kRunaway;
}

}  // namespace warpgrade::grader::grade

// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/simulated_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "common/base/error.h"
#include "grader/cases/case_launch.h"
#include "grader/cases/outputs.h"
#include "grader/cases/schedules.h"
#include "grader/grade/execute/sampled_case.h"
#include "grader/grade/plan/work_limits.h"
#include "grader/text/program_call.h"

namespace warpgrade::grader {
namespace {

// The right results of a case. Those that only this case needs are made for it, and its inputs go
// through the launch and back instead of being copied.
class RightResults {
 public:
  RightResults(Reference& reference, const GradingTask& task, const std::string& case_name,
               const Variables& variables, const CaseContents& contents, unsigned threads)
      : reference_(reference),
        task_(task),
        case_name_(case_name),
        variables_(variables),
        contents_(contents) {
    if (contents.is_shared) {
      shared_ = reference.expected(*task.lab, *task.exercise, case_name, variables,
                                   contents.variant, threads);
    } else {
      own_ = reference.make(*task.lab, *task.exercise, case_name, variables, contents.variant,
                            threads);
    }
  }

  const Expected& expected() const { return shared_ ? *shared_ : own_; }

  /// The buffers before a launch, with empty inputs.
  std::vector<run::Buffer> outputs() const {
    return reference_.outputs(*task_.exercise, case_name_, variables_, contents_.variant);
  }
  /// The buffers before a launch; makes the inputs again on request.
  std::vector<run::Buffer> before(bool inputs_too) const {
    if (!inputs_too) return outputs();
    return reference_.before(*task_.exercise, case_name_, variables_, contents_.variant);
  }
  /// The buffers for a launch; give_back() takes their inputs again.
  std::vector<run::Buffer> buffers() {
    if (shared_) return shared_->before;
    auto out = outputs();
    move_inputs(own_.before, out);
    return out;
  }
  void give_back(std::vector<run::Buffer>& buffers) {
    if (!shared_) move_inputs(buffers, own_.before);
  }

  std::optional<verify::OutputDifference> difference(const std::vector<run::Buffer>& got) {
    auto out = first_difference(task_.kernel(), variables_, expected(), got);
    if (!out || shared_) return out;
    // The content of an output before the launch shows whether it was written at all.
    move_outputs(outputs(), own_.before);
    return first_difference(task_.kernel(), variables_, expected(), got);
  }

 private:
  Reference& reference_;
  const GradingTask& task_;
  const std::string& case_name_;
  const Variables& variables_;
  const CaseContents contents_;
  std::shared_ptr<const Expected> shared_;
  Expected own_;
};

// Notes with a runaway what the case may use, and what the course's own kernel needs for it.
void add_limit(std::vector<base::Diagnostic>& found, const Case& item, const Expected& expected,
               std::uint64_t work) {
  for (auto& diagnostic : found) {
    if (diagnostic.kind != base::DiagnosticKind::kRunaway) continue;
    diagnostic.seen.limit = base::CaseLimit{
        item.name, work, block_limit(work, expected.warp_instructions), expected.warp_instructions};
  }
}

// The ending of a case without diagnostics in the order by number, after runs in other orders. One
// that is wrong by number needs a single further order: there the checks for races in global memory
// are on, and a race goes before it.
CaseEnding run_in_schedules(const GradingServices& services, const GradingTask& task,
                            const Place& place, const run::Sequence& launches,
                            const Expected& expected, measure::Measurement& measured,
                            std::uint64_t work, CaseEnding by_number) {
  auto seeds = schedule_seeds(services.seed, measured, kMostGradedInstructions);
  const bool is_wrong = std::holds_alternative<WrongResult>(by_number);
  while (is_wrong && seeds.size() > 1) seeds.pop_back();
  const auto left = work - std::min(work, measured.result.work);
  auto runs = sim_bench_of(place).run_in_schedules(*place.program, launches, expected.before,
                                                   measured, seeds, left);
  const auto replay = fmt::format("{} grade {}/{} {} --seed {}", program_call(), task.lab->id,
                                  task.exercise->id, task.submission.options, services.seed);
  for (auto& run : runs) {
    auto& warnings = measured.result.warnings;
    warnings.insert(warnings.end(), run.warnings.begin(), run.warnings.end());
    if (!run.diagnostics.empty()) {
      add_replay(run.diagnostics, replay);
      return FoundFaults{std::move(run.diagnostics)};
    }
    if (is_wrong) break;
    auto difference = first_difference(task.kernel(), place.variables(), expected, run.buffers);
    if (!difference) continue;
    WrongResult wrong{std::move(*difference)};
    wrong.seen.replay = replay;
    return wrong;
  }
  return by_number;
}

// Whether a run uses the time model; runs without a speed gate do not.
enum class Timing { kNone, kModelled };

// The launches with all blocks in the order by number, with all checks on.
CaseOutcome run_whole(const GradingTask& task, const Place& place, const Variables& variables,
                      const CaseLimits& limits, RightResults& right, Timing timing,
                      std::span<measure::CountedElsewhere> others = {}) {
  const auto launches = launches_of(task.kernel(), place, variables);
  auto buffers = right.buffers();
  CaseOutcome out;
  run::Options options;
  options.threads = limits.threads;
  options.block_budget = block_limit(limits.work, right.expected().warp_instructions);
  options.launch_budget = limits.work;
  try {
    auto& bench = sim_bench_of(place);
    const auto before = [&](bool inputs_too) { return right.before(inputs_too); };
    out.measured = timing == Timing::kModelled
                       ? bench.measure(*place.program, launches, buffers, options, before)
                       : bench.count(*place.program, launches, buffers, options, before, others);
  } catch (const base::UsageError& error) {
    return ended_by(NotLaunchable{error.what()});
  } catch (const base::ToolError& error) {
    return ended_by(NotSimulated{error.what()});
  }
  if (!out.measured.result.diagnostics.empty()) {
    add_limit(out.measured.result.diagnostics, *place.item, right.expected(), limits.work);
    out.ending = FoundFaults{out.measured.result.diagnostics};
    return out;
  }
  right.give_back(buffers);
  if (auto difference = right.difference(buffers)) out.ending = WrongResult{std::move(*difference)};
  return out;
}

// Enters the speed of a launch with the size `variables`.
void take_time(const GradingTask& task, const Place& place, const Variables& variables,
               double seconds, CaseOutcome& out) {
  auto& bench = sim_bench_of(place);
  const auto required = required_work(task.kernel(), variables);
  const double peak =
      required.operations > 0 ? required.operations / measure::peak_rate(bench.profile()) : 0;
  take_speed(required, bench.copy_seconds(required.bytes), peak, seconds, out);
}

// Executes the whole launch, because its sample does not represent the other blocks.
void time_whole(const GradingServices& services, const GradingTask& task, const Place& place,
                const CaseContents& contents, const CaseLimits& limits, CaseOutcome& out) {
  const auto& variables = place.speed_variables;
  RightResults right(*services.simulator.reference, task, place.item->name, variables,
                     {contents.variant, /*is_shared=*/false}, limits.threads);
  auto whole = run_whole(task, place, variables, limits, right, Timing::kModelled);
  out.ending = std::move(whole.ending);
  if (!is_right(out)) return;
  out.measured.seconds = whole.measured.seconds;
  out.measured.bound_by = whole.measured.bound_by;
  out.measured.shares = std::move(whole.measured.shares);
  out.measured.skew = whole.measured.skew;
  take_time(task, place, variables, out.measured.seconds, out);
}

bool is_runaway(const CaseEnding& ending) {
  const auto* found = std::get_if<FoundFaults>(&ending);
  return found != nullptr && found->diagnostics.size() == 1 &&
         found->diagnostics.front().kind == base::DiagnosticKind::kRunaway;
}

// Adds the size to findings that only occur at the timed size.
void add_size(const Variables& variables, CaseEnding& ending) {
  if (auto* wrong = std::get_if<WrongResult>(&ending)) {
    wrong->seen.timed_size = variables;
  } else if (auto* found = std::get_if<FoundFaults>(&ending)) {
    for (auto& diagnostic : found->diagnostics) diagnostic.seen.timed_size = variables;
  }
}

// Predicts the time at the size whose speed is graded. A kernel that is right at `variables` and
// too slow to be simulated there keeps the speed that it has at those.
void time_at_full_size(const GradingServices& services, const GradingTask& task, const Place& place,
                       const CaseContents& contents, const CaseLimits& limits, CaseOutcome& out) {
  const auto& variables = place.speed_variables;
  auto sample =
      run_sample(services, task, place, variables, contents, limits, measure::SampleUse::kTime);
  out.ending = std::move(sample.ending);
  if (is_right(out) && sample.stands_for_all) {
    auto& time = sample.launch.time;
    out.measured.seconds = time.seconds;
    out.measured.bound_by = time.bound_by;
    out.measured.shares = std::move(time.shares);
    out.measured.skew = time.skew;
    take_time(task, place, variables, time.seconds, out);
    return;
  }
  if (is_right(out)) time_whole(services, task, place, contents, limits, out);
  if (is_runaway(out.ending)) {
    out.ending = RightResult{};
    out.warnings.emplace_back(
        "its blocks take too long to be simulated at the size whose speed is graded, so the speed "
        "is "
        "that at the size shown here");
    RightResults right(*services.simulator.reference, task, place.item->name, place.variables(),
                       {contents.variant, /*is_shared=*/false}, limits.threads);
    auto whole = run_whole(task, place, place.variables(), limits, right, Timing::kModelled);
    out.measured = std::move(whole.measured);
    take_time(task, place, place.variables(), out.measured.seconds, out);
  }
  add_size(variables, out.ending);
}

// Bytes that the buffers of a large case may have, should all its blocks have to run: the right
// results and the checks take as much again.
constexpr std::uint64_t kMostLargeBytes = std::uint64_t{1} << 30;

// A case that is too large to execute completely; its sample decides whether all blocks have to
// run.
CaseOutcome simulate_large(const GradingServices& services, const GradingTask& task,
                           const Place& place, const CaseContents& contents,
                           const CaseLimits& limits) {
  const auto& variables = place.variables();
  auto sample =
      run_sample(services, task, place, variables, contents, limits, measure::SampleUse::kResults);
  auto ending = std::move(sample.ending);
  if (std::holds_alternative<RightResult>(ending) && !sample.has_done_its_share &&
      sample.bytes <= kMostLargeBytes) {
    RightResults right(*services.simulator.reference, task, place.item->name, variables,
                       {contents.variant, /*is_shared=*/false}, limits.threads);
    const CaseLimits all_blocks{kLargeWork, limits.threads};
    ending = run_whole(task, place, variables, all_blocks, right, Timing::kNone).ending;
  }
  // At such a large size, reaching the limit on work is not a fault.
  if (!is_runaway(ending)) return ended_by(std::move(ending));
  auto unchecked = ended_by(RightResult{});
  unchecked.warnings.emplace_back("its blocks take too long to be simulated, so it is not checked");
  return unchecked;
}

}  // namespace

bool can_be_shared(const GatePlan& plan, const Place& place) {
  return place.item->timed_variables || !has_speed_gate(plan, *place.target, *place.item);
}

std::vector<CaseOutcome> execute_case(const GradingServices& services, const GradingTask& task,
                                      const GatePlan& plan, const std::vector<const Place*>& places,
                                      const CaseContents& contents, const CaseLimits& limits) {
  const auto& place = *places.front();
  const auto& item = *place.item;
  if (item.sampled) {  // No profile has a part in it.
    return std::vector<CaseOutcome>(places.size(),
                                    simulate_large(services, task, place, contents, limits));
  }
  RightResults right(*services.simulator.reference, task, item.name, place.variables(), contents,
                     limits.threads);
  const auto timing = can_be_shared(plan, place) ? Timing::kNone : Timing::kModelled;
  std::vector<measure::CountedElsewhere> others;
  for (std::size_t i = 1; i < places.size(); ++i) {
    others.push_back({&places[i]->target->profile(), places[i]->program});
  }
  auto out = run_whole(task, place, place.variables(), limits, right, timing, others);
  const bool has_run = is_right(out) || std::holds_alternative<WrongResult>(out.ending);
  if (has_run && (!item.measured || !is_right(out))) {
    const auto launches = launches_of(task.kernel(), place, place.variables());
    out.ending = run_in_schedules(services, task, place, launches, right.expected(), out.measured,
                                  limits.work, std::move(out.ending));
    if (auto* found = std::get_if<FoundFaults>(&out.ending)) {
      add_limit(found->diagnostics, item, right.expected(), limits.work);
    }
  }
  std::vector<CaseOutcome> all = {std::move(out)};
  for (auto& other : others) {
    auto same = all.front();
    if (!other.refusal.empty()) same = ended_by(NotLaunchable{std::move(other.refusal)});
    same.measured = std::move(other.measured);
    all.push_back(std::move(same));
  }
  return all;
}

CaseOutcome finish_case(const GradingServices& services, const GradingTask& task,
                        const GatePlan& plan, const Place& place, const CaseContents& contents,
                        const CaseLimits& limits, CaseOutcome out) {
  const bool is_done = !is_right(out) || place.item->sampled;
  if (is_done || !has_speed_gate(plan, *place.target, *place.item)) return out;
  if (place.item->timed_variables) {
    time_at_full_size(services, task, place, contents, limits, out);
  } else {
    take_time(task, place, place.variables(), out.measured.seconds, out);
  }
  return out;
}

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/simulated_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "common/base/error.h"
#include "grader/cases/case_launch.h"
#include "grader/cases/outputs.h"
#include "grader/cases/schedules.h"
#include "grader/grade/work_limits.h"

namespace warpgrade::grader {
namespace {

// The right results of a case. Those that only this case needs are made for it, and its inputs go
// through the launch and back instead of being copied.
class RightResults {
 public:
  RightResults(Reference& reference, const GradingTask& task, const Place& place,
               const CaseContents& contents, unsigned threads)
      : reference_(reference), task_(task), place_(place), contents_(contents) {
    const auto& name = place.item->name;
    if (contents.is_shared) {
      shared_ = reference.expected(*task.lab, *task.exercise, name, place.variables(),
                                   contents.variant, threads);
    } else {
      own_ = reference.make(*task.lab, *task.exercise, name, place.variables(), contents.variant,
                            threads);
    }
  }

  const Expected& expected() const { return shared_ ? *shared_ : own_; }

  /// The buffers as they are before a launch, inputs left empty.
  std::vector<run::Buffer> outputs() const {
    return reference_.outputs(*task_.exercise, place_.item->name, place_.variables(),
                              contents_.variant);
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
  void take_inputs(std::vector<run::Buffer>& buffers) {
    if (!shared_) move_inputs(own_.before, buffers);
  }

  std::optional<verify::OutputDifference> difference(const std::vector<run::Buffer>& got) {
    auto out = first_difference(*task_.exercise, place_.variables(), expected(), got);
    if (!out || shared_) return out;
    // The content of an output before the launch tells whether it was written at all.
    move_outputs(outputs(), own_.before);
    return first_difference(*task_.exercise, place_.variables(), expected(), got);
  }

 private:
  Reference& reference_;
  const GradingTask& task_;
  const Place& place_;
  const CaseContents& contents_;
  std::shared_ptr<const Expected> shared_;
  Expected own_;
};

measure::SimBench& sim_bench_of(const Place& place) {
  return *std::get<measure::SimBench*>(place.target->bench);
}

// Says of a runaway what the case may use, and what the course's own kernel needs for it.
void add_limit(std::vector<base::Diagnostic>& found, const Case& item, const Expected& expected,
               std::uint64_t work) {
  for (auto& diagnostic : found) {
    if (diagnostic.kind != base::DiagnosticKind::kRunaway) continue;
    diagnostic.message += fmt::format(
        ". Case {} may use {} units in all its runs, a block {}; the course's reference needs {} "
        "warp instructions for it",
        item.name, work, work / kBlocksInACase, expected.warp_instructions);
  }
}

// The ending of a case without diagnostics in the order by number, after runs in other orders. One
// that is wrong by number needs a single further order: there the checks for races in global memory
// are on, and a race goes before it.
CaseEnding run_in_schedules(const GradingServices& services, const GradingTask& task,
                            const Place& place, const run::Launch& launch, const Expected& expected,
                            const measure::Measurement& measured, std::uint64_t work,
                            CaseEnding by_number) {
  auto seeds = schedule_seeds(services.seed, measured, kMostGradedInstructions);
  const bool is_wrong = std::holds_alternative<WrongResult>(by_number);
  while (is_wrong && seeds.size() > 1) seeds.pop_back();
  const auto left = work - std::min(work, measured.result.work);
  auto runs = sim_bench_of(place).run_in_schedules(*place.program, launch, expected.before,
                                                   measured, seeds, left);
  const auto replay = fmt::format("warpgrade grade {}/{} --file {} --seed {}", task.lab->id,
                                  task.exercise->id, task.submission.shown, services.seed);
  for (auto& run : runs) {
    if (!run.diagnostics.empty()) {
      add_replay(run.diagnostics, replay);
      return FoundFaults{std::move(run.diagnostics)};
    }
    if (is_wrong) break;
    auto difference = first_difference(*task.exercise, place.variables(), expected, run.buffers);
    if (!difference) continue;
    difference->text += ", " + schedule_text(replay);
    return WrongResult{std::move(*difference)};
  }
  return by_number;
}

}  // namespace

CaseOutcome simulate_case(const GradingServices& services, const GradingTask& task,
                          const GatePlan& plan, const Place& place, const CaseContents& contents,
                          const CaseLimits& limits) {
  const auto& exercise = *task.exercise;
  const auto& item = *place.item;
  RightResults right(*services.simulator.reference, task, place, contents, limits.threads);
  const auto launch =
      make_launch(exercise.parameters, exercise.launch, place.kernel->name, place.variables());
  auto buffers = right.buffers();
  const auto bytes = buffer_bytes(buffers);
  run::Options options;
  options.threads = limits.threads;
  options.block_budget = limits.work / kBlocksInACase;
  options.launch_budget = limits.work;
  CaseOutcome out;
  try {
    out.measured = sim_bench_of(place).measure(*place.program, *place.kernel, launch, buffers,
                                               options, [&] { return right.outputs(); });
  } catch (const base::UsageError& error) {
    return ended_by(NotLaunchable{error.what()});
  } catch (const base::ToolError& error) {
    return ended_by(NotSimulated{error.what()});
  }
  if (!out.measured.result.diagnostics.empty()) {
    add_limit(out.measured.result.diagnostics, item, right.expected(), limits.work);
    out.ending = FoundFaults{out.measured.result.diagnostics};
    return out;
  }
  right.give_back(buffers);
  if (auto difference = right.difference(buffers)) out.ending = WrongResult{std::move(*difference)};
  if (!item.measured || !is_right(out)) {
    out.ending = run_in_schedules(services, task, place, launch, right.expected(), out.measured,
                                  limits.work, std::move(out.ending));
    if (auto* found = std::get_if<FoundFaults>(&out.ending)) {
      add_limit(found->diagnostics, item, right.expected(), limits.work);
    }
  }
  if (is_right(out) && has_speed_gate(plan, *place.target, item)) {
    right.take_inputs(buffers);
    out.fraction_of_copy = quotient_of(sim_bench_of(place).copy_seconds(bytes, std::move(buffers)),
                                       out.measured.seconds);
  }
  return out;
}

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/whole_case.h"

#include <utility>

#include "common/base/error.h"
#include "grader/cases/outputs.h"
#include "grader/grade/plan/work_limits.h"

namespace warpgrade::grader::grade {

RightResults::RightResults(const Plan& plan, const CaseJob& job, const cases::SizedCase& sized)
    : plan_(plan), job_(job), sized_(sized) {
  auto& reference = *plan.services.simulator.reference;
  if (job.is_shared) {
    shared_ = reference.expected(plan.lab(), sized, job.variant, job.threads);
  } else {
    own_ = reference.make(plan.lab(), sized, job.variant, job.threads);
  }
}

std::vector<run::Buffer> RightResults::before(bool inputs_too) const {
  const auto& reference = *plan_.services.simulator.reference;
  return inputs_too ? reference.before(sized_, job_.variant)
                    : reference.outputs(sized_, job_.variant);
}

std::optional<verify::OutputDifference> RightResults::difference(
    const std::vector<run::Buffer>& got) {
  auto out = first_difference(sized_.buffers, expected(), got);
  if (!out || shared_) return out;
  // The content of an output before the launch shows whether it was written at all.
  cases::move_outputs(before(/*inputs_too=*/false), own_.before);
  return first_difference(sized_.buffers, expected(), got);
}

RightResults::Lent::Lent(RightResults& lender) : lender_(lender) {
  if (lender.shared_) {
    buffers_ = lender.shared_->before;
    return;
  }
  buffers_ = lender.before(/*inputs_too=*/false);
  cases::move_inputs(lender.own_.before, buffers_);
}

RightResults::Lent::~Lent() { give_back(); }

void RightResults::Lent::give_back() {
  if (is_lent_ && !lender_.shared_) cases::move_inputs(buffers_, lender_.own_.before);
  is_lent_ = false;
}

std::optional<verify::OutputDifference> RightResults::Lent::difference() {
  give_back();
  return lender_.difference(buffers_);
}

CaseOutcome run_whole(const CaseJob& job, const cases::SizedCase& sized, RightResults& right,
                      Timing timing, std::span<measure::CountedElsewhere> others) {
  const auto launches = launches_of(job.place, sized);
  RightResults::Lent lent(right);
  CaseOutcome out;
  run::Options options;
  options.threads = job.threads;
  options.block_budget = block_limit(job.work, right.expected().warp_instructions);
  options.launch_budget = job.work;
  try {
    auto& bench = sim_bench_of(job.place);
    const auto& program = *job.place.program;
    const auto before = [&](bool inputs_too) { return right.before(inputs_too); };
    out.measured = timing == Timing::kModelled
                       ? bench.measure(program, launches, lent.buffers(), options, before)
                       : bench.count(program, launches, lent.buffers(), options, before, others);
  } catch (const base::UsageError& error) {
    return ended_by(NotLaunchable{error.what()});
  } catch (const base::ToolError& error) {
    return ended_by(NotSimulated{error.what()});
  }
  auto& found = out.measured.result.diagnostics;
  if (!found.empty()) {
    add_limit(found, job, right.expected());
    out.ending = FoundFaults{found};
  } else if (auto difference = lent.difference()) {
    out.ending = WrongResult{std::move(*difference)};
  }
  return out;
}

void add_limit(std::vector<base::Diagnostic>& found, const CaseJob& job,
               const cases::Expected& expected) {
  for (auto& diagnostic : found) {
    if (diagnostic.kind != base::DiagnosticKind::kRunaway) continue;
    diagnostic.seen.limit = base::CaseLimit{job.place.item->name, job.work,
                                            block_limit(job.work, expected.warp_instructions),
                                            expected.warp_instructions};
  }
}

}  // namespace warpgrade::grader::grade

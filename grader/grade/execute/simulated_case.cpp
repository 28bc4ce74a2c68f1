// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/simulated_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/measure/sim_bench.h"
#include "common/sim/memory/sparse_buffer.h"
#include "common/sim/simulator.h"
#include "grader/cases/reference.h"
#include "grader/cases/sampled_outputs.h"
#include "grader/cases/sized_case.h"
#include "grader/cases/submission.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/plan/target.h"

namespace warpgrade::grader::grade {

/// Adds to a runaway's diagnostic the limit of the case, and the work of the course's own kernel.
static void add_limit(std::vector<base::Diagnostic>& found, const CaseJob& job,
                      const cases::Expected& expected);

RightResults::RightResults(const Plan& plan, const CaseJob& job, const cases::SizedCase& sized)
    : plan_(plan), job_(job), sized_(sized) {
  auto& reference = *plan.services.simulator.reference;
  if (job.is_shared) {
    shared_ = reference.expected(plan.lab(), sized, job.planned.variant, job.threads);
  } else {
    own_ = reference.make(plan.lab(), sized, job.planned.variant, job.threads);
  }
}

std::vector<run::Buffer> RightResults::before(bool inputs_too) const {
  const auto& reference = *plan_.services.simulator.reference;
  return inputs_too ? reference.before(sized_, job_.planned.variant)
                    : reference.outputs(sized_, job_.planned.variant);
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
  const auto launches = launches_of(job.planned, sized);
  RightResults::Lent lent(right);
  CaseOutcome out;
  run::Options options;
  options.threads = job.threads;
  options.block_budget = block_limit(job.work, right.expected().warp_instructions);
  options.launch_budget = job.work;
  try {
    auto& bench = job.planned.target->sim();
    const auto& program = *job.planned.program;
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

static void add_limit(std::vector<base::Diagnostic>& found, const CaseJob& job,
                      const cases::Expected& expected) {
  for (auto& diagnostic : found) {
    if (diagnostic.kind != base::DiagnosticKind::kRunaway) continue;
    diagnostic.seen.limit = base::CaseLimit{job.planned.item->name, job.work,
                                            block_limit(job.work, expected.warp_instructions),
                                            expected.warp_instructions};
  }
}

namespace {

// A sample's share of the outputs may differ from its share of the blocks by this fraction.
constexpr double kMostUneven = 0.25;

// Larger launches are not timed as a whole before their results are right: checks need several
// times the memory of the buffers.
constexpr std::uint64_t kMostWholeBytes = std::uint64_t{64} << 20;

std::uint64_t pattern_bytes(const std::vector<run::Pattern>& patterns) {
  std::uint64_t sum = 0;
  for (const auto& pattern : patterns) sum += pattern.bytes;
  return sum;
}

CaseEnding ending_of(cases::SampledOutputs outputs, const GradingTask& task) {
  if (!outputs.modified_input.empty()) {
    base::Diagnostic found;
    found.kind = base::DiagnosticKind::kInputModified;
    found.where.file = task.submission.shown;
    found.message = fmt::format("writes to '{}', which is an input", outputs.modified_input);
    return FoundFaults{{std::move(found)}};
  }
  if (outputs.difference) return WrongResult{std::move(*outputs.difference)};
  return RightResult{};
}

// Whether a sample that is right, but not complete, becomes a complete launch with all its blocks.
CaseEnding run_all_blocks(const Plan& plan, const CaseJob& job, const cases::SizedCase& sized,
                          const run::Launch& launch, const std::vector<run::Pattern>& patterns,
                          const run::Options& options) {
  cases::AllBlocks all(sized, patterns);
  const auto result = job.planned.target->sim().run_in_parts(
      *job.planned.program, launch, patterns, options,
      [&](const std::vector<sim::SparseBuffer>& part) { all.add(part); });
  if (!result.diagnostics.empty()) return FoundFaults{result.diagnostics};
  auto& reference = *plan.services.simulator.reference;
  auto difference = all.difference(reference.launch(plan.lab(), sized));
  if (difference) return WrongResult{std::move(*difference)};
  return RightResult{};
}

}  // namespace

SampleRun run_sample(const Plan& plan, const CaseJob& job, const cases::SizedCase& sized,
                     measure::SampleUse use) {
  const auto& planned = job.planned;
  const auto launch = launches_of(planned, sized).first();  // A sequence is not sampled.
  const auto patterns =
      make_patterns(sized.buffers, sized.contents_seed(plan.services.seed ^ job.planned.variant));
  run::Options options;
  options.threads = job.threads;
  options.block_budget = job.work / kBlocksInACase;
  options.launch_budget = job.work;
  SampleRun out;
  std::vector<sim::SparseBuffer> buffers;
  try {
    buffers = sim::sparse_buffers(patterns);
    out.launch =
        planned.target->sim().measure_sample(*planned.program, *planned.kernels.front(), launch,
                                             buffers, options, job.planned.variant, use);
  } catch (const base::UsageError& error) {
    out.ending = NotLaunchable{error.what()};
    return out;
  } catch (const base::ToolError& error) {
    out.ending = NotSimulated{error.what()};
    return out;
  }
  if (!out.launch.result.diagnostics.empty()) {
    out.ending = FoundFaults{out.launch.result.diagnostics};
    return out;
  }
  auto& reference = *plan.services.simulator.reference;
  auto outputs = check_sample(
      sized, reference.launch(plan.lab(), sized), launch.grid, out.launch.executed(), buffers,
      use == measure::SampleUse::kResults ? cases::Thoroughness::kFew : cases::Thoroughness::kMore);
  const double share =
      static_cast<double>(out.launch.executed()) / static_cast<double>(base::volume(launch.grid));
  out.is_representative = (out.launch.time.is_even || out.launch.is_drawn_widely) &&
                          std::abs(outputs.done / share - 1) <= kMostUneven;
  const bool is_complete = outputs.is_complete;
  const bool has_no_gap = outputs.are_displaced_tiles;
  out.ending = ending_of(std::move(outputs), plan.task);
  if (is_complete || !std::holds_alternative<RightResult>(out.ending)) return out;
  if (use == measure::SampleUse::kTimeAndResults && !out.is_representative &&
      pattern_bytes(patterns) <= kMostWholeBytes) {
    return out;  // The caller executes the whole launch for its time, and compares its results.
  }
  if (use == measure::SampleUse::kResults && job.is_wrong_before()) {
    out.ending = NotChecked{"another case is wrong"};
    return out;
  }
  options.launch_budget = std::max(job.work, kLargeWork);
  // A run that would exceed its limit is not started.
  const auto expected = static_cast<double>(out.launch.result.work) / share;
  if (use == measure::SampleUse::kResults &&
      expected > static_cast<double>(options.launch_budget)) {
    if (has_no_gap) return out;
    base::Diagnostic found;
    found.kind = base::DiagnosticKind::kRunaway;
    out.ending = FoundFaults{{std::move(found)}};
    return out;
  }
  buffers.clear();
  try {
    out.ending = run_all_blocks(plan, job, sized, launch, patterns, options);
  } catch (const base::ToolError& error) {
    out.ending = NotSimulated{error.what()};
  }
  return out;
}

namespace {

// The ending of a case after runs in other orders; the order by number has given `by_number`
// without diagnostics. A case that is wrong by number needs a single further order. That order
// checks for races in global memory, and a race takes precedence over the wrong result.
CaseEnding run_in_schedules(const Plan& plan, const CaseJob& job, const cases::Expected& expected,
                            measure::Measurement& measured, CaseEnding by_number) {
  const auto& planned = job.planned;
  const auto seed = plan.services.seed;
  auto seeds = cases::schedule_seeds(seed, measured, cases::kMostGradedInstructions);
  const bool is_wrong = std::holds_alternative<WrongResult>(by_number);
  while (is_wrong && seeds.size() > 1) seeds.pop_back();
  const auto left = job.work - std::min(job.work, measured.result.work);
  auto runs =
      planned.target->sim().run_in_schedules(*planned.program, launches_of(planned, *planned.sized),
                                             expected.before, measured, seeds, left);
  const auto replay =
      fmt::format("{} grade {}/{} {} --seed {}", base::program_call(), plan.lab().id,
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
    auto difference = first_difference(planned.sized->buffers, expected, run.buffers);
    if (!difference) continue;
    WrongResult wrong{std::move(*difference)};
    wrong.seen.replay = replay;
    return wrong;
  }
  return by_number;
}

// A case that is too large to execute completely, unless its sample is not complete.
CaseOutcome simulate_large(const Plan& plan, const CaseJob& job) {
  auto ending = run_sample(plan, job, *job.planned.sized, measure::SampleUse::kResults).ending;
  // At such a large size, reaching the limit on work is not a fault.
  if (!is_runaway(ending)) return ended_by(std::move(ending));
  return ended_by(
      NotChecked{"its blocks take too long to be simulated, so nobody knows whether the result is "
                 "right. Grade it with --backend gpu"});
}

}  // namespace

bool can_be_shared(const std::vector<report::Gate>& gates, const PlannedCase& planned) {
  return planned.item->timed_variables || !needs_time(gates, *planned.target, *planned.item);
}

std::vector<CaseOutcome> execute_case(const Plan& plan, const CaseJob& job,
                                      const std::vector<const PlannedCase*>& others) {
  const auto& planned = job.planned;
  const auto& item = *planned.item;
  if (item.sampled) {  // The outcome depends on no profile.
    return std::vector<CaseOutcome>(1 + others.size(), simulate_large(plan, job));
  }
  auto limited = job;
  RightResults right(plan, limited, *planned.sized);
  if (!item.measured) limited.work = small_limit(planned, right.expected().warp_instructions);
  const auto timing = can_be_shared(plan.gates, planned) ? Timing::kNone : Timing::kModelled;
  std::vector<measure::CountedElsewhere> elsewhere;
  for (const auto* other : others) elsewhere.push_back({&other->target->profile(), other->program});
  auto out = run_whole(limited, *planned.sized, right, timing, elsewhere);
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

namespace {

// Whether the kernels of both cases have the same names. Each case points to kernels of its own
// program.
bool have_the_same_kernels(const PlannedCase& a, const PlannedCase& b) {
  return std::equal(a.kernels.begin(), a.kernels.end(), b.kernels.begin(), b.kernels.end(),
                    [](const auto* x, const auto* y) { return x->name == y->name; });
}

// Whether lanes that wait for other lanes of their warp, if any, wait alike on both devices.
bool wait_alike(const PlannedCase& a, const PlannedCase& b) {
  return !sim::may_wait_in_warp(*a.program) ||
         a.target->profile().has_independent_lanes() == b.target->profile().has_independent_lanes();
}

}  // namespace

SharedRuns::SharedRuns(const std::vector<report::Gate>& gates, std::span<const PlannedCase> cases)
    : cases_(cases) {
  // Compared once for each pair of programs: PTX may have megabytes.
  std::map<std::pair<const compile::Program*, const compile::Program*>, bool> alike;
  const auto are_alike = [&](const compile::Program* a, const compile::Program* b) {
    const auto [found, is_new] = alike.try_emplace({a, b}, a == b);
    if (is_new && a != b) found->second = sim::are_alike(*a, *b);
    return found->second;
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto is_served_by = [&](std::size_t first) {
      const auto& a = cases[first];
      const auto& b = cases[i];
      return first_[first] == first && a.item == b.item && can_be_shared(gates, a) &&
             can_be_shared(gates, b) && are_alike(a.program, b.program) &&
             have_the_same_kernels(a, b) && wait_alike(a, b);
    };
    std::size_t first = 0;
    while (first < i && !is_served_by(first)) ++first;
    first_.push_back(first);
    if (first != i) kept_[i];
  }
}

std::vector<std::size_t> SharedRuns::served_by(std::size_t index) const {
  std::vector<std::size_t> out;
  for (std::size_t i = index + 1; i < first_.size(); ++i) {
    if (first_[i] == index) out.push_back(i);
  }
  return out;
}

std::size_t SharedRuns::executions_of(const course::Case& item) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    if (is_first(i) && cases_[i].item == &item) ++count;
  }
  return count;
}

}  // namespace warpgrade::grader::grade

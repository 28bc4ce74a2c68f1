// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/sampled_case.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "common/base/error.h"
#include "common/sim/memory/sparse_buffer.h"
#include "grader/cases/case_buffers.h"
#include "grader/cases/sampled_outputs.h"
#include "grader/grade/plan/work_limits.h"

namespace warpgrade::grader::grade {
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
  const auto result = sim_bench_of(job.place).run_in_parts(
      *job.place.program, launch, patterns, options,
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
  const auto& place = job.place;
  const auto launch = launches_of(place, sized).first();  // A sequence is not sampled.
  const auto patterns =
      make_patterns(sized.buffers, sized.contents_seed(plan.services.seed ^ job.variant));
  run::Options options;
  options.threads = job.threads;
  options.block_budget = job.work / kBlocksInACase;
  options.launch_budget = job.work;
  SampleRun out;
  std::vector<sim::SparseBuffer> buffers;
  try {
    buffers = sim::sparse_buffers(patterns);
    out.launch = sim_bench_of(place).measure_sample(*place.program, *place.kernels.front(), launch,
                                                    buffers, options, job.variant, use);
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

}  // namespace warpgrade::grader::grade

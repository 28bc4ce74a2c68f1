// SPDX-License-Identifier: Apache-2.0
#include "grader/profile/profiling.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/ptx/instruction_facts.h"
#include "grader/cases/declared_arrays.h"
#include "grader/cases/schedules.h"
#include "grader/cases/skipped_barriers.h"
#include "grader/cases/student_terms.h"
#include "grader/profile/launch_pictures.h"
#include "grader/profile/time_advice.h"

namespace warpgrade::grader::profile {
namespace {

// Units of work (common/sim/work.h) that a block and a launch may use before they are called a
// runaway: ten seconds of one core, and five minutes.
constexpr std::uint64_t kBlockBudget = std::uint64_t{1} << 30;
constexpr std::uint64_t kLaunchBudget = std::uint64_t{1} << 35;
// Limits on a launch that is simulated beside a GPU: under a minute, and about 15 seconds if the
// card's own counters are missing.
constexpr std::uint64_t kBesideBudget = std::uint64_t{1} << 33;
constexpr std::uint64_t kBesideBudgetUncounted = std::uint64_t{1} << 31;
constexpr std::uint32_t kSamples = 21;  // odd, so that the median is one of them

// The seed of the further orders: any fixed number, so that the same command always prints the
// same.
constexpr std::uint64_t kOrderSeed = 1;

// Whether a right kernel could have other results in another order: by the order of atomics,
// clocks, addresses from malloc(), or the lanes that happen to be active together. Loads of flags
// between fences may be a lock, too.
bool may_depend_on_order(const ptx::Function& function) {
  using ptx::Opcode;
  using ptx::SpecialRegister;
  const auto& all = function.instructions;
  const bool has_fences = std::any_of(all.begin(), all.end(), [](const ptx::Instruction& in) {
    return ptx::facts(in).memory == ptx::MemoryRole::kFence;
  });
  return std::any_of(all.begin(), all.end(), [&](const ptx::Instruction& in) {
    const bool is_load = ptx::facts(in).memory == ptx::MemoryRole::kLoad;
    if (has_fences && is_load && ptx::is_strong(in)) return true;
    const auto special = [](const ptx::Operand& operand) {
      if (operand.kind != ptx::Operand::Kind::kSpecial) return false;
      const auto which = static_cast<SpecialRegister>(operand.index);
      return which >= SpecialRegister::clock && which <= SpecialRegister::smid;
    };
    return in.opcode == Opcode::atom || in.opcode == Opcode::red || in.opcode == Opcode::call ||
           in.opcode == Opcode::activemask || in.opcode == Opcode::mbarrier ||
           std::any_of(in.operands.begin(), in.operands.end(), special);
  });
}

// "out[5]": the first element that differs; empty if none does.
std::string first_differing_buffer(const std::vector<run::Buffer>& a,
                                   const std::vector<run::Buffer>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto& bytes = a[i].bytes;
    const auto other = std::mismatch(bytes.begin(), bytes.end(), b[i].bytes.begin()).first;
    if (other == bytes.end()) continue;
    const auto offset = static_cast<std::size_t>(other - bytes.begin());
    return fmt::format("{}[{}]", a[i].name, offset / std::max(a[i].element_bytes, 1U));
  }
  return {};
}

// Whether a right kernel could come out differently in another order; one whose PTX has no entry of
// its name may.
bool may_depend_on_order(const Prepared& prepared) {
  const auto& all = prepared.sequence.launches;
  return std::any_of(all.begin(), all.end(), [&](const run::Launch& launch) {
    const auto* function = prepared.function(launch.kernel);
    return function == nullptr || may_depend_on_order(*function);
  });
}

// Runs launches without findings so far in other orders of warps and blocks.
void run_in_schedules(const Prepared& prepared, measure::SimBench& bench,
                      const std::vector<run::Buffer>& before, const std::vector<run::Buffer>& after,
                      report::ProfileReport& report) {
  const auto seeds =
      cases::schedule_seeds(kOrderSeed, report.measurement, cases::kMostProfiledInstructions);
  for (auto& run : bench.run_in_schedules(prepared.program, prepared.sequence, before,
                                          report.measurement, seeds, kBlockBudget)) {
    if (report.warnings.empty()) report.warnings = run.warnings;
    if (!run.diagnostics.empty()) {
      cases::add_replay(run.diagnostics, "run the same command");
      report.diagnostics = std::move(run.diagnostics);
      return;
    }
    const auto where = first_differing_buffer(after, run.buffers);
    if (where.empty()) continue;
    auto remark = fmt::format(
        "{} comes out differently when warps and blocks run in another order. A GPU may run them "
        "in any order.",
        where);
    if (may_depend_on_order(prepared)) {
      remark +=
          " That is right only if any of the results is: sums of floats by atomics "
          "round differently, and positions from an atomic change.";
    } else {
      auto& race = report.diagnostics.emplace_back();
      race.kind = base::DiagnosticKind::kRace;
      race.where.file = report.file;
      race.message = std::move(remark) +
                     " Look for a place where one thread relies on another without a barrier.";
      return;
    }
    report.note += (report.note.empty() ? "" : " ") + remark;
    return;
  }
}

// Simulates the launches on `profile` and adds counters, time and lines to the report. Returns
// nullopt if that fails; the report has the reason.
std::optional<measure::Measurement> simulate_beside(const Prepared& prepared,
                                                    std::vector<run::Buffer> buffers,
                                                    const device::Profile& profile,
                                                    report::ProfileReport& report) {
  run::Options options;
  options.launch_budget =
      report.measurement.metrics.empty() ? kBesideBudgetUncounted : kBesideBudget;
  options.block_budget = std::min(kBlockBudget, options.launch_budget);
  auto& simulated = report.simulated;
  try {
    auto made =
        measure::sim_bench(profile)->measure(prepared.program, prepared.sequence, buffers, options);
    const auto& wrong = made.result.diagnostics;
    if (!wrong.empty()) {
      simulated.reason =
          fmt::format("{}: {}", base::name(wrong.front().kind), base::text(wrong.front()));
      return std::nullopt;
    }
    simulated.metrics = made.metrics;
    report.simulated_seconds = made.seconds;
    report.measurement.lines = made.lines;
    return made;
  } catch (const base::UsageError& error) {
    simulated.reason = error.what();
  } catch (const base::ToolError& error) {
    simulated.reason = error.what();
  }
  return std::nullopt;
}

// Adds the card's counters.
void add_counters(const Prepared& prepared, measure::GpuBench& bench,
                  const std::vector<run::Buffer>& before, report::ProfileReport& report) {
  auto counted = bench.count(prepared.program, prepared.sequence, before);
  report.counters_missing = std::move(counted.reason);
  report.measurement.metrics = std::move(counted.metrics);
}

// Barriers that some threads skip: a warning, and the cause of races.
void add_skipped_barriers(report::ProfileReport& report) {
  const auto& skipped = report.measurement.result.skipped_barriers;
  if (skipped.empty()) return;
  report.warnings.push_back(cases::skipped_barriers_warning(skipped, report.file));
  cases::explain_races(report.diagnostics, skipped);
}

// Adds the shapes of arrays as the file declares them.
void add_declared_shapes(report::ProfileReport& report) {
  if (report.diagnostics.empty() && report.warnings.empty()) return;
  const auto arrays = cases::declared_arrays(report.source);
  for (auto* all : {&report.diagnostics, &report.warnings}) {
    for (auto& one : *all) add_shapes(one, {}, arrays, report.source);
  }
}

// Adds the launches with their times; consecutive equal launches are one entry.
void add_launches(const Prepared& prepared, report::ProfileReport& report) {
  const auto& all = prepared.sequence.launches;
  if (prepared.sequence.is_one_launch()) return;
  const auto& seconds = report.measurement.launch_seconds;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const report::ProfiledStep step{run::kernel_text(all[i]), all[i].grid, all[i].block, 1,
                                    i < seconds.size() ? seconds[i] : 0};
    auto* last = report.launches.empty() ? nullptr : &report.launches.back();
    if (last == nullptr || last->kernel != step.kernel || last->grid != step.grid ||
        last->block != step.block) {
      report.launches.push_back(step);
      continue;
    }
    ++last->times;
    last->seconds += step.seconds;
  }
}

}  // namespace

report::ProfileReport profile(const ProfiledLaunch& asked, measure::SimBench& bench,
                              std::vector<run::Buffer>& buffers) {
  report::ProfileReport report;
  report.backend = run::Backend::kSim;
  const auto prepared = prepare(asked, bench.profile(), report, buffers);
  if (!prepared) return report;
  run::Options options;
  options.block_budget = kBlockBudget;
  options.launch_budget = kLaunchBudget;
  const auto before = buffers;
  report.measurement = bench.measure(prepared->program, prepared->sequence, buffers, options,
                                     [&](bool /*inputs_too*/) { return std::vector(before); });
  report.diagnostics = report.measurement.result.diagnostics;
  report.warnings = report.measurement.result.warnings;
  add_launches(*prepared, report);
  if (prepared->sequence.is_one_launch()) {
    report.time_advice = time_advice(bench.profile(), report.measurement,
                                     base::volume(prepared->sequence.first().grid));
  }
  if (asked.with_pictures) {
    report.pictures = draw_pictures(*prepared, bench.profile(), before, report.measurement);
  }
  if (report.diagnostics.empty()) run_in_schedules(*prepared, bench, before, buffers, report);
  add_skipped_barriers(report);
  add_declared_shapes(report);
  return report;
}

report::ProfileReport profile(const ProfiledLaunch& asked, measure::GpuBench& bench,
                              std::vector<run::Buffer>& buffers) {
  report::ProfileReport report;
  report.backend = run::Backend::kGpu;
  const auto prepared = prepare(asked, bench.profile(), report, buffers);
  if (!prepared) return report;
  const auto before = buffers;
  report.measurement = bench.measure(prepared->program, prepared->sequence, buffers, kSamples);
  report.diagnostics = report.measurement.result.diagnostics;
  add_launches(*prepared, report);
  if (!report.diagnostics.empty()) return report;
  add_counters(*prepared, bench, before, report);
  const auto simulated = simulate_beside(*prepared, before, bench.profile(), report);
  if (simulated && asked.with_pictures) {
    report.pictures = draw_pictures(*prepared, bench.profile(), before, *simulated);
  }
  return report;
}

}  // namespace warpgrade::grader::profile

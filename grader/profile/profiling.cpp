// SPDX-License-Identifier: Apache-2.0
#include "grader/profile/profiling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/base/text.h"
#include "common/device/profile.h"
#include "common/measure/bottleneck.h"
#include "common/measure/gpu_bench.h"
#include "common/measure/measurement.h"
#include "common/measure/sim_bench.h"
#include "common/memory/access_trace.h"
#include "common/memory/lines.h"
#include "common/ptx/instruction_facts.h"
#include "common/sim/simulator.h"
#include "common/timing/machine_costs.h"
#include "grader/cases/student_terms.h"
#include "grader/cases/submission.h"
#include "grader/grade/explain/explanation.h"
#include "grader/profile/prepared_launches.h"
#include "grader/report/pictures.h"
#include "grader/report/profile_report.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::profile {
namespace {

// Makes the pictures of a profiled launch: simulates a few of its blocks once more, with a trace.

// Limit on the work for the pictures: a second or two.
constexpr std::uint64_t kPictureWork = std::uint64_t{1} << 28;

std::vector<memory::TracedLine> trace(const Prepared& prepared, const device::Profile& profile,
                                      std::vector<run::Buffer>& buffers) {
  const auto& launch = prepared.sequence.first();
  const auto all = base::volume(launch.grid);
  memory::TraceLimits limits;
  run::Options options;
  options.blocks = {{0, std::min<std::uint64_t>(all, 2)}};
  if (all > 1) limits.blocks.push_back(1);
  if (all > 2) {
    limits.blocks.push_back(all - 1);
    options.blocks.push_back({all - 1, all});
  }
  options.launch_budget = kPictureWork;
  options.block_budget = kPictureWork;
  options.ignores_bad_addresses = true;
  sim::Simulator simulator(prepared.program);
  memory::AccessTrace traced(profile, limits,
                             timing::machine_accesses(simulator.function(launch.kernel), profile,
                                                      prepared.program.machine_code));
  options.observers = {&traced};
  simulator.launch(launch, buffers, options);
  return traced.lines();
}

// A buffer without several dimensions is one row.
void shape_as_buffer(const std::vector<run::Buffer>& buffers, report::PicturedLine& line) {
  const auto& memory = line.line.memory;
  if (line.line.operation.space != run::Space::kGlobal) return;
  for (const auto& buffer : buffers) {
    if (buffer.name != memory.name || buffer.bytes.size() != memory.bytes) continue;
    line.element_bytes = buffer.element_bytes;
    const auto elements = memory.bytes / buffer.element_bytes;
    line.columns = buffer.extents.empty() ? elements : buffer.extents.back();
    line.rows = elements / line.columns;
  }
}

}  // namespace

/// The requests of the first, second and last block, and the parts of the time. `buffers` have the
/// content before the launch; `measured` is the launch as simulated. Returns nullopt for a sequence
/// of launches, and if the simulator cannot run the launch.
static std::optional<report::Pictures> draw_pictures(const Prepared& prepared,
                                                     const device::Profile& profile,
                                                     std::vector<run::Buffer> buffers,
                                                     const measure::Measurement& measured) {
  if (!prepared.sequence.is_one_launch()) return std::nullopt;
  const auto& launch = prepared.sequence.first();
  report::Pictures out;
  out.grid = launch.grid;
  out.block = launch.block;
  out.devices = {grade::pictured_device(profile)};
  out.counted = measured.lines;
  report::TimedCase timed;
  timed.device = profile.name;
  timed.seconds = measured.seconds;
  timed.bound_by = measured.bound_by;
  timed.shares = measured.shares;
  timed.skew = measured.skew;
  if (measured.seconds > 0) out.times.push_back(std::move(timed));
  try {
    const auto arrays = cases::all_arrays(prepared.program.source);
    for (auto& line : trace(prepared, profile, buffers)) {
      auto& made = out.lines.emplace_back(
          grade::pictured_line(std::move(line), launch.grid, out.devices, arrays));
      shape_as_buffer(buffers, made);
    }
  } catch (const base::UsageError&) {  // The report has the reason.
    return std::nullopt;
  } catch (const base::ToolError&) {
    return std::nullopt;
  }
  return out;
}

namespace {

using timing::Bound;

using memory::kSectorBytes;
// The advice ignores a last wave of blocks with a smaller share of the time.
constexpr double kTail = 0.1;

// "No resource is busy for most of the time: waiting for global memory 61 %, dram 22 %, ..."
std::string composition_text(const measure::Measurement& measured) {
  constexpr double kLeast = 0.03;
  std::vector<std::pair<double, std::string>> parts;
  for (const auto& [name, seconds] : measured.parts.by_name()) {
    const double share = seconds / measured.seconds;
    if (share >= kLeast) parts.emplace_back(share, fmt::format("{} {:.0f} %", name, 100 * share));
  }
  if (parts.empty()) return {};
  std::ranges::sort(parts, std::greater());
  double busy = 0;
  for (const auto& [resource, seconds] : measured.parts.busy) busy = std::max(busy, seconds);
  std::string out = busy > 0.5 * measured.seconds ? "No resource is busy nearly all the time"
                                                  : "No resource is busy for most of the time";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out += (i == 0 ? ": " : ", ") + parts[i].second;
  }
  return out + '.';
}

std::vector<std::string> latency_texts(const device::Profile& profile,
                                       const measure::Measurement& measured) {
  const auto loads = measure::loads_in_flight(profile, measured);
  const auto& occupancy = measured.occupancy;
  const auto most = profile.sm.limits.warps;
  const auto few = fmt::format(
      "Each SM has {} bytes of loads in flight on average. It needs {} to saturate DRAM. ",
      text::number(std::round(loads.mean)), text::number(std::round(loads.needed)));
  if (measure::bottleneck(profile, measured) == measure::Bottleneck::kGrid) {
    return {few + fmt::format("The grid keeps {:.1f} warps resident on an SM on average, and {} "
                              "fit. Its last blocks run alone for {:.0f} % of the time. Launch "
                              "more blocks, or as many as fill the last wave.",
                              measure::resident_warps(profile, measured), occupancy.warps_per_sm,
                              100 * measured.parts.tail / measured.seconds)};
  }
  if (measure::waits_elsewhere(measured)) return {};
  if (loads.mean >= loads.needed) {
    return {
        "Enough loads are in flight to saturate DRAM. Warps wait at barriers for each other, or "
        "for results of their own instructions."};
  }
  if (occupancy.warps_per_sm >= most) {
    return {few +
            "Occupancy is already full, so each thread must issue more loads before using the "
            "first result."};
  }
  return {few + "Issue more loads per thread before using the first result, or run more warps.",
          fmt::format("An SM holds {} of {} at most, limited by {}.",
                      base::counted(occupancy.warps_per_sm, "warp"), most,
                      occupancy.limited_by == timing::Limit::kShared
                          ? "shared memory"
                          : timing::name(occupancy.limited_by))};
}

std::string conflicts_text(const measure::Measurement& measured) {
  double wavefronts = 0;
  double conflicts = 0;
  for (const auto* operation : {"ld", "st", "atom"}) {
    wavefronts += measured.metric(
        fmt::format("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum", operation));
    conflicts += measured.metric(
        fmt::format("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum", operation));
  }
  if (conflicts == 0) {
    return "No shared access has bank conflicts. Make fewer or wider accesses.";
  }
  return fmt::format("{:.0f} % of the shared wavefronts are bank conflicts.",
                     100 * conflicts / wavefronts);
}

// DRAM can be busy without moving many bytes: single sectors open a page each.
std::string dram_text(const device::Profile& profile, const measure::Measurement& measured) {
  constexpr double kSaturated = 0.8;
  const auto found =
      measured.metrics.find("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed");
  const auto busy = std::ranges::find(measured.shares, Bound::kDram, &timing::Share::resource);
  if (found == measured.metrics.end() || busy == measured.shares.end()) {
    return "DRAM is busy. Move fewer bytes.";
  }
  // A copy moves a known share of the peak in the time that DRAM is busy.
  const double moved = found->second / 100 * measured.seconds / busy->seconds;
  const double share = moved / profile.dram.efficiency;
  if (share >= kSaturated) return "DRAM is saturated. Move fewer bytes.";
  return fmt::format(
      "DRAM is busy, but moves only {:.0f} % of the bytes that it could. Let neighbouring blocks "
      "access neighbouring addresses, so that DRAM opens each of its pages once.",
      100 * share);
}

// The traffic of local memory; empty if it is a small part.
std::string local_text(const measure::Measurement& measured) {
  constexpr double kLeast = 0.05;  // of the sectors of L2, or of the bytes of DRAM
  const double sectors = measured.metric("warpgrade__local_lts_sectors.sum");
  const double all = measured.metric("lts__t_sectors_op_read.sum") +
                     measured.metric("lts__t_sectors_op_write.sum") + sectors;
  const double bytes = measured.metric("warpgrade__local_dram_bytes.sum");
  const double moved =
      measured.metric("dram__bytes_read.sum") + measured.metric("dram__bytes_write.sum");
  if (sectors <= kLeast * all && bytes <= kLeast * moved) return {};
  return fmt::format(
      "Local memory (arrays of a thread, spilled registers) moves {} between L1 and L2, {:.0f} % "
      "of "
      "all, and {} of DRAM's bytes. Keep fewer values per thread, or index arrays with constants.",
      text::with_prefix(kSectorBytes * sectors, "B"), 100 * sectors / all,
      text::with_prefix(bytes, "B"));
}

// The work of the limiting resource, and how to reduce it; empty if no advice applies.
std::string bound_text(const device::Profile& profile, const measure::Measurement& measured) {
  switch (measured.bound_by) {
    case Bound::kLaunchOverhead:
      return "The launch overhead is the longest part of the time. Do more work in one launch.";
    case Bound::kDram:
      return dram_text(profile, measured);
    case Bound::kBusiestPartition:
      return "One memory partition gets more requests than the others. Spread the accesses by "
             "another order of blocks, or another pitch.";
    case Bound::kConstantPasses:
      return "Lanes of a warp read different addresses of constant memory, which serves them one "
             "after the other. Use constant memory if all lanes read the same address, else shared "
             "or global memory.";
    case Bound::kSharedWavefronts:
      return conflicts_text(measured);
    case Bound::kTagLookups:
    case Bound::kL1Data:
      return "L1 is the bottleneck because single requests touch many lines. Let neighbouring "
             "lanes access neighbouring addresses.";
    case Bound::kSmPort:
      return "The path between L2 and the SMs is the bottleneck. Move fewer bytes: keep reused "
             "data in shared memory, and use whole sectors.";
    case Bound::kBusiestAtomicUnit:
      return "L2 executes atomics on one word, or on adjacent words, one after the other. Combine "
             "the values of a warp or a block first.";
    case Bound::kL2PartialWrites:
      return "L2 writes parts of sectors. Let each warp store whole sectors.";
    case Bound::kL2:
    case Bound::kL2Stores:
      return "L2 is the bottleneck. Use whole sectors, and keep reused data in registers or shared "
             "memory.";
    case Bound::kIssue:
      return "The schedulers issue an instruction nearly every clock. Execute fewer instructions "
             "per element.";
    case Bound::kXuPipe:
      return "The unit for special functions and conversions is the bottleneck. Execute fewer of "
             "them, or reuse each result.";
    case Bound::kFp64Pipe:
      return "The unit for doubles is the bottleneck. Use floats where their precision is enough.";
    case Bound::kFmaPipe:
      return "The unit for f32 arithmetic and 32-bit integer products is the bottleneck. Execute "
             "fewer of them per element.";
    case Bound::kFmaHeavyPipe:
      return "The unit for 32-bit integer products is the bottleneck. Use shifts, or move products "
             "out of the loop.";
    case Bound::kAluPipe:
      return "The unit for comparisons, logic and shifts is the bottleneck. Execute fewer of them, "
             "for example by unrolling a loop.";
    case Bound::kNone:
    case Bound::kBlocksNotFollowed:
    case Bound::kLatency:  // See latency_texts().
    case Bound::kMeasured:
    case Bound::kOccupancy:
      break;
  }
  return {};
}

// Blocks come in waves: as many as fit on the GPU run together.
std::string tail_text(const device::Profile& profile, const measure::Measurement& measured,
                      std::uint64_t blocks) {
  if (blocks < profile.sm.count) {
    return fmt::format("The grid has {} for {} SMs: the other SMs idle.",
                       base::counted(blocks, "block"), profile.sm.count);
  }
  const auto together = static_cast<double>(measured.occupancy.blocks_per_sm) * profile.sm.count;
  const double waves = static_cast<double>(blocks) / together;
  if (waves <= 1 || 1 - waves / std::ceil(waves) < kTail) return {};
  return fmt::format(
      "The grid is {:.2f} waves of {:.0f} blocks that run together: the last one "
      "fills {:.0f} % of the GPU.",
      waves, together, 100 * (waves - std::floor(waves)));
}

}  // namespace

std::vector<std::string> time_advice(const device::Profile& profile,
                                     const measure::Measurement& measured, std::uint64_t blocks) {
  if (measured.seconds <= 0 || measured.occupancy.blocks_per_sm == 0) return {};
  std::vector<std::string> out;
  const bool is_even = std::holds_alternative<std::monostate>(measured.skew);
  if (is_even && measured.bound_by == Bound::kLatency) {
    out = latency_texts(profile, measured);
    out.insert(out.begin(), composition_text(measured));
  }
  if (is_even) out.push_back(bound_text(profile, measured));
  out.push_back(local_text(measured));
  if (measured.bound_by != Bound::kLaunchOverhead)
    out.push_back(tail_text(profile, measured, blocks));
  std::erase_if(out, [](const std::string& text) { return text.empty(); });
  return out;
}

namespace {

// Units of work (common/sim/micro_op.h) that a block and a launch may use before they are called a
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
      cases::add_replay(run.diagnostics,
                        base::for_caller("run the same command", "make the same call"));
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

// Adds the shape of the buffer that a diagnostic names.
void add_shape(const std::vector<run::Buffer>& buffers, base::Diagnostic& diagnostic) {
  auto* place = base::place_of(diagnostic.facts);
  if (place == nullptr || place->memory != base::Place::Memory::kBuffer) return;
  const auto buffer = std::ranges::find(buffers, place->array, &run::Buffer::name);
  if (buffer == buffers.end() || buffer->extents.empty()) return;
  place->shape = base::ArrayShape{place->element_bytes, buffer->extents};
}

// Adds the shapes of the buffers, and of arrays as the file declares them.
void add_shapes_of_all(const std::vector<run::Buffer>& buffers, report::ProfileReport& report) {
  if (report.diagnostics.empty() && report.warnings.empty()) return;
  const auto arrays = cases::all_arrays(report.source);
  for (auto* all : {&report.diagnostics, &report.warnings}) {
    for (auto& one : *all) {
      add_shapes(one, {}, arrays, report.source);
      add_shape(buffers, one);
    }
  }
}

// The range of the true time. A launch is of no kind of kernel, so the error is that of all kinds.
std::optional<report::ProfileReport::Band> band_of(const device::Profile& profile,
                                                   const measure::Measurement& measured) {
  if (measured.seconds <= 0) return std::nullopt;
  const double error = profile.errors.speed;
  const auto& parts = measured.unmodelled;
  report::ProfileReport::Band out;
  out.low = std::max(0.0, measured.seconds / (1 + error) - parts.shorter());
  if (parts.longer() < timing::UnmodelledSet::kUnknown && error < 1) {
    out.high = measured.seconds / (1 - error) + parts.longer();
  }
  return out;
}

// The roofline of a launch that takes `seconds`, by its counts on the simulator.
std::optional<report::ProfileRoofline> roofline_on(const device::Profile& profile,
                                                   const measure::Measurement& simulated,
                                                   double seconds) {
  return report::roofline_of(profile, simulated.arithmetic, simulated.metrics, seconds);
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
  bench.follow_lines();
  const auto before = buffers;
  report.measurement = bench.measure(prepared->program, prepared->sequence, buffers, options,
                                     [&](bool /*inputs_too*/) { return std::vector(before); });
  report.diagnostics = report.measurement.result.diagnostics;
  report.warnings = report.measurement.result.warnings;
  add_launches(*prepared, report);
  report.roofline = roofline_on(bench.profile(), report.measurement, report.measurement.seconds);
  report.band = band_of(bench.profile(), report.measurement);
  if (prepared->sequence.is_one_launch()) {
    report.time_advice = time_advice(bench.profile(), report.measurement,
                                     base::volume(prepared->sequence.first().grid));
  }
  if (asked.with_pictures) {
    report.pictures = draw_pictures(*prepared, bench.profile(), before, report.measurement);
  }
  if (report.diagnostics.empty()) run_in_schedules(*prepared, bench, before, buffers, report);
  add_skipped_barriers(report);
  add_shapes_of_all(buffers, report);
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
  if (simulated) {
    report.roofline = roofline_on(bench.profile(), *simulated, report.measurement.seconds);
  }
  if (simulated && asked.with_pictures) {
    report.pictures = draw_pictures(*prepared, bench.profile(), before, *simulated);
  }
  return report;
}

}  // namespace warpgrade::grader::profile

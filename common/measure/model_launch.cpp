// SPDX-License-Identifier: Apache-2.0
#include "common/measure/model_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/error.h"
#include "common/check/checks.h"
#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/measure/measurement.h"
#include "common/memory/counters.h"
#include "common/ptx/module.h"
#include "common/run/launch.h"
#include "common/run/runner.h"
#include "common/sim/cluster.h"
#include "common/sim/memory/sparse_buffer.h"
#include "common/sim/simulator.h"
#include "common/timing/bound.h"
#include "common/timing/machine_costs.h"
#include "common/timing/model.h"
#include "common/timing/tracer.h"
#include "common/timing/waits.h"

namespace warpgrade::measure {
namespace {

/// The range of UndefinedRegister::number per kernel of a sequence; a kernel's registers beyond it
/// are ignored.
constexpr std::uint32_t kRegistersAKernel = 1U << 16;

bool is_told(const std::vector<base::Diagnostic>& all, const base::Diagnostic& one) {
  return std::any_of(all.begin(), all.end(), [&](const base::Diagnostic& other) {
    return other.kind == one.kind && other.where == one.where;
  });
}

// Adds up the results of a sequence's launches.
class Sum {
 public:
  Sum(const run::Sequence& sequence, const run::Options& options)
      : sequence_(sequence), options_(options) {
    for (const auto& launch : sequence.launches) {
      if (number_of(launch.kernel) == kernels_.size()) kernels_.push_back(launch.kernel);
    }
    counts_.resize(kernels_.size());
  }

  /// The options of the next launch, a launch of `kernel`.
  run::Options options_for(const std::string& kernel) {
    auto out = options_;
    if (sequence_.is_one_launch()) return out;
    out.launch_budget -= std::min(out.launch_budget, result_.work);
    out.block_budget = std::min(out.block_budget, out.launch_budget);
    out.variables = &variables_;
    const auto& garbage = options_.register_garbage;
    const auto begin = std::min(number_of(kernel) * kRegistersAKernel, garbage.size());
    const auto end = std::min<std::size_t>(begin + kRegistersAKernel, garbage.size());
    out.register_garbage.assign(garbage.begin() + static_cast<std::ptrdiff_t>(begin),
                                garbage.begin() + static_cast<std::ptrdiff_t>(end));
    return out;
  }

  /// Returns false if no launch may follow.
  bool add(std::size_t index, run::Result launch) {
    const auto kernel = number_of(sequence_.launches[index].kernel);
    auto& counts = counts_[kernel];
    counts.resize(std::max(counts.size(), launch.instructions.size()));
    for (std::size_t i = 0; i < launch.instructions.size(); ++i) {
      counts[i].warps += launch.instructions[i].warps;
      counts[i].threads += launch.instructions[i].threads;
    }
    result_.seconds += launch.seconds;
    if (result_.printed.size() < run::kPrintedBytes) result_.printed += launch.printed;
    result_.work += launch.work;
    for (auto& one : launch.skipped_barriers) {
      auto& all = result_.skipped_barriers;
      const bool is_told = std::any_of(all.begin(), all.end(),
                                       [&](const auto& other) { return other.where == one.where; });
      if (!is_told) all.push_back(std::move(one));
    }
    for (auto& one : launch.undefined_registers) add_register(index, kernel, std::move(one));
    bool ended = true;
    for (auto& one : launch.diagnostics) {
      ended = ended && (is_undefined_read(one) || is_passed_over(one));
      if (is_undefined_read(one) && is_told(result_.diagnostics, one)) continue;
      one.seen.launch = run::place_of(sequence_, index);
      result_.diagnostics.push_back(std::move(one));
    }
    return ended;
  }

  run::Result take() {
    for (const auto& counts : counts_) {
      result_.instructions.insert(result_.instructions.end(), counts.begin(), counts.end());
    }
    std::sort(result_.undefined_registers.begin(), result_.undefined_registers.end(),
              [](const auto& a, const auto& b) { return a.number < b.number; });
    return std::move(result_);
  }

 private:
  // Whether the launch continues after this finding, according to the options.
  bool is_passed_over(const base::Diagnostic& found) const {
    return options_.ignores_bad_addresses && (found.kind == base::DiagnosticKind::kOutOfBounds ||
                                              found.kind == base::DiagnosticKind::kMisaligned);
  }

  std::size_t number_of(const std::string& kernel) const {
    return static_cast<std::size_t>(std::find(kernels_.begin(), kernels_.end(), kernel) -
                                    kernels_.begin());
  }

  void add_register(std::size_t index, std::size_t kernel, run::UndefinedRegister one) {
    if (!sequence_.is_one_launch() && one.number >= kRegistersAKernel) return;
    one.number += static_cast<std::uint32_t>(kernel * kRegistersAKernel);
    auto& all = result_.undefined_registers;
    const bool is_known = std::any_of(
        all.begin(), all.end(), [&](const auto& other) { return other.number == one.number; });
    if (is_known) return;
    one.diagnostic.seen.launch = run::place_of(sequence_, index);
    all.push_back(std::move(one));
  }

  const run::Sequence& sequence_;
  const run::Options& options_;
  std::vector<std::string> kernels_;
  std::vector<std::vector<run::InstructionCount>> counts_;  // by kernel and instruction
  std::vector<std::vector<std::byte>> variables_;
  run::Result result_;
};

// Runs one of the launches; an error of the simulator names it.
run::Result launch_named(sim::Simulator& simulator, const run::Sequence& sequence,
                         std::size_t index, std::vector<run::Buffer>& buffers,
                         const run::Options& options) {
  try {
    return simulator.launch(sequence.launches[index], buffers, options);
  } catch (const base::UsageError& error) {
    throw base::UsageError(run::in_launch(sequence, index, error.what()));
  }
}

}  // namespace

bool is_undefined_read(const base::Diagnostic& found) {
  return found.kind == base::DiagnosticKind::kUninitializedRead;
}

run::Result run_sequence(sim::Simulator& simulator, const run::Sequence& sequence,
                         std::vector<run::Buffer>& buffers, const run::Options& options,
                         const AroundLaunch& around) {
  Sum sum(sequence, options);
  for (std::size_t i = 0; i < sequence.launches.size(); ++i) {
    const auto& launch = sequence.launches[i];
    auto own = sum.options_for(launch.kernel);
    if (around.before) around.before(launch, own);
    auto result = launch_named(simulator, sequence, i, buffers, own);
    if (around.after) around.after(i, result);
    if (!sum.add(i, std::move(result))) break;
  }
  run::put_in_place(sequence, buffers);
  return sum.take();
}

void SequenceFindings::add(std::size_t index, const std::vector<base::Diagnostic>& found) {
  const bool had_fault = has_fault_;
  for (auto one : found) {
    if (is_undefined_read(one)) {
      if (!sequence_.is_one_launch() && is_told(all_, one)) continue;
    } else if (had_fault) {
      continue;
    } else {
      has_fault_ = true;
    }
    one.seen.launch = run::place_of(sequence_, index);
    all_.push_back(std::move(one));
  }
}

void keep_written(const check::Checks& checks, std::vector<run::Buffer>& buffers) {
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    auto& buffer = buffers[b];
    if (buffer.defined || buffer.bytes.empty()) continue;
    auto written = checks.written(static_cast<std::uint32_t>(b));
    buffer.defined = std::find(written.begin(), written.end(), false) == written.end();
    buffer.written = std::make_shared<const std::vector<bool>>(std::move(written));
  }
}

namespace {

/// The time model samples a launch of more warp instructions, even if its blocks differ.
constexpr std::uint64_t kMostTracedForAll = std::uint64_t{1} << 23;

/// A launch whose warps decide by what earlier blocks left is executed in full up to this number.
constexpr std::uint64_t kMostFound = 2 * kMostTracedForAll;

constexpr std::uint64_t kDrawnToTime = 32;
// A kernel that leaves out one of 64 blocks goes unseen with a probability of 1e-7.
constexpr std::uint64_t kDrawnForResults = 1024;
// Limit on the warp instructions of the blocks that are drawn beside those of the time model, and
// the limit for a launch that has few: its blocks are few or long, so the same number finds less.
constexpr std::uint64_t kMostForResults = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostOfFew = std::uint64_t{6} << 20;
constexpr std::uint64_t kFewInstructions = std::uint64_t{36} << 20;
// Warp instructions that the simulator executes in the time of a product of matrices.
constexpr std::uint64_t kInstructionsOfProduct = 32;
constexpr std::uint64_t kFirst = 16;
constexpr std::uint64_t kCorner = 8;
// Bytes of outputs that one part of run_in_parts() may write.
constexpr std::uint64_t kPartBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kDrawnWidely = 1024;
// A launch of fewer blocks is executed completely instead, unless its buffers are larger: checks
// need three times their memory.
constexpr std::uint64_t kFewestToDrawWidely = 8 * kDrawnWidely;
constexpr std::uint64_t kMostBytesOfAll = std::uint64_t{256} << 20;

// The ranges, grown to whole clusters of `extent` blocks. In a cluster of several rows, blocks are
// far apart, so all blocks of the grid are executed.
std::vector<run::BlockRange> whole_clusters(const std::vector<run::BlockRange>& ranges,
                                            const base::Dim3& extent, std::uint64_t blocks) {
  if (extent.y != 1 || extent.z != 1) return {{0, blocks}};
  std::vector<run::BlockRange> out;
  for (const auto& range : ranges) {
    const auto begin = range.begin / extent.x * extent.x;
    const auto end = (range.end + extent.x - 1) / extent.x * extent.x;
    if (!out.empty() && begin <= out.back().end) {
      out.back().end = std::max(out.back().end, end);
    } else {
      out.push_back({begin, end});
    }
  }
  return out;
}

// The ranges, grown to the blocks that must run together.
std::vector<run::BlockRange> executable(std::vector<run::BlockRange> ranges,
                                        const ptx::Function& function, const run::Launch& launch) {
  const auto blocks = base::volume(launch.grid);
  if (launch.cooperative) return {{0, blocks}};  // They wait for each other.
  const auto cluster = sim::cluster_of(function, launch);
  return cluster ? whole_clusters(ranges, *cluster, blocks) : std::move(ranges);
}

// Whether the traced blocks differ and the launch is too large to trace completely. More of its
// blocks must then be executed to find the work of a mean block.
bool asks_further_blocks(const SampledLaunch& sampled, const ptx::Function& function,
                         const run::Launch& launch, std::uint64_t bytes) {
  const auto blocks = base::volume(launch.grid);
  const bool is_small = blocks < kFewestToDrawWidely && bytes <= kMostBytesOfAll;
  if (sampled.time.is_even || is_small || launch.cooperative || sim::cluster_of(function, launch)) {
    return false;
  }
  return run::warp_instructions(sampled.result) / sampled.executed() * blocks > kMostTracedForAll;
}

// Whether a launch is small enough to execute all its blocks, without an end at its budget.
bool can_run_all(const SampledLaunch& sampled, const run::Launch& launch,
                 const run::Options& options) {
  const auto times = base::volume(launch.grid) / std::max<std::uint64_t>(sampled.executed(), 1) + 1;
  return run::warp_instructions(sampled.result) * times <= kMostFound &&
         sampled.result.work * times <= options.launch_budget / 2;
}

// `count` blocks drawn with `draw`, without those in `executed`; all others if they are not more.
std::vector<run::BlockRange> further_blocks(const std::vector<run::BlockRange>& executed,
                                            std::uint64_t count, std::uint64_t draw,
                                            std::uint64_t blocks) {
  timing::Sample sample;
  if (blocks - run::block_count(executed) <= count) {
    std::uint64_t begin = 0;
    for (const auto& range : executed) {
      sample.drawn.push_back({begin, range.begin});
      begin = range.end;
    }
    sample.drawn.push_back({begin, blocks});
    std::erase_if(sample.drawn, [](const auto& range) { return range.begin == range.end; });
    return sample.drawn;
  }
  sample.draw(count, draw, blocks);
  std::erase_if(sample.drawn,
                [&](const run::BlockRange& range) { return run::contains(executed, range.begin); });
  return sample.executed();
}

void append(const std::vector<run::BlockRange>& further, std::vector<run::BlockRange>& blocks) {
  blocks.insert(blocks.end(), further.begin(), further.end());
  std::ranges::sort(blocks, {}, &run::BlockRange::begin);
}

// Eight blocks or more in each corner of the grid. They hold the elements with the lowest and the
// highest offsets in most orders of blocks, so that an offset which wraps shows. Clusters cannot be
// drawn later, see run_for_results().
std::vector<run::BlockRange> blocks_in_corners(const ptx::Function& function,
                                               const run::Launch& launch, std::uint64_t draw) {
  const auto blocks = base::volume(launch.grid);
  const std::uint64_t row = std::min<std::uint64_t>(launch.grid.x, blocks);
  timing::Sample sample;
  if (sim::cluster_of(function, launch)) sample.draw(kDrawnForResults, draw, blocks);
  sample.drawn.push_back({0, std::min(blocks, kFirst)});
  sample.drawn.push_back({row - std::min(row, kCorner), row});
  sample.drawn.push_back({blocks - row, blocks - row + std::min(row, kCorner)});
  return sample.executed();
}

// Warp instructions of the executed blocks. Products of matrices count by the time that they need.
std::uint64_t weighted_instructions(const run::Result& result, const ptx::Function& function) {
  auto sum = run::warp_instructions(result);
  for (std::size_t i = 0; i < result.instructions.size() && i < function.instructions.size(); ++i) {
    if (ptx::facts(function.instructions[i]).timing != ptx::Timing::kMatrix) continue;
    sum += (kInstructionsOfProduct - 1) * result.instructions[i].warps;
  }
  return sum;
}

// Up to kDrawnForResults blocks, fewer if the executed ones show that these take too long. For
// blocks that were timed, the limit is on warp instructions, since their work includes the trace.
std::uint64_t count_for_results(const SampledLaunch& sampled, const ptx::Function& function,
                                SampleUse use, std::uint64_t blocks, std::uint64_t budget) {
  const auto executed = std::max<std::uint64_t>(sampled.executed(), 1);
  if (use == SampleUse::kResults) {
    const auto left = budget / 2 - std::min(budget / 2, sampled.result.work);
    return std::min(kDrawnForResults, left / (sampled.result.work / executed + 1));
  }
  const auto per_block = weighted_instructions(sampled.result, function) / executed + 1;
  const auto most = per_block * blocks <= kFewInstructions ? kMostOfFew : kMostForResults;
  return std::min(kDrawnForResults, most / per_block);
}

// Executes further blocks of a launch for their results. Cooperative launches have none, and blocks
// of a cluster cannot run alone.
void run_for_results(sim::Simulator& simulator, const ptx::Function& function,
                     const run::Launch& launch, std::vector<sim::SparseBuffer>& buffers,
                     run::Options options, std::uint64_t draw, SampleUse use,
                     SampledLaunch& sampled) {
  if (launch.cooperative || sim::cluster_of(function, launch)) return;
  const auto blocks = base::volume(launch.grid);
  const auto count = count_for_results(sampled, function, use, blocks, options.launch_budget);
  options.blocks = further_blocks(sampled.blocks, count, draw * 0x9e3779b97f4a7c15U, blocks);
  if (options.blocks.empty()) return;
  options.observers.clear();
  options.launch_budget -= std::min(options.launch_budget, sampled.result.work);
  auto result = simulator.launch(launch, buffers, options);
  std::erase_if(result.diagnostics, is_undefined_read);
  sampled.result.diagnostics = std::move(result.diagnostics);
  sampled.result.work += result.work;
  append(options.blocks, sampled.blocks);
}

// Executing this many warp instructions in turns takes about half a second.
constexpr double kMostInTurns = 1 << 24;

// A launch whose sample has run in `options` as `out`, executed again on new buffers with blocks in
// turns: all blocks if they share a queue or wait for blocks outside the sample, else the first
// ones.
class InTurns {
 public:
  InTurns(const device::Profile& profile, const compile::Program& program,
          sim::Simulator& simulator, const run::Launch& launch, run::Options options)
      : profile_(profile),
        program_(program),
        simulator_(simulator),
        launch_(launch),
        options_(std::move(options)),
        blocks_(base::volume(launch.grid)) {}

  // DRAM's part comes from the blocks in `counted`.
  void run_all(std::vector<sim::SparseBuffer>& buffers, const std::vector<run::BlockRange>& counted,
               SampledLaunch& out) {
    const auto patterns = patterns_of(buffers);
    std::vector<std::uint64_t> buffer_bytes;
    for (const auto& pattern : patterns) buffer_bytes.push_back(pattern.bytes);
    buffers.clear();
    buffers = sim::sparse_buffers(patterns);
    const auto& function = simulator_.function(launch_.kernel);
    auto timed = timed_blocks(profile_, out.occupancy, function, launch_, /*draw=*/1);
    const auto accesses = timing::machine_accesses(function, profile_, program_.machine_code);
    timing::Observation observation(profile_, out.occupancy, std::move(timed.sample), counted,
                                    program_.machine_code, accesses);
    memory::Counters counters(profile_, accesses);
    options_.observers = {&counters};
    observation.attach_beside_counters(options_, blocks_);
    options_.turns = timing::turns_of(profile_, out.occupancy, pace_of(out));
    options_.blocks = {{0, blocks_}};
    out.blocks = options_.blocks;
    out.result = simulator_.launch(launch_, buffers, options_);
    std::erase_if(out.result.diagnostics, is_undefined_read);
    out.is_drawn_widely = true;
    if (!out.result.diagnostics.empty()) return;
    out.time = observation.estimate(out.result, counters, blocks_, buffer_bytes,
                                    timing::LaunchPlace::kFirst);
    timing::add_waits(profile_, function, out.result, 1, out.time);
  }

  void run_first(const std::vector<sim::SparseBuffer>& buffers, SampledLaunch& out) {
    options_.observers.clear();
    options_.turns = timing::turns_of(profile_, out.occupancy, pace_of(out));
    auto count = std::min<std::uint64_t>(blocks_, 2 * options_.turns->resident);
    const auto run = [&] {
      auto own = sim::sparse_buffers(patterns_of(buffers));
      options_.blocks = {{0, count}};
      return simulator_.launch(launch_, own, options_);
    };
    auto result = run();
    // Attempts of blocks that wait are work, too.
    const double per_block =
        static_cast<double>(run::warp_instructions(result)) / static_cast<double>(count);
    const auto most = static_cast<std::uint64_t>(kMostInTurns / std::max(per_block, 1.0));
    if (result.diagnostics.empty() && count < std::min(blocks_, most)) {
      count = std::min(blocks_, most);
      result = run();
    }
    if (result.diagnostics.empty()) {
      timing::add_waits(profile_, simulator_.function(launch_.kernel), result,
                        static_cast<double>(count) / static_cast<double>(blocks_), out.time);
    } else {
      out.time.unmodelled.add(timing::Unmodelled::kWaitsBetweenBlocks);
    }
  }

 private:
  // Without a pace before the first estimate.
  timing::Pace pace_of(const SampledLaunch& out) const {
    return timing::pace_of(simulator_.function(launch_.kernel), out.result,
                           static_cast<double>(out.executed()) / static_cast<double>(blocks_),
                           out.time);
  }

  static std::vector<run::Pattern> patterns_of(const std::vector<sim::SparseBuffer>& buffers) {
    std::vector<run::Pattern> patterns;
    for (const auto& buffer : buffers) patterns.push_back(buffer.pattern());
    return patterns;
  }

  const device::Profile& profile_;
  const compile::Program& program_;
  sim::Simulator& simulator_;
  const run::Launch& launch_;
  run::Options options_;
  std::uint64_t blocks_;
};

bool has_run_away(const run::Result& result) {
  return result.diagnostics.size() == 1 &&
         result.diagnostics.front().kind == base::DiagnosticKind::kRunaway;
}

}  // namespace

const compile::Kernel& kernel_of(const compile::Program& program, const run::Launch& launch) {
  const auto found =
      std::find_if(program.kernels.begin(), program.kernels.end(),
                   [&](const compile::Kernel& kernel) { return kernel.name == launch.kernel; });
  if (found != program.kernels.end()) return *found;
  throw base::UsageError(fmt::format("the program has no kernel called {}", launch.kernel));
}

timing::Occupancy occupancy_of(const device::Profile& profile, const compile::Kernel& kernel,
                               const run::Launch& launch) {
  return timing::occupancy(profile, static_cast<std::uint32_t>(base::volume(launch.block)),
                           kernel.resources.registers_per_thread,
                           kernel.resources.static_shared_bytes + launch.dynamic_shared_bytes,
                           kernel.resources.barriers);
}

std::string does_not_fit(const device::Profile& profile, const compile::Kernel& kernel,
                         const run::Launch& launch) {
  const auto threads = base::volume(launch.block);
  if (threads > profile.sm.limits.threads_per_block) {
    return fmt::format("{} threads a block, {} at most", threads,
                       profile.sm.limits.threads_per_block);
  }
  const auto shared = kernel.resources.static_shared_bytes + launch.dynamic_shared_bytes;
  if (shared > profile.shared.max_bytes_per_block) {
    return fmt::format("{} bytes of shared memory a block, {} at most", shared,
                       profile.shared.max_bytes_per_block);
  }
  const auto occupancy = occupancy_of(profile, kernel, launch);
  if (occupancy.blocks_per_sm > 0) return {};
  return fmt::format("{} threads of {} registers a block, limited by {}", threads,
                     kernel.resources.registers_per_thread, timing::name(occupancy.limited_by));
}

std::string not_resident(const device::Profile& profile, const compile::Kernel& kernel,
                         const run::Launch& launch) {
  if (launch.cluster && profile.compute.major < 9) {
    return fmt::format("{} has no thread block clusters: they need compute capability 9.0",
                       profile.name);
  }
  if (!launch.cooperative) return {};
  if (profile.compute.major < 6) {
    return fmt::format("{} has no cooperative launches: they need compute capability 6.0",
                       profile.name);
  }
  const auto occupancy = occupancy_of(profile, kernel, launch);
  const auto blocks = base::volume(launch.grid);
  const auto most = std::uint64_t{occupancy.blocks_per_sm} * profile.sm.count;
  if (blocks <= most) return {};
  return fmt::format(
      "the blocks of a cooperative launch must all be resident at once, and {} holds {} of them: "
      "{} "
      "on each of {} multiprocessors, limited by {}. The grid has {} blocks; the largest possible "
      "grid has {} (a card returns cudaErrorCooperativeLaunchTooLarge)",
      profile.name, most, occupancy.blocks_per_sm, profile.sm.count,
      occupancy.limited_by == timing::Limit::kShared ? "shared memory"
                                                     : timing::name(occupancy.limited_by),
      blocks, most);
}

TimedBlocks timed_blocks(const device::Profile& profile, const timing::Occupancy& occupancy,
                         const ptx::Function& function, const run::Launch& launch,
                         std::uint64_t draw) {
  const auto blocks = base::volume(launch.grid);
  TimedBlocks out;
  out.sample = timing::choose_sample(profile, occupancy.blocks_per_sm, blocks, launch.grid.x);
  out.sample.draw(kDrawnToTime, draw, blocks);
  out.executed = executable(out.sample.executed(), function, launch);
  return out;
}

SampledLaunch model_launch(const device::Profile& profile, const compile::Program& program,
                           const compile::Kernel& kernel, const run::Launch& launch,
                           std::vector<sim::SparseBuffer>& buffers, run::Options options,
                           std::uint64_t draw, SampleUse use) {
  SampledLaunch out;
  out.occupancy = occupancy_of(profile, kernel, launch);
  sim::Simulator simulator(program);
  const auto& function = simulator.function(launch.kernel);
  std::optional<timing::Observation> observation;
  if (use == SampleUse::kResults) {
    out.blocks = executable(blocks_in_corners(function, launch, draw), function, launch);
  } else {
    auto timed = timed_blocks(profile, out.occupancy, function, launch, draw);
    out.blocks = timed.executed;
    observation.emplace(profile, out.occupancy, std::move(timed.sample), std::move(timed.executed),
                        program.machine_code,
                        timing::machine_accesses(function, profile, program.machine_code));
    observation->attach(options);
  }
  options.blocks = out.blocks;
  out.result = simulator.launch(launch, buffers, options);
  // Only a full execution shows whether such a value matters.
  std::erase_if(out.result.diagnostics, is_undefined_read);
  const bool has_turns = !launch.cooperative && !sim::cluster_of(function, launch);
  const std::vector<run::BlockRange> all = {{0, base::volume(launch.grid)}};
  if (has_turns && observation && has_run_away(out.result) && timing::may_need_turns(function)) {
    InTurns(profile, program, simulator, launch, options).run_all(buffers, all, out);
    return out;
  }
  if (!out.result.diagnostics.empty()) return out;
  if (!observation) {
    run_for_results(simulator, function, launch, buffers, options, draw, use, out);
    return out;
  }
  std::vector<std::uint64_t> buffer_bytes;
  for (const auto& buffer : buffers) buffer_bytes.push_back(buffer.pattern().bytes);
  out.time = observation->estimate(out.result, buffer_bytes);
  const auto needs = timing::turn_needs(function, launch, out.result, out.executed(),
                                        observation->trace(), out.time.is_even);
  const bool finds = needs.finds && can_run_all(out, launch, options);
  if ((needs.queue || finds) && has_turns) {
    const auto counted = needs.queue ? all : out.blocks;
    InTurns(profile, program, simulator, launch, options).run_all(buffers, counted, out);
    return out;
  }
  const auto bytes = std::accumulate(buffer_bytes.begin(), buffer_bytes.end(), std::uint64_t{0});
  if (asks_further_blocks(out, function, launch, bytes)) {
    const auto further = further_blocks(out.blocks, kDrawnWidely, ~draw, base::volume(launch.grid));
    memory::Counters counters(profile,
                              timing::machine_accesses(function, profile, program.machine_code));
    options.observers = {&counters};
    options.blocks = further;
    options.launch_budget -= std::min(options.launch_budget, out.result.work);
    out.result = simulator.launch(launch, buffers, options);
    std::erase_if(out.result.diagnostics, is_undefined_read);
    append(further, out.blocks);
    out.time = observation->estimate_by_others(out.result, counters, run::block_count(further),
                                               buffer_bytes);
    out.is_drawn_widely = true;
  } else if (use == SampleUse::kTimeAndResults) {
    run_for_results(simulator, function, launch, buffers, options, draw, use, out);
  }
  if (needs.any() && !has_turns) {
    out.time.unmodelled.add(timing::Unmodelled::kWaitsBetweenBlocks);
  } else if (needs.waits) {
    InTurns(profile, program, simulator, launch, options).run_first(buffers, out);
  }
  return out;
}

run::Result run_in_parts(
    const compile::Program& program, const run::Launch& launch,
    const std::vector<run::Pattern>& patterns, run::Options options,
    const std::function<void(const std::vector<sim::SparseBuffer>& buffers)>& visit) {
  sim::Simulator simulator(program);
  const auto blocks = base::volume(launch.grid);
  std::uint64_t written = 0;
  for (const auto& pattern : patterns) written += pattern.read_only ? 0 : pattern.bytes;
  const bool is_together =
      launch.cooperative || sim::cluster_of(simulator.function(launch.kernel), launch).has_value();
  const auto parts = is_together ? 1 : std::clamp<std::uint64_t>(written / kPartBytes, 1, blocks);
  std::vector<std::vector<std::byte>> variables;
  options.variables = &variables;
  run::Result all;
  for (std::uint64_t part = 0; part < parts && all.diagnostics.empty(); ++part) {
    options.blocks = {{blocks * part / parts, blocks * (part + 1) / parts}};
    auto buffers = sim::sparse_buffers(patterns);
    auto result = simulator.launch(launch, buffers, options);
    all.work += result.work;
    options.launch_budget -= std::min(options.launch_budget, result.work);
    all.diagnostics = std::move(result.diagnostics);
    std::erase_if(all.diagnostics, is_undefined_read);
    if (all.diagnostics.empty()) visit(buffers);
  }
  return all;
}

std::uint64_t SampledLaunch::executed() const { return run::block_count(blocks); }

namespace {

double times(double all, double again) { return all > again ? all / (all - again) : 1; }

// Sets the bytes that DRAM moves: the footprint times the transfers per byte of a sample, because
// L2 evicts some bytes early, and those of local memory.
void set_dram(const device::Profile& profile, const memory::Traffic& footprint,
              const timing::DramTraffic& sampled, memory::Totals& totals) {
  const double read = sampled.local_read + static_cast<double>(footprint.dram_read_bytes) *
                                               times(sampled.read - sampled.local_read,
                                                     sampled.read_again - sampled.local_read);
  const double written = sampled.local_written +
                         static_cast<double>(footprint.dirty_bytes) *
                             times(sampled.written - sampled.local_written, sampled.written_again);
  totals.set_dram(
      static_cast<std::uint64_t>(read + sampled.filled) + profile.launch.dram_read_bytes,
      static_cast<std::uint64_t>(std::max(0.0, written - timing::l2_dirty(profile))));
}

// All blocks are counted, so a kernel gains nothing by knowing the draw.
constexpr std::uint64_t kDraw = 1;

// Warp instructions: tracing this many costs a tenth of a second and 40 MB.
constexpr std::uint64_t kMostTraced = std::uint64_t{1} << 20;

std::vector<std::uint64_t> sizes_of(const std::vector<run::Buffer>& buffers) {
  std::vector<std::uint64_t> out;
  for (const auto& buffer : buffers) out.push_back(buffer.bytes.size());
  return out;
}

}  // namespace

SequenceCounts::SequenceCounts(const device::Profile& profile, const compile::Program& program,
                               const std::vector<run::Buffer>& buffers, Timing timing,
                               bool follows_lines)
    : profile_(profile),
      program_(program),
      timing_(timing),
      follows_lines_(follows_lines),
      buffer_bytes_(sizes_of(buffers)),
      time_(profile),
      l2_(profile, buffer_bytes_) {}

void SequenceCounts::begin(const ptx::Function& function, const run::Launch& launch,
                           run::Options& options) {
  const auto occupancy = occupancy_of(profile_, kernel_of(program_, launch), launch);
  occupancy_ = occupancy;
  launch_ = launch;
  if (!has_begun_) sum_.occupancy = occupancy;
  has_begun_ = true;
  blocks_ = base::volume(launch.grid);
  auto accesses = timing::machine_accesses(function, profile_, program_.machine_code);
  options.observers.push_back(&counters_.emplace(profile_, accesses));
  options.multiprocessors = profile_.sm.count;
  options.independent_lanes = profile_.has_independent_lanes();
  if (timing_ == Timing::kNone) return;
  const bool has_turns = timing_ == Timing::kTurns || timing_ == Timing::kTurnsBySample;
  if (has_turns) {
    options.turns = timing::turns_of(profile_, occupancy, paces_.at(sum_.launch_seconds.size()));
  }
  auto timed =
      timing_ == Timing::kBySample || timing_ == Timing::kTurnsBySample
          ? timed_blocks(profile_, occupancy, function, launch, kDraw)
          : TimedBlocks{timing_ == Timing::kThird ? timing::third_of_chip(profile_, blocks_)
                                                  : timing::whole_launch(profile_, blocks_),
                        {}};
  if (timing_ != Timing::kBySample) timed.executed = {{0, blocks_}};
  observation_.emplace(profile_, occupancy, std::move(timed.sample), std::move(timed.executed),
                       program_.machine_code, std::move(accesses), follows_lines_);
  observation_->attach_beside_counters(options, blocks_);
}

void SequenceCounts::end(const ptx::Function& function, const run::Result& result) {
  counters_->add_spills(result.instructions);
  memory::Totals totals(*counters_, function, result);
  const auto traffic = counters_->traffic();
  const auto buffers = counters_->buffers();
  memory::add_lines(memory::by_line(*counters_, function), sum_.lines);
  memory::add_instructions(memory::instructions_by_line(function, result), sum_.instruction_lines);
  sum_.arithmetic += timing::Arithmetic(profile_, function, result, program_.machine_code);
  instructions_ += run::warp_instructions(result);
  if (timing_ != Timing::kNone) {
    auto time = observation_->estimate(result, *counters_, blocks_, buffer_bytes_, time_.place(),
                                       l2_.held(buffers));
    l2_.add(buffers);
    const auto needs =
        timing::turn_needs(function, launch_, result, blocks_, observation_->trace(), time.is_even);
    if (timing_ == Timing::kBySample) {
      paces_.push_back(timing::pace_of(function, result, 1, time));
    }
    const bool has_turns = !launch_.cooperative && !sim::cluster_of(function, launch_);
    if (has_turns) {
      needs_.waits |= needs.waits;
      needs_.queue |= needs.queue;
      timing::add_waits(profile_, function, result, 1, time);
      waits_ += result.waits;
      has_failed_ = has_failed_ || !result.diagnostics.empty();
    } else if (needs.waits) {
      time.unmodelled.add(timing::Unmodelled::kWaitsBetweenBlocks);
    }
    is_even_ = is_even_ && time.is_even;
    if (time.dram != timing::DramTraffic()) set_dram(profile_, traffic, time.dram, totals);
    sum_.launch_seconds.push_back(time_.add(time));
  }
  totals_ += totals;
  sum_.bytes += traffic.bytes_read + traffic.bytes_written;
  sum_.read_bytes.resize(std::max(sum_.read_bytes.size(), buffers.size()));
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    sum_.read_bytes[i] = std::max(sum_.read_bytes[i], buffers[i].read.bytes);
  }
}

bool SequenceCounts::has_shown_turns(const SequenceCounts& first) const {
  return !has_failed_ && (waits_ != 0 || first.needs_.queue);
}

Timing SequenceCounts::better_timing() const {
  if (timing_ == Timing::kBySample && needs_.any()) {
    return instructions_ > kMostTraced ? Timing::kTurnsBySample : Timing::kTurns;
  }
  if (timing_ != Timing::kBySample || is_even_ || instructions_ > kMostTracedForAll) {
    return Timing::kNone;
  }
  return instructions_ > kMostTraced ? Timing::kThird : Timing::kWhole;
}

void SequenceCounts::put_into(Measurement& measured) const {
  measured.occupancy = sum_.occupancy;
  measured.metrics = totals_.metrics();
  measured.lines = sum_.lines;
  measured.instruction_lines = sum_.instruction_lines;
  measured.arithmetic = sum_.arithmetic;
  measured.metrics.merge(sum_.arithmetic.metrics());
  measured.bytes = sum_.bytes;
  measured.read_bytes = sum_.read_bytes;
  measured.launch_seconds = sum_.launch_seconds;
  auto time = time_.total();
  measured.seconds = time.seconds;
  measured.bound_by = time.bound_by;
  measured.shares = std::move(time.shares);
  measured.parts = std::move(time.parts);
  measured.skew = time.skew;
  measured.unmodelled = time.unmodelled;
  measured.line_activity = std::move(time.lines);
  measured.timeline = std::move(time.timeline);
  measured.model_inputs = std::move(time.inputs);
  if (time.speed_of_light) measured.metrics.merge(time.speed_of_light->metrics(profile_));
}

}  // namespace warpgrade::measure

// SPDX-License-Identifier: Apache-2.0
#include "common/measure/model_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "common/base/error.h"
#include "common/measure/sequence_run.h"
#include "common/run/block_ranges.h"
#include "common/sim/cluster.h"
#include "common/sim/simulator.h"
#include "common/timing/machine_accesses.h"
#include "common/timing/observation.h"

namespace warpgrade::measure {
namespace {

constexpr std::uint64_t kDrawnToTime = 32;
constexpr std::uint64_t kDrawnForResults = 128;
constexpr std::uint64_t kFirst = 16;
constexpr std::uint64_t kDrawnWidely = 1024;
// A smaller launch is executed completely instead.
constexpr std::uint64_t kFewestToDrawWidely = 8 * kDrawnWidely;

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
                         const run::Launch& launch) {
  const auto blocks = base::volume(launch.grid);
  if (sampled.time.is_even || blocks < kFewestToDrawWidely || launch.cooperative ||
      sim::cluster_of(function, launch)) {
    return false;
  }
  return run::warp_instructions(sampled.result) / sampled.executed() * blocks > kMostTracedForAll;
}

// Blocks drawn with `draw` that are in none of `executed`.
std::vector<run::BlockRange> further_blocks(const std::vector<run::BlockRange>& executed,
                                            std::uint64_t draw, std::uint64_t blocks) {
  timing::Sample sample;
  sample.draw(kDrawnWidely, ~draw, blocks);
  std::erase_if(sample.drawn,
                [&](const run::BlockRange& range) { return run::contains(executed, range.begin); });
  return sample.executed();
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
                           kernel.resources.static_shared_bytes + launch.dynamic_shared_bytes);
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
  sim::Simulator simulator;
  simulator.load(program);
  const auto& function = simulator.function(launch.kernel);
  std::optional<timing::Observation> observation;
  if (use == SampleUse::kResults) {
    const auto blocks = base::volume(launch.grid);
    timing::Sample sample;
    sample.draw(kDrawnForResults, draw, blocks);
    // If a kernel's block index wraps, a block repeats the work of one of the first blocks. The
    // first blocks run too, so that the other block's own part does not look done.
    sample.drawn.push_back({0, std::min(blocks, kFirst)});
    out.blocks = executable(sample.executed(), function, launch);
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
  if (!out.result.diagnostics.empty() || !observation) return out;
  std::vector<std::uint64_t> buffer_bytes;
  for (const auto& buffer : buffers) buffer_bytes.push_back(buffer.pattern().bytes);
  out.time = observation->estimate(out.result, buffer_bytes);
  if (!asks_further_blocks(out, function, launch)) return out;
  const auto further = further_blocks(out.blocks, draw, base::volume(launch.grid));
  memory::Counters counters(profile,
                            timing::machine_accesses(function, profile, program.machine_code));
  options.observers = {&counters};
  options.blocks = further;
  options.launch_budget -= std::min(options.launch_budget, out.result.work);
  out.result = simulator.launch(launch, buffers, options);
  std::erase_if(out.result.diagnostics, is_undefined_read);
  out.blocks.insert(out.blocks.end(), further.begin(), further.end());
  std::ranges::sort(out.blocks, {}, &run::BlockRange::begin);
  out.time = observation->estimate_by_others(out.result, counters, run::block_count(further),
                                             buffer_bytes);
  out.is_drawn_widely = true;
  return out;
}

std::uint64_t SampledLaunch::executed() const { return run::block_count(blocks); }

}  // namespace warpgrade::measure

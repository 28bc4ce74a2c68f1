// SPDX-License-Identifier: Apache-2.0
#include "common/timing/model.h"

#include <algorithm>
#include <array>

namespace warpgrade::timing {
namespace {

using run::Operation;
using run::Space;

// How much of the shorter of two phases shows where barriers make blocks alternate between them.
// Set from the H200's transpose with 32-way conflicts, 8192 x 8192: 0.331 ms, of which shared
// passes are 0.265, the launch 0.004, and DRAM 0.126.
constexpr double kExposed = 0.5;

constexpr double kSectorBytes = 32;

/// Work / rate, 0 where the profile sets no limit.
double seconds(double work, double rate) { return rate > 0 ? work / rate : 0; }

/// The part of a launch's blocks that the busiest SM runs.
double busiest_share(std::uint64_t blocks, std::uint64_t sms) {
  if (blocks == 0) return 0;
  return static_cast<double>((blocks + sms - 1) / sms) / static_cast<double>(blocks);
}

}  // namespace

Work work_of(const memory::Counters& counters, const run::Launch& launch,
             const run::Result& result) {
  Work work;
  const memory::Traffic traffic = counters.traffic();
  work.dram_bytes = static_cast<double>(traffic.dram_read_bytes + traffic.dirty_bytes);
  work.l2_sectors = static_cast<double>(traffic.l2_read_sectors + traffic.l2_write_sectors +
                                        traffic.l2_atomic_sectors);
  for (const Operation operation :
       {Operation::kLoad, Operation::kStore, Operation::kAtomic, Operation::kReduction}) {
    const auto global = counters.total(Space::kGlobal, operation);
    const auto local = counters.total(Space::kLocal, operation);
    work.tag_lookups += static_cast<double>(global.lines + local.lines);
    // Loads that hit L1 do not use the port.
    const std::uint64_t moved =
        operation == Operation::kLoad ? counters.missed_load_sectors() : global.sectors;
    work.port_bytes += kSectorBytes * static_cast<double>(moved);
    if (operation == Operation::kStore) {
      work.l2_partial_writes = static_cast<double>(global.partial_sectors);
    }
    const auto shared = counters.total(Space::kShared, operation);
    work.shared_passes += static_cast<double>(shared.wavefronts);
  }
  for (const run::InstructionCount& count : result.instructions) {
    work.warp_instructions += static_cast<double>(count.warps);
  }
  work.blocks = base::volume(launch.grid);
  work.has_barriers = counters.block_barriers() != 0;
  return work;
}

Estimate estimate(const device::Profile& profile, const Work& work, const Occupancy& occupancy) {
  Estimate estimate;
  if (occupancy.blocks_per_sm == 0) {
    estimate.bound_by = "occupancy";
    return estimate;
  }
  // A clock of the busiest SM, as a rate for work that is summed over the chip.
  const double share = busiest_share(work.blocks, profile.sm_count);
  const double sm_rate = share > 0 ? profile.sm_clock_hz / share : 0;

  const std::array<Share, 5> memory = {{
      {"dram", seconds(work.dram_bytes, profile.dram_bytes_per_second * profile.dram_efficiency)},
      {"l2", seconds(work.l2_sectors, profile.l2_sectors_per_clock * profile.sm_clock_hz)},
      {"l2 partial writes", seconds(work.l2_partial_writes, profile.l2_partial_writes_per_second)},
      {"sm port", seconds(work.port_bytes, profile.port_bytes_per_clock_per_sm * sm_rate)},
      {"tag lookups", seconds(work.tag_lookups, profile.tag_lookups_per_clock_per_sm * sm_rate)},
  }};
  const Share shared = {"shared passes", seconds(work.shared_passes,
                                                 profile.shared_passes_per_clock_per_sm * sm_rate)};
  const Share issue = {"issue", seconds(work.warp_instructions,
                                        profile.warp_instructions_per_clock_per_sm * sm_rate)};
  const Share overhead = {"launch overhead", profile.launch_overhead_seconds};

  const auto shorter = [](const Share& a, const Share& b) { return a.seconds < b.seconds; };
  const double memory_phase = std::max_element(memory.begin(), memory.end(), shorter)->seconds;
  const double exposed = work.has_barriers ? kExposed * std::min(memory_phase, shared.seconds) : 0;
  estimate.seconds =
      std::max({memory_phase, shared.seconds, issue.seconds}) + exposed + overhead.seconds;

  estimate.shares.assign(memory.begin(), memory.end());
  estimate.shares.insert(estimate.shares.end(), {shared, issue, overhead});
  std::stable_sort(estimate.shares.begin(), estimate.shares.end(),
                   [&](const Share& a, const Share& b) { return shorter(b, a); });
  estimate.bound_by = estimate.shares.front().resource;
  return estimate;
}

Estimate estimate(const device::Profile& profile, const memory::Counters& counters,
                  const run::Launch& launch, const run::Result& result,
                  const Occupancy& occupancy) {
  return estimate(profile, work_of(counters, launch, result), occupancy);
}

}  // namespace warpgrade::timing

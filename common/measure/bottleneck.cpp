// SPDX-License-Identifier: Apache-2.0
#include "common/measure/bottleneck.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

#include "common/device/profile.h"
#include "common/measure/measurement.h"
#include "common/memory/lines.h"
#include "common/timing/bound.h"
#include "common/timing/model.h"

namespace warpgrade::measure {
namespace {

using timing::Bound;

// A grid is the limit if it keeps fewer than this share of the warps that fit resident. Blocks that
// end soon leave 0.7 to 0.9 of them, because their successors have to begin.
constexpr double kFilled = 0.65;
// So it is if the last blocks run alone for this share of the time.
constexpr double kTail = 0.25;

double share_of(const Measurement& measured, Bound resource) {
  const auto found = std::ranges::find(measured.shares, resource, &timing::Share::resource);
  return found == measured.shares.end() ? 0 : found->seconds;
}

// The limit of a launch in which warps mostly wait.
Bottleneck scarcity(const device::Profile& profile, const Measurement& measured) {
  const double fit = measured.occupancy.warps_per_sm;
  if (resident_warps(profile, measured) < kFilled * fit) return Bottleneck::kGrid;
  if (measured.parts.tail > kTail * measured.seconds) return Bottleneck::kGrid;
  const auto loads = loads_in_flight(profile, measured);
  if (waits_elsewhere(measured) || loads.mean >= loads.needed) return Bottleneck::kUnknown;
  return 2 * fit <= profile.sm.limits.warps ? Bottleneck::kOccupancy : Bottleneck::kInFlight;
}

}  // namespace

LoadsInFlight loads_in_flight(const device::Profile& profile, const Measurement& measured) {
  LoadsInFlight out;
  const double time = measured.seconds - share_of(measured, Bound::kLaunchOverhead);
  if (time <= 0) return out;
  const double load = std::min(1.0, share_of(measured, Bound::kDram) / time);
  const double latency =
      profile.dram.latency_seconds +
      load * (profile.dram.loaded_latency_seconds - profile.dram.latency_seconds);
  const double read = measured.metric("dram__bytes_read.sum");
  // L2 counts a sector from DRAM twice if it crosses to the half that the SM is at.
  const double crossed = (1 - 1.0 / profile.l2.halves) * (read - profile.launch.dram_read_bytes) /
                         memory::kSectorBytes;
  const double sectors = measured.metric("lts__t_sectors_op_read.sum") -
                         profile.launch.l2_read_sectors - std::max(0.0, crossed);
  out.mean = std::max(0.0, sectors) * memory::kSectorBytes * latency / time / profile.sm.count;
  const double moved = read + measured.metric("dram__bytes_write.sum");
  out.needed = (moved > 0 ? read / moved : 1) * profile.dram.bytes_per_second *
               profile.dram.efficiency * profile.dram.loaded_latency_seconds / profile.sm.count;
  return out;
}

double resident_warps(const device::Profile& profile, const Measurement& measured) {
  const auto active = measured.metrics.find("sm__warps_active.avg.pct_of_peak_sustained_active");
  if (active == measured.metrics.end()) return measured.occupancy.warps_per_sm;
  return active->second / 100 * profile.sm.limits.warps;
}

bool waits_elsewhere(const Measurement& measured) {
  const auto& parts = measured.parts;
  const auto memory = parts.waiting[static_cast<std::size_t>(timing::WarpState::kLongScoreboard)];
  const double waits = std::accumulate(parts.waiting.begin(), parts.waiting.end(), 0.0);
  const double idle = waits + parts.first_loads + parts.tail;
  return idle > 0 && memory + parts.first_loads < 0.5 * idle;
}

Bottleneck bottleneck(const device::Profile& profile, const Measurement& measured) {
  switch (measured.bound_by) {
    case Bound::kDram:
    case Bound::kBusiestPartition:
      return Bottleneck::kDram;
    case Bound::kL2:
    case Bound::kL2Stores:
    case Bound::kL2PartialWrites:
    case Bound::kBusiestAtomicUnit:
    case Bound::kSmPort:
      return Bottleneck::kL2;
    case Bound::kSharedWavefronts:
    case Bound::kL1Data:
    case Bound::kTagLookups:
      return Bottleneck::kL1;
    case Bound::kIssue:
    case Bound::kAluPipe:
    case Bound::kFmaPipe:
    case Bound::kFmaHeavyPipe:
    case Bound::kFp64Pipe:
    case Bound::kXuPipe:
    case Bound::kConstantPasses:
      return Bottleneck::kSm;
    case Bound::kLaunchOverhead:
      return Bottleneck::kLaunch;
    case Bound::kLatency:
      return scarcity(profile, measured);
    case Bound::kNone:
    case Bound::kBlocksNotFollowed:
    case Bound::kMeasured:
    case Bound::kOccupancy:
      break;
  }
  return Bottleneck::kUnknown;
}

}  // namespace warpgrade::measure

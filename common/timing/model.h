// SPDX-License-Identifier: Apache-2.0
// The time model: predicts the time of a launch on a profile and the resource that bounds it.
//
// A sample of the launch's blocks (sample.h) is traced during execution (tracer.h), reordered like
// machine code (schedule.h), and simulated on SMs with queues for shared resources (simulation.h).
// The launch overhead is added. The share of accesses below L1 that reach DRAM comes from the
// counters of all executed blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/timing/bound.h"
#include "common/timing/dram_demand.h"
#include "common/timing/dram_page_locality.h"
#include "common/timing/occupancy.h"
#include "common/timing/sample.h"
#include "common/timing/skew.h"
#include "common/timing/trace.h"
#include "common/timing/unmodelled.h"

namespace warpgrade::timing {

struct Share {
  Bound resource{};
  double seconds = 0;  ///< Time that it is busy; the longest need not be the bound.
};

struct TimeEstimate {
  double seconds = 0;
  Bound bound_by{};               ///< One of the resources; kOccupancy if no block fits.
  std::vector<Share> shares;      ///< Longest first, without idle resources.
  Skew skew = {};                 ///< Uneven work, if it is the cause of `bound_by`.
  DramTraffic dram = {};          ///< Zeros without an L2, or if the sizes of buffers are unknown.
  bool is_even = true;            ///< The traced blocks represent the others: see sample_bias.h.
  UnmodelledSet unmodelled = {};  ///< Makes `seconds` inexact.
};

/// The executed blocks of a launch that the counters have observed.
struct ExecutedPart {
  std::uint64_t blocks = 0;
  std::vector<std::uint64_t> buffer_bytes;  ///< Sizes of the launch's buffers; empty: unknown.
};

/// The position of a launch in a sequence, which determines its overhead.
enum class LaunchPlace : std::uint8_t { kFirst, kBehindAnother };

/// The time of a launch with the trace `trace` of `sample`, the neighbours observed by `locality`,
/// and the executed blocks observed by `counters`. If a block does not fit: 0 seconds, bound by
/// Bound::kOccupancy.
TimeEstimate estimate(const device::Profile& profile, const Sample& sample, const Trace& trace,
                      const DramPageLocality& locality, const memory::Counters& counters,
                      const ExecutedPart& executed, const Occupancy& occupancy,
                      LaunchPlace place = LaunchPlace::kFirst);

/// Multiplies the time by `times`; the bound becomes Bound::kBlocksNotFollowed.
void lengthen(TimeEstimate& estimate, double times);

}  // namespace warpgrade::timing

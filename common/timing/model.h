// SPDX-License-Identifier: Apache-2.0
// The time model: what a launch takes on a profile, and which resource bounds it.
//
// A sample of the launch's blocks (sample.h) is traced while it is executed (tracer.h), put in the
// order in which machine code would run (schedule.h), and simulated on multiprocessors with queues
// for what they share (simulation.h). The launch overhead comes on top. How much of what passes L1
// reaches DRAM is the counters' ratio for all blocks that were executed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/timing/dram_page_locality.h"
#include "common/timing/occupancy.h"
#include "common/timing/sample.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

struct Share {
  /// "dram", "busiest partition", "l2", "l2 stores", "l2 partial writes", "busiest atomic unit",
  /// "sm port", "tag lookups", "l1 data", "shared wavefronts", "issue", "alu pipe", "xu pipe",
  /// "fp64 pipe", "fmaheavy pipe", "launch overhead" or "latency": time in which none of the others
  /// is the reason; or "blocks not followed", see sample_bias.h.
  std::string resource;
  double seconds = 0;  ///< Time that it works; the longest need not bind.
};

struct TimeEstimate {
  double seconds = 0;
  std::string bound_by;       ///< One of the resources; "occupancy" where no block fits.
  std::vector<Share> shares;  ///< Longest first, without those of no use to the launch.
};

/// The blocks that were executed, of a launch that the counters have seen.
struct ExecutedPart {
  std::uint64_t blocks = 0;
  std::vector<std::uint64_t> buffer_bytes;  ///< Sizes of the launch's buffers; empty: not known.
};

/// Where a launch stands, which decides what it takes beside its execution.
enum class LaunchPlace : std::uint8_t { kFirst, kBehindAnother };

/// Time of a launch of which `trace` holds `sample`, of which `locality` has seen neighbours, and
/// of which `counters` has seen the blocks that were executed. Of a kernel whose block does not
/// fit: 0 seconds bound by "occupancy".
TimeEstimate estimate(const device::Profile& profile, const Sample& sample, const Trace& trace,
                      const DramPageLocality& locality, const memory::Counters& counters,
                      const ExecutedPart& executed, const Occupancy& occupancy,
                      LaunchPlace place = LaunchPlace::kFirst);

/// Whether the model asks `counters` at all: not of a card whose partitions see every access.
bool asks_counters(const device::Profile& profile);

/// Makes the launch take `times` as long, bound by "blocks not followed".
void lengthen(TimeEstimate& estimate, double times);

}  // namespace warpgrade::timing

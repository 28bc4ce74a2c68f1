// SPDX-License-Identifier: Apache-2.0
// The time model: what a launch takes on a profile, and which resource bounds it.
//
// A first model. Each resource needs a time for the launch's counts; resources work side by side,
// so the longest is the launch's, plus the launch overhead. There are two kinds:
// - of the chip: DRAM, L2 sectors, L2 writes of parts of sectors. Shared by all SMs.
// - of an SM: tag lookups, shared passes, issue, the port to L2. The SM with the most blocks
// counts,
//   ceil(blocks / SMs) of them: a launch of fewer blocks than SMs, or a last wave that is not full,
//   leaves the others idle.
// Blocks that meet at barriers alternate between the memory and the shared memory, and do not hide
// all of one behind the other: kExposed of the shorter of the two is added.
//
// Against times measured on an H200 (tests/golden/h200, transposes and copies of 1024 to 16384
// squared) that is within 15 %. Not modelled: latency, so a kernel whose loads are not in flight
// together (copy_scalar, 0.75 of the best copy) comes out as fast as one whose loads are; the order
// in which DRAM pages are touched (a padded transpose takes 1.1 times a copy on the card);
// occupancy beyond whether a block fits; partition camping; L2 misses on a second reading.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/run/launch.h"
#include "common/run/runner.h"
#include "common/timing/occupancy.h"

namespace warpgrade::timing {

struct Share {
  std::string resource;  ///< "dram", "l2", "l2 partial writes", "sm port", "tag lookups",
                         ///< "shared passes", "issue" or "launch overhead".
  double seconds = 0;
};

struct Estimate {
  double seconds = 0;
  std::string bound_by;       ///< Resource of the longest share.
  std::vector<Share> shares;  ///< Longest first.
};

/// What a launch asks of each resource, summed over the chip.
struct Work {
  double dram_bytes = 0;  ///< Read, and written in the long run.
  double l2_sectors = 0;
  double l2_partial_writes = 0;  ///< Sectors written but not in full.
  double port_bytes = 0;         ///< Between the SMs and what is below their L1.
  double tag_lookups = 0;
  double shared_passes = 0;
  double warp_instructions = 0;
  std::uint64_t blocks = 0;
  bool has_barriers = false;
};

/// The work of a launch that `counters` has watched.
Work work_of(const memory::Counters& counters, const run::Launch& launch,
             const run::Result& result);

/// Time of `work`; of a kernel whose block does not fit on an SM, 0 seconds bound by "occupancy".
Estimate estimate(const device::Profile& profile, const Work& work, const Occupancy& occupancy);

Estimate estimate(const device::Profile& profile, const memory::Counters& counters,
                  const run::Launch& launch, const run::Result& result, const Occupancy& occupancy);

}  // namespace warpgrade::timing

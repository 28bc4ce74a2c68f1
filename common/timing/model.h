// SPDX-License-Identifier: Apache-2.0
// The time model: what a launch takes on a profile, and which resource bounds it.
//
// A first model: the time that each resource needs for the launch's counts, of which the longest
// is the launch's, plus the launch overhead. It knows no latency and no overlap of phases.
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
  std::string resource;  ///< "dram", "l2", "l2 partial writes", "tag lookups", "shared passes", "issue".
  double seconds = 0;
};

struct Estimate {
  double seconds = 0;
  std::string bound_by;        ///< Resource of the longest share, or "launch overhead".
  std::vector<Share> shares;   ///< Longest first.
};

Estimate estimate(const device::Profile& profile, const memory::Counters& counters,
                  const run::Launch& launch, const run::Result& result,
                  const Occupancy& occupancy);

}  // namespace warpgrade::timing

// SPDX-License-Identifier: Apache-2.0
// Counters of one launch as a GPU's own profiler gives them, or the reason why there are none.
#pragma once

#include <string>

#include "common/memory/metrics.h"

namespace warpgrade::measure {

struct GpuCounters {
  memory::Metrics metrics;  ///< The names of memory::metric_names() that the profiler has, too.
  std::string reason;       ///< Why there are none, in words; empty where there are.
};

}  // namespace warpgrade::measure

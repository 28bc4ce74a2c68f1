// SPDX-License-Identifier: Apache-2.0
// Counters of one launch from the GPU's own profiler, or the reason why they are missing.
#pragma once

#include <string>

#include "common/memory/metrics.h"

namespace warpgrade::measure {

struct GpuCounters {
  memory::Metrics metrics;  ///< The names of memory::metric_names() that the profiler has, too.
  std::string reason;       ///< Why counters are missing; empty on success.
};

}  // namespace warpgrade::measure

// SPDX-License-Identifier: Apache-2.0
#include "common/measure/gpu_time.h"

#include "common/measure/model_launch.h"
#include "common/measure/statistics.h"

namespace warpgrade::measure {

void set_time(Measurement& measured, const device::Profile& profile,
              const std::vector<double>& seconds, const compile::Kernel& kernel,
              const run::Launch& launch) {
  if (!seconds.empty()) measured.seconds = median(seconds);
  measured.result.seconds = measured.seconds;
  measured.bound_by = "measured";
  measured.occupancy = occupancy_of(profile, kernel, launch);
}

}  // namespace warpgrade::measure

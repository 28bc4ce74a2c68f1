// SPDX-License-Identifier: Apache-2.0
#include "common/measure/gpu_time.h"

#include "common/measure/model_launch.h"
#include "common/measure/statistics.h"

namespace warpgrade::measure {

void set_time(Measurement& measured, const device::Profile& profile,
              const std::vector<double>& seconds, const compile::Program& program,
              const run::Sequence& sequence) {
  if (!seconds.empty()) measured.seconds = median(seconds);
  measured.result.seconds = measured.seconds;
  measured.bound_by = timing::Bound::kMeasured;
  const auto& first = sequence.first();
  measured.occupancy = occupancy_of(profile, kernel_of(program, first), first);
  if (sequence.is_one_launch()) measured.launch_seconds = {measured.seconds};
}

}  // namespace warpgrade::measure

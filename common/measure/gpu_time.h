// SPDX-License-Identifier: Apache-2.0
// Stores the time of launches on a GPU in their measurement.
#pragma once

#include <vector>

#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/measure/measurement.h"
#include "common/run/sequence.h"

namespace warpgrade::measure {

/// Sets the median of `seconds` (0 if empty) and the occupancy of the first launch.
void set_time(Measurement& measured, const device::Profile& profile,
              const std::vector<double>& seconds, const compile::Program& program,
              const run::Sequence& sequence);

}  // namespace warpgrade::measure

// SPDX-License-Identifier: Apache-2.0
// Makes the pictures of a profiled launch: simulates a few of its blocks once more, with a trace.
#pragma once

#include <optional>
#include <vector>

#include "common/device/profile.h"
#include "common/measure/measurement.h"
#include "grader/profile/prepared_launches.h"
#include "grader/report/pictures.h"

namespace warpgrade::grader::profile {

/// The requests of the first, second and last block, and the parts of the time. `buffers` have the
/// content before the launch; `measured` is the launch as simulated. Returns nullopt for a sequence
/// of launches, and if the simulator cannot run the launch.
std::optional<report::Pictures> draw_pictures(const Prepared& prepared,
                                              const device::Profile& profile,
                                              std::vector<run::Buffer> buffers,
                                              const measure::Measurement& measured);

}  // namespace warpgrade::grader::profile

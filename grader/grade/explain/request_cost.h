// SPDX-License-Identifier: Apache-2.0
// The cost of one traced request by the memory rules of a device.
#pragma once

#include "common/device/profile.h"
#include "common/memory/access_trace.h"
#include "grader/report/pictures.h"

namespace warpgrade::grader::grade {

/// Counts as the counters of `profile` would; atomics have the forms of the traced launch.
report::RequestCost cost_of(const device::Profile& profile, const memory::TracedLine& line,
                            const memory::TracedRequest& request);

}  // namespace warpgrade::grader::grade

// SPDX-License-Identifier: Apache-2.0
// Suggests changes that would shorten a launch, from the model's account of its time.
//
// Loads in flight follow Little's law: bytes per second times a load's latency, which grows with
// the load on DRAM. To saturate DRAM, its bandwidth times that latency must be in flight, minus the
// stores' share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/device/profile.h"
#include "common/measure/measurement.h"

namespace warpgrade::grader::profile {

/// Bytes of loads from beyond L1 that an SM has in flight, on average over a launch.
struct LoadsInFlight {
  double mean = 0;
  double needed = 0;  ///< Bytes per SM that keep DRAM busy.
};

/// The loads in flight in a simulated launch.
LoadsInFlight loads_in_flight(const device::Profile& profile, const measure::Measurement& measured);

/// Sentences, the limiting resource first, unless skew is the cause (see report/skew_text.h);
/// `blocks` is the grid's size. Empty for a launch that did not run.
std::vector<std::string> time_advice(const device::Profile& profile,
                                     const measure::Measurement& measured, std::uint64_t blocks);

}  // namespace warpgrade::grader::profile

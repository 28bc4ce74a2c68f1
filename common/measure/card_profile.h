// SPDX-License-Identifier: Apache-2.0
// The profile for the measured backend: this machine's GPU, with or without a named profile.
//
// A card with a named profile uses it, but compiles for its own generation. Any other card gets a
// profile called "gpu": the driver supplies limits, clocks, L2 size and memory bandwidth, and the
// nearest older generation supplies the memory rules. That generation also supplies the rest
// (latencies, throughputs), which does not affect measurements.
#pragma once

#include "common/device/profile.h"
#include "common/gpu/device_info.h"

namespace warpgrade::measure {

/// The name of a card without a profile, in reports and for --device.
inline constexpr const char* kUnknownCard = "gpu";

/// The newest profile that is not newer than the card; else the oldest one that counts sectors.
const device::Profile& nearest_profile(const gpu::DeviceInfo& info);

/// The profile of the GPU `info`; `unknown` ignores named profiles. A bandwidth that the driver
/// does not know is 0.
device::Profile card_profile(const gpu::DeviceInfo& info, bool unknown);

/// Whether WARPGRADE_CARD=unknown requests to treat this machine's GPU as one without a profile.
/// Throws base::UsageError for any other value.
bool is_card_unknown();

}  // namespace warpgrade::measure

// SPDX-License-Identifier: Apache-2.0
// The profile that the measured backend works with: this machine's GPU, known by name or not.
//
// A card whose product a profile names has that profile, compiled for by its own generation. Any
// other card has one called "gpu": limits, clocks, L2 and the bandwidth of its memory are what the
// driver says, and the rules of memory those of the nearest older generation. Nothing that is
// measured follows from the rest (latencies, throughputs), which is that generation's, too.
#pragma once

#include "common/device/profile.h"
#include "common/gpu/device_info.h"

namespace warpgrade::measure {

/// The name of a card without a profile, in reports and for --device.
inline constexpr const char* kUnknownCard = "gpu";

/// The newest profile that is not newer than the card; the oldest with sectors where all are.
const device::Profile& nearest_profile(const gpu::DeviceInfo& info);

/// The profile of the GPU `info`, `unknown` as if none named its product. A bandwidth that the
/// driver does not know is 0.
device::Profile card_profile(const gpu::DeviceInfo& info, bool unknown);

/// Whether WARPGRADE_CARD=unknown asks to treat this machine's GPU as one without a profile. Throws
/// base::UsageError where the variable holds anything else.
bool is_card_unknown();

}  // namespace warpgrade::measure

// SPDX-License-Identifier: Apache-2.0
// The profile and the CUDA toolkit for this machine's GPU, with or without a named profile.
//
// The driver supplies the card's limits, and the nearest older generation the memory rules. The
// driver and the generation determine the release series of the toolkit. CUDA 13 supports compute
// capability 7.5 and later, CUDA 12 supports 5.0 and later.
#pragma once

#include <cstdint>
#include <string>

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

// Chooses the CUDA toolkit that generates code for this machine's GPU.
//
// A driver loads machine code of its own release series and of older ones.

struct ToolkitChoice {
  std::uint32_t most = 0;  ///< The newest suitable series; 0: none.
  std::string why;         ///< The reason for an older series; empty otherwise.
};

ToolkitChoice toolkit_for(const gpu::DeviceInfo& info);

/// Restricts the compiler to suitable toolkits, see compile::limit_toolkit(). Throws
/// base::ToolError if none is installed; then any compiler remains allowed.
void choose_toolkit(const gpu::DeviceInfo& info);

}  // namespace warpgrade::measure

// SPDX-License-Identifier: Apache-2.0
// The number of blocks of a kernel that fit on one SM of a profile, and the limit.
#pragma once

#include <cstdint>
#include <string_view>

#include "common/device/profile.h"

namespace warpgrade::timing {

struct Occupancy {
  std::uint32_t blocks_per_sm = 0;  ///< 0: a block of the kernel does not fit.
  std::uint32_t warps_per_sm = 0;
  std::string_view limited_by;  ///< "warps", "blocks", "registers" or "shared".
};

/// `threads` per block, `registers` per thread, `shared_bytes` per block (static and dynamic).
Occupancy occupancy(const device::Profile& profile, std::uint32_t threads, std::uint32_t registers,
                    std::uint32_t shared_bytes);

}  // namespace warpgrade::timing

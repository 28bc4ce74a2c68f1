// SPDX-License-Identifier: Apache-2.0
// How many blocks of a kernel fit on one multiprocessor of a profile, and what limits them.
#pragma once

#include <cstdint>
#include <string_view>

#include "common/device/profile.h"

namespace warpgrade::timing {

struct Occupancy {
  std::uint32_t blocks_per_sm = 0;  ///< 0: a block of the kernel does not fit at all.
  std::uint32_t warps_per_sm = 0;
  std::string_view limited_by;  ///< "warps", "blocks", "registers" or "shared".
};

/// `threads` a block, `registers` a thread, `shared_bytes` a block (static and dynamic).
Occupancy occupancy(const device::Profile& profile, std::uint32_t threads, std::uint32_t registers,
                    std::uint32_t shared_bytes);

}  // namespace warpgrade::timing

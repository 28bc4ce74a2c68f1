// SPDX-License-Identifier: Apache-2.0
// The number of blocks of a kernel that fit on one SM of a profile, and the limit.
#pragma once

#include <cstdint>
#include <string_view>

#include "common/device/profile.h"

namespace warpgrade::timing {

/// The resource that limits the number of blocks on an SM.
enum class Limit : std::uint8_t { kNone, kWarps, kBlocks, kRegisters, kShared, kBarriers };

/// "warps", "blocks", "registers", "shared" or "barriers"; empty for kNone.
std::string_view name(Limit limit);

struct Occupancy {
  std::uint32_t blocks_per_sm = 0;  ///< 0: a block of the kernel does not fit.
  std::uint32_t warps_per_sm = 0;
  Limit limited_by{};
};

/// `threads` per block, `registers` per thread, `shared_bytes` (static and dynamic) and named
/// `barriers` per block.
Occupancy occupancy(const device::Profile& profile, std::uint32_t threads, std::uint32_t registers,
                    std::uint32_t shared_bytes, std::uint32_t barriers = 0);

}  // namespace warpgrade::timing

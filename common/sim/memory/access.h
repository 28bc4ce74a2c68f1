// SPDX-License-Identifier: Apache-2.0
// One memory access of a warp: its addresses, made safe and translated to host memory.
//
// Every byte that a simulated program reads or writes goes through here. An access that is not
// aligned, or that is not wholly inside one buffer, variable or the block's own shared or local
// memory, is a fault of the lane that made it, and nothing of it happens.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/sim/block.h"
#include "common/sim/micro_op.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {

struct Access {
  std::uint32_t mask = 0;  ///< Lanes of this access.
  run::Space space{};
  std::int64_t stride = run::kIrregular;  ///< See MemoryEvent::stride.
  std::byte* first = nullptr;  ///< Lane 0's host address where `stride` leads to all the others;
                               ///< else by_lane has each lane's.
  std::byte* by_lane[run::kWarpSize];

  /// Whether all 32 lanes lie side by side from `first` on, `bytes` each.
  bool is_row(std::int64_t bytes) const { return first != nullptr && stride == bytes; }
  /// Host address of a lane in `mask`.
  std::byte* host(std::uint32_t lane) const {
    return first == nullptr ? by_lane[lane] : first + static_cast<std::int64_t>(lane) * stride;
  }
};

/// Computes the addresses of `op` (into warp.address), checks `bytes` a lane and translates.
/// Lanes whose generic addresses lie in different spaces become accesses of their own: call again
/// with the lanes that are left, `mask` minus Access::mask. False: the warp has faulted.
bool translate(Warp& warp, const MicroOp& op, std::uint32_t mask, std::uint32_t bytes,
               Access& access);

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
// One memory access of a warp: its addresses, checked and translated to host memory.
//
// Every byte that a simulated program reads or writes passes through here. An access that is
// misaligned, or not entirely inside one array, is a fault of its lane and has no effect. The
// fault names the array that contains the access, or the nearest one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/run/observer.h"
#include "common/sim/block.h"
#include "common/sim/micro_op.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {

struct Access {
  std::uint32_t mask = 0;  ///< Lanes of this access.
  run::Space space{};
  std::int64_t stride = run::kIrregular;  ///< See MemoryEvent::stride.
  std::byte* first = nullptr;  ///< Host address of lane 0 if `stride` is set; nullptr: see by_lane.
  std::byte* by_lane[run::kWarpSize];

  /// Whether all 32 lanes are adjacent from `first` on, `bytes` each.
  bool is_row(std::int64_t bytes) const { return first != nullptr && stride == bytes; }
  /// Host address for one active lane.
  std::byte* host(std::uint32_t lane) const {
    return first == nullptr ? by_lane[lane] : first + static_cast<std::int64_t>(lane) * stride;
  }
};

/// Computes the addresses of `op` (in warp.address), checks `bytes` per lane, a power of two, and
/// translates. If generic addresses are in different spaces, each space is a separate access: call
/// again with the remaining lanes, `mask` minus Access::mask. Returns false if the warp has
/// faulted.
bool translate(Warp& warp, const MicroOp& op, std::uint32_t mask, std::uint32_t bytes,
               Access& access);

}  // namespace warpgrade::sim

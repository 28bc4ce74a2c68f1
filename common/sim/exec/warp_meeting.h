// SPDX-License-Identifier: Apache-2.0
// Meetings of a warp's lanes for an instruction that they execute together.
//
// A shuffle, a vote or a __syncwarp waits until all lanes in its member mask have arrived. Before
// Volta they must reach the same instruction. From Volta on, lanes also meet if they execute
// instructions of the same kind with the same mask in different places, such as the two branches of
// an `if`: the operands of all places are copied to scratch slots, the instruction is executed
// once, and its results are copied back. Different kinds or masks do not meet.
#pragma once

#include <cstdint>

#include "common/sim/micro_op.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {

/// The operands of a kind of instruction in bytes per lane: 1 is a predicate, 0 an absent operand.
/// The member mask is the source `members`.
struct MeetingOperands {
  Slot MicroOp::*members = &MicroOp::b;
  std::uint32_t d = 0;
  std::uint32_t a = 0;
  bool has_b_and_c = false;
  bool has_p = false;
};

/// The lanes of `lanes` that execute `op`, because its guard is true for them.
std::uint32_t executing(Warp& warp, const MicroOp& op, std::uint32_t lanes);

/// Whether all lanes that the running split's lanes name have arrived; otherwise the split waits.
/// Reports the barrier to the observers if `op` orders memory. A lane that is not in its own mask
/// has no defined result, so it faults.
bool gather(Warp& warp, const MicroOp& op, std::uint32_t mask, const MeetingOperands& operands);

/// The lanes that execute `op` after all have arrived.
inline std::uint32_t active_lanes(Warp& warp, const MicroOp& op) {
  return executing(warp, op, warp.mask);
}

}  // namespace warpgrade::sim

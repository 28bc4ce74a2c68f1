// SPDX-License-Identifier: Apache-2.0
// How lanes of a warp meet for an instruction that they execute together.
//
// A shuffle, a vote or a __syncwarp waits until all lanes that its member mask names are there.
// Before Volta they must come to the same instruction. Since Volta lanes meet that execute
// instructions of one kind with one mask in different places, as the two branches of an `if`: the
// operands of all places are copied to scratch slots, the instruction is executed once, and its
// results are copied back. Different kinds, or masks, do not meet.
#pragma once

#include <cstdint>

#include "common/sim/micro_op.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {

/// The operands of a kind of instruction, in bytes per lane: 1 is a predicate, 0 none. The member
/// mask is the source `members`.
struct MeetingOperands {
  Slot MicroOp::*members = &MicroOp::b;
  std::uint32_t d = 0;
  std::uint32_t a = 0;
  bool has_b_and_c = false;
  bool has_p = false;
};

/// The lanes of `lanes` that execute `op`: its guard holds for them.
std::uint32_t executing(Warp& warp, const MicroOp& op, std::uint32_t lanes);

/// Whether all lanes have come that the running split's lanes name; otherwise the split waits.
/// Reports the barrier to the observers if `op` orders memory. A lane that its own mask does not
/// name has no defined result: a fault.
bool gather(Warp& warp, const MicroOp& op, std::uint32_t mask, const MeetingOperands& operands);

/// The lanes that execute `op` once all have come.
inline std::uint32_t active_lanes(Warp& warp, const MicroOp& op) {
  return executing(warp, op, warp.mask);
}

}  // namespace warpgrade::sim

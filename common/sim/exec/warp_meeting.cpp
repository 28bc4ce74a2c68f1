// SPDX-License-Identifier: Apache-2.0
#include "common/sim/exec/warp_meeting.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "common/sim/block.h"
#include "common/sim/exec/lanes.h"

namespace warpgrade::sim {
namespace {

// The running split lacks lanes that its members name. Lanes may have different masks, for example
// of two tiles. Each lane continues as soon as all lanes in its mask have arrived, independent of
// other masks.
bool meet(Warp& warp, const MicroOp& op, const std::uint32_t* members) {
  const auto arrived = warp.arrived(op);
  auto complete = arrived;
  std::uint32_t awaited = 0;
  for (auto rest = executing(warp, op, arrived); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    if ((members[lane] & warp.live & ~arrived) == 0) continue;
    complete &= ~(1U << lane);
    if ((warp.mask >> lane & 1) != 0) awaited |= members[lane];
  }
  if ((complete & executing(warp, op, warp.mask)) == 0) complete &= ~warp.mask;
  return warp.gather(op, complete, awaited);
}

// Copies the lanes in `mask` of a slot; `bytes` as in MeetingOperands.
void copy_operand(Warp& warp, Slot to, Slot from, std::uint32_t bytes, std::uint32_t mask) {
  if (bytes == 0 || to == kNoSlot || from == kNoSlot) return;
  if (bytes == 1) {
    write_predicate(warp, to, mask, warp.predicate(from));
    return;
  }
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto at = static_cast<std::size_t>(std::countr_zero(rest)) * bytes;
    std::copy_n(warp.registers + from + at, bytes, warp.registers + to + at);
  }
}

// A place from which lanes have come to a meeting.
struct Part {
  const MicroOp* op = nullptr;
  std::uint32_t mask = 0;
};

// From Volta on, lanes meet that execute instructions of the same kind with the same mask in
// different places. If that completes the running split's lanes, executes the instruction for all
// of them.
bool meet_elsewhere(Warp& warp, const MicroOp& op, const std::uint32_t* members,
                    const MeetingOperands& operands) {
  const auto running = executing(warp, op, warp.mask);
  for (auto left = running; left != 0;) {
    const auto mask = members[std::countr_zero(left)];
    std::vector<Part> parts;
    const auto add = [&](const MicroOp& from, std::uint32_t lanes) {
      const auto* own = warp.lanes<std::uint32_t>(from.*operands.members);
      std::uint32_t here = 0;
      for (auto rest = executing(warp, from, lanes); rest != 0; rest &= rest - 1) {
        if (own[std::countr_zero(rest)] == mask) here |= rest & -rest;
      }
      if (here != 0) parts.push_back({&from, here});
      return here;
    };
    const auto own = add(op, running);
    auto all = own;
    for (const auto& entry : warp.waiting) {
      if (entry.for_block || entry.op->handler != op.handler) continue;
      all |= add(*entry.op, entry.split.mask);
    }
    left &= ~own;
    if ((mask & warp.live & ~all) != 0) continue;

    const auto scratch = warp.block->code->meeting;
    const auto place = [&](std::uint32_t number) { return scratch + number * kMeetingStride; };
    MicroOp joint = op;
    joint.guard = kNoSlot;
    if (operands.d != 0) joint.d = place(0);
    if (operands.a != 0) joint.a = place(1);
    if (operands.has_b_and_c) joint.b = place(2);
    if (operands.has_b_and_c) joint.c = place(3);
    if (operands.has_p) joint.p = place(4);
    joint.*operands.members = place(5);
    for (const auto& part : parts) {
      copy_operand(warp, joint.a, part.op->a, operands.a, part.mask);
      if (operands.has_b_and_c) {
        copy_operand(warp, joint.b, part.op->b, 4, part.mask);
        copy_operand(warp, joint.c, part.op->c, 4, part.mask);
      }
      copy_operand(warp, place(5), part.op->*operands.members, 4, part.mask);
    }
    if ((running & ~own) != 0) warp.split_off(running & ~own, warp.pc - 1);
    const auto kept = warp.mask;
    warp.mask = all;
    op.handler(warp, joint, all);
    warp.mask = kept;
    for (const auto& part : parts) {
      copy_operand(warp, part.op->d, joint.d, operands.d, part.mask);
      if (operands.has_p) copy_operand(warp, part.op->p, joint.p, 1, part.mask);
    }
    // Lanes with a false guard continue with the lanes that they waited with.
    for (const auto& entry : warp.waiting) {
      if (entry.for_block || (entry.split.mask & all) == 0) continue;
      const auto active = executing(warp, *entry.op, entry.split.mask);
      if ((active & ~all) == 0) all |= entry.split.mask;
    }
    warp.part(all & ~kept);
    return true;
  }
  return false;
}

}  // namespace

std::uint32_t executing(Warp& warp, const MicroOp& op, std::uint32_t lanes) {
  if (op.guard == kNoSlot) return lanes;
  const auto guard = warp.predicate(op.guard);
  return lanes & (op.guard_negated ? ~guard : guard);
}

bool gather(Warp& warp, const MicroOp& op, std::uint32_t mask, const MeetingOperands& operands) {
  const auto* members = warp.lanes<std::uint32_t>(op.*operands.members);
  std::uint32_t all = 0;
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    all |= members[lane];
    if ((members[lane] >> lane & 1) != 0) continue;
    warp.fault(base::DiagnosticKind::kDivergentBarrier, op, lane,
               fmt::format("lane {} executes this with the mask {:#010x}, which does not name lane "
                           "{} itself: the result is undefined; the mask of a warp-synchronous "
                           "call must contain exactly the lanes that make it",
                           lane, members[lane], lane));
    return false;
  }
  if ((all & warp.live & ~warp.mask) != 0) {
    const bool may_meet = warp.block->independent_lanes && !warp.waiting.empty() &&
                          warp.block->code->meeting != kNoSlot;
    if (may_meet && (all & warp.live & ~warp.arrived(op)) != 0 &&
        meet_elsewhere(warp, op, members, operands)) {
      return false;
    }
    if (!meet(warp, op, members)) return false;
  }
  if (!op.orders_memory) return true;
  // Lanes with different masks have not met.
  for (auto rest = executing(warp, op, warp.mask); rest != 0;) {
    const auto group = (members[std::countr_zero(rest)] & rest) | (rest & -rest);
    warp.block->tell({run::BarrierEvent::Scope::kWarp, op.instruction, warp.index, group});
    rest &= ~group;
  }
  return true;
}

}  // namespace warpgrade::sim

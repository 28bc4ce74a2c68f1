// SPDX-License-Identifier: Apache-2.0
// Joint instructions of a warp's lanes: shuffles, votes, matches, reductions, __syncwarp (PTX ISA
// 9.0, 9.7.9.7, 9.7.13). Each first waits for the lanes in its member mask.
//
// Before Volta the lanes must reach the same instruction. From Volta on, they also meet at
// instructions of the same kind with the same mask in different places.

#include "common/sim/warp.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "common/sim/block.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {
namespace {

// Meetings of a warp's lanes for an instruction that they execute together.
//
// A shuffle, a vote or a __syncwarp waits until all lanes in its member mask have arrived. Before
// Volta they must reach the same instruction. From Volta on, lanes also meet if they execute
// instructions of the same kind with the same mask in different places, such as the two branches of
// an `if`: the operands of all places are copied to scratch slots, the instruction is executed
// once, and its results are copied back. Different kinds or masks do not meet.

/// The operands of a kind of instruction in bytes per lane: 1 is a predicate, 0 an absent operand.
/// The member mask is the source `members`.
struct MeetingOperands {
  Slot MicroOp::*members = &MicroOp::b;
  std::uint32_t d = 0;
  std::uint32_t a = 0;
  bool has_b_and_c = false;
  bool has_p = false;
};

}  // namespace

/// The lanes of `lanes` that execute `op`, because its guard is true for them.
static std::uint32_t executing(Warp& warp, const MicroOp& op, std::uint32_t lanes);

/// Whether all lanes that the running split's lanes name have arrived; otherwise the split waits.
/// Reports the barrier to the observers if `op` orders memory. A lane that is not in its own mask
/// has no defined result, so it faults.
static bool gather(Warp& warp, const MicroOp& op, std::uint32_t mask,
                   const MeetingOperands& operands);

namespace {

/// The lanes that execute `op` after all have arrived.
std::uint32_t active_lanes(Warp& warp, const MicroOp& op) { return executing(warp, op, warp.mask); }

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

    const auto scratch = warp.block->parts.code.meeting;
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

static std::uint32_t executing(Warp& warp, const MicroOp& op, std::uint32_t lanes) {
  if (op.guard == kNoSlot) return lanes;
  const auto guard = warp.predicate(op.guard);
  return lanes & (op.guard_negated ? ~guard : guard);
}

static bool gather(Warp& warp, const MicroOp& op, std::uint32_t mask,
                   const MeetingOperands& operands) {
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
    const bool may_meet = warp.block->parts.options.independent_lanes && !warp.waiting.empty() &&
                          warp.block->parts.code.meeting != kNoSlot;
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

namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

enum class Shuffle { kUp, kDown, kButterfly, kIndex };

// The lane that `lane` reads: the pseudocode of the manual's shfl.sync. c contains the clamp value
// in bits 0 to 4 and the segment mask in bits 8 to 12.
template <Shuffle kMode>
bool source_lane(std::uint32_t lane, std::uint32_t b, std::uint32_t c, std::uint32_t& source) {
  const auto clamp = c & 0x1f;
  const auto segment = c >> 8 & 0x1f;
  const auto max_lane = (lane & segment) | (clamp & ~segment);
  const auto min_lane = lane & segment;
  b &= 0x1f;
  bool inside = false;
  if constexpr (kMode == Shuffle::kUp) {
    source = lane - b;
    inside = static_cast<std::int32_t>(source) >= static_cast<std::int32_t>(max_lane);
  } else if constexpr (kMode == Shuffle::kDown) {
    source = lane + b;
    inside = source <= max_lane;
  } else if constexpr (kMode == Shuffle::kButterfly) {
    source = lane ^ b;
    inside = source <= max_lane;
  } else {
    source = min_lane | (b & ~segment);
    inside = source <= max_lane;
  }
  if (!inside) source = lane;
  return inside;
}

// `lane` reads from `source`, which is not in its mask `members` or has not arrived.
void warn_of_source(Warp& warp, const MicroOp& op, std::uint32_t lane, std::uint32_t source,
                    std::uint32_t members) {
  constexpr auto kKind = base::DiagnosticKind::kUninitializedRead;
  if (warp.block->has_warning(kKind, op)) return;
  const auto why = (members >> source & 1) == 0
                       ? fmt::format("which its mask {:#010x} does not name", members)
                   : (warp.live >> source & 1) == 0 ? "which has ended or is not in the block"
                                                    : "which does not take part";
  warp.block->warning(
      kKind, op, warp.index * run::kWarpSize + lane,
      fmt::format("lane {} takes a value of lane {}, {}: what it gets is undefined. "
                  "Let every lane that is read take part, those without an element "
                  "with a value that changes nothing (0 in a sum)",
                  lane, source, why));
}

template <Shuffle kMode>
void shuffle(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* members = warp.lanes<std::uint32_t>(op.e);
  if (!gather(warp, op, mask, {&MicroOp::e, 4, 4, true, true})) return;
  mask = active_lanes(warp, op);
  const auto* a = warp.lanes<std::uint32_t>(op.a);
  const auto* b = warp.lanes<std::uint32_t>(op.b);
  const auto* c = warp.lanes<std::uint32_t>(op.c);
  std::uint32_t result[run::kWarpSize];
  std::uint32_t sources[run::kWarpSize];
  std::uint32_t inside = 0;
  auto in_all = mask;
  for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
    if (source_lane<kMode>(lane, b[lane], c[lane], sources[lane])) inside |= 1U << lane;
    result[lane] = a[sources[lane] & 31];
    in_all &= members[lane];
  }
  for (auto rest = in_all == run::kFullMask ? 0 : mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    if ((members[lane] & mask) >> sources[lane] & 1) continue;
    warn_of_source(warp, op, lane, sources[lane], members[lane]);
    std::fill_n(reinterpret_cast<std::byte*>(&result[lane]), sizeof result[lane],
                warp.block->parts.options.garbage);
  }
  auto* d = warp.lanes<std::uint32_t>(op.d);
  for_each_lane(mask, [&, d](std::uint32_t i) { d[i] = result[i]; });
  write_predicate(warp, op.p, mask, inside);
}

enum class Vote { kAll, kAny, kUniform, kBallot };

template <Vote kMode>
void vote(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* members = warp.lanes<std::uint32_t>(op.b);
  if (!gather(warp, op, mask, {&MicroOp::b, kMode == Vote::kBallot ? 4U : 1U, 1})) return;
  mask = active_lanes(warp, op);
  const auto predicate = warp.predicate(op.a);
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = std::countr_zero(rest);
    const auto group = members[lane] & mask;
    const auto yes = predicate & group;
    if constexpr (kMode == Vote::kBallot) {
      warp.lanes<std::uint32_t>(op.d)[lane] = yes;
    } else {
      const bool value = kMode == Vote::kAll   ? yes == group
                         : kMode == Vote::kAny ? yes != 0
                                               : yes == group || yes == 0;
      write_predicate(warp, op.d, 1U << lane, value ? run::kFullMask : 0);
    }
  }
}

// Bit i: lane i has `value`. All lanes are compared, so that the compiler vectorises the loop.
template <typename T>
std::uint32_t lanes_with(const T* a, T value) {
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < run::kWarpSize; ++i) {
    bits |= static_cast<std::uint32_t>(a[i] == value) << i;
  }
  return bits;
}

// match.any: the lanes with the same value; match.all: all lanes if they have the same value, else
// none.
template <typename T, bool kAll>
void match(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* members = warp.lanes<std::uint32_t>(op.b);
  if (!gather(warp, op, mask, {&MicroOp::b, 4, sizeof(T), false, true})) return;
  mask = active_lanes(warp, op);
  const T* a = warp.lanes<T>(op.a);
  std::uint32_t result[run::kWarpSize] = {};
  std::uint32_t values = 0;  // counted at the first lane with each
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = std::countr_zero(rest);
    const auto group = members[lane] & mask;
    const auto same = lanes_with(a, a[lane]) & group;
    result[lane] = kAll && same != group ? 0 : same;
    if (std::countr_zero(same) == lane) ++values;
  }
  for (auto* watcher : warp.block->watchers()) {
    watcher->on_match(warp.index, op.instruction, kAll ? 1 : values);
  }
  auto* d = warp.lanes<std::uint32_t>(op.d);
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = std::countr_zero(rest);
    d[lane] = result[lane];
    write_predicate(warp, op.p, 1U << lane, result[lane] != 0 ? run::kFullMask : 0);
  }
}

template <typename T>
T add(T a, T b) {
  return static_cast<T>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
template <typename T>
T min(T a, T b) {
  return b < a ? b : a;
}
template <typename T>
T max(T a, T b) {
  return a < b ? b : a;
}
std::uint32_t bit_and(std::uint32_t a, std::uint32_t b) { return a & b; }
std::uint32_t bit_or(std::uint32_t a, std::uint32_t b) { return a | b; }
std::uint32_t bit_xor(std::uint32_t a, std::uint32_t b) { return a ^ b; }

// The operations do not depend on the order of the lanes, so lanes of one group share a result.
template <typename T, auto F>
void reduce(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* members = warp.lanes<std::uint32_t>(op.b);
  if (!gather(warp, op, mask, {&MicroOp::b, 4, 4})) return;
  mask = active_lanes(warp, op);
  const T* a = warp.lanes<T>(op.a);
  T result[run::kWarpSize] = {};
  std::uint32_t last_group = 0;
  T value{};
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = std::countr_zero(rest);
    const auto group = members[lane] & mask;
    if (group != last_group) {
      last_group = group;
      value = a[lane];
      for (auto others = group & ~(1U << lane); others != 0; others &= others - 1) {
        value = F(value, a[std::countr_zero(others)]);
      }
    }
    result[lane] = value;
  }
  T* d = warp.lanes<T>(op.d);
  for_each_lane(mask, [&, d](std::uint32_t i) { d[i] = result[i]; });
}

void sync(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  gather(warp, op, mask, {&MicroOp::a});
}

// Selects the participating lane with the lowest number.
void elect(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* members = warp.lanes<std::uint32_t>(op.a);
  if (!gather(warp, op, mask, {&MicroOp::a, 4, 0, false, true})) return;
  mask = active_lanes(warp, op);
  auto* d = warp.lanes<std::uint32_t>(op.d);
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = std::countr_zero(rest);
    const auto leader = std::countr_zero(members[lane] & mask);
    d[lane] = static_cast<std::uint32_t>(leader);
    write_predicate(warp, op.p, 1U << lane, leader == lane ? run::kFullMask : 0);
  }
}

void activemask(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  auto* d = warp.lanes<std::uint32_t>(op.d);
  const auto active = warp.mask;
  for_each_lane(mask, [=](std::uint32_t i) { d[i] = active; });
}

Handler redux_handler(const Instruction& in) {
  const auto& m = in.modifiers;
  using U = std::uint32_t;
  using I = std::int32_t;
  if (in.types[0] == Type::kB32) {
    if (m.has(Modifier::and_)) return reduce<U, bit_and>;
    if (m.has(Modifier::or_)) return reduce<U, bit_or>;
    return m.has(Modifier::xor_) ? reduce<U, bit_xor> : nullptr;
  }
  const bool sign = in.types[0] == Type::kS32;
  if (m.has(Modifier::add)) return sign ? reduce<I, add<I>> : reduce<U, add<U>>;
  if (m.has(Modifier::min)) return sign ? reduce<I, min<I>> : reduce<U, min<U>>;
  if (m.has(Modifier::max)) return sign ? reduce<I, max<I>> : reduce<U, max<U>>;
  return nullptr;
}

}  // namespace

Handler warp_handler(const Instruction& in) {
  const auto& m = in.modifiers;
  switch (in.opcode) {
    case Opcode::shfl:
      if (m.has(Modifier::up)) return shuffle<Shuffle::kUp>;
      if (m.has(Modifier::down)) return shuffle<Shuffle::kDown>;
      if (m.has(Modifier::bfly)) return shuffle<Shuffle::kButterfly>;
      return m.has(Modifier::idx) ? shuffle<Shuffle::kIndex> : nullptr;
    case Opcode::vote:
      if (m.has(Modifier::all)) return vote<Vote::kAll>;
      if (m.has(Modifier::any)) return vote<Vote::kAny>;
      if (m.has(Modifier::uni)) return vote<Vote::kUniform>;
      return m.has(Modifier::ballot) ? vote<Vote::kBallot> : nullptr;
    case Opcode::match: {
      const bool wide = in.types[0] == Type::kB64;
      if (m.has(Modifier::all))
        return wide ? match<std::uint64_t, true> : match<std::uint32_t, true>;
      return wide ? match<std::uint64_t, false> : match<std::uint32_t, false>;
    }
    case Opcode::redux:
      return redux_handler(in);
    case Opcode::elect:
      return elect;
    case Opcode::activemask:
      return activemask;
    case Opcode::bar:
      return m.has(Modifier::warp) ? sync : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace warpgrade::sim

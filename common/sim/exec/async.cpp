// SPDX-License-Identifier: Apache-2.0
// cp.async, mbarrier, st.async and red.async (PTX ISA 9.0, 9.7.9.25, 9.7.13.15, 9.7.9.12 and
// 9.7.13.7).
//
// A copy happens at once, as a load from global and a store to shared memory. commit_group and the
// waits only notify the observers, which see the store at the copy and derive how long it may
// really take.
//
// barrier_object.h describes the content of an object. A token of arrive is the object's previous
// value. The observers do not see the end of a phase. They see an arrival as a release of the
// thread's earlier accesses, and a completed wait as an acquire.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "common/ptx/instruction_facts.h"
#include "common/sim/exec/barrier_object.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/exec/lanes.h"
#include "common/sim/memory/access.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::StateSpace;

void nothing(Warp&, const MicroOp&, std::uint32_t) {}

// The global side of a copy is op.b + op.target (a signed 32-bit offset).
MicroOp source_side(const MicroOp& op) {
  MicroOp source = op;
  source.a = op.b;
  source.offset = static_cast<std::int32_t>(op.target);
  source.space = StateSpace::kGlobal;
  source.operation = run::Operation::kLoad;
  return source;
}

// Reads `count` bytes per lane in `mask`, fewer than the copy's size. Returns false after a fault.
bool read_part(Warp& warp, const MicroOp& source, std::uint32_t mask, std::uint32_t count,
               std::byte (*data)[16]) {
  MicroOp last = source;
  last.offset += count - 1;
  Access end;
  if (!translate(warp, last, mask, 1, end)) return false;
  Access begin;
  if (!translate(warp, source, mask, 1, begin)) return false;
  warp.block->tell(warp, source, begin.space, mask, count, begin.stride, nullptr);
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (end.host(lane) - begin.host(lane) != static_cast<std::ptrdiff_t>(count - 1)) {
      warp.fault(base::DiagnosticKind::kOutOfBounds, source, lane,
                 "copies bytes that lie partly behind the end of a buffer; check the index "
                 "against the size before the copy");
      return false;
    }
    std::memcpy(data[lane], begin.host(lane), count);
  }
  return true;
}

// The target of cp.async is in the block's own shared memory.
bool is_own(Warp& warp, const MicroOp& op, std::uint32_t mask, const Access& to) {
  const auto others = to.space == run::Space::kCluster ? to.mask : mask & ~to.mask;
  if (others == 0) return true;
  warp.fault(base::DiagnosticKind::kOutOfBounds, op,
             static_cast<std::uint32_t>(std::countr_zero(others)),
             "copies to the shared memory of another block of the cluster, which cp.async cannot: "
             "load to a register and store, or use cp.async.bulk");
  return false;
}

template <std::uint32_t kBytes>
void copy(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  std::byte data[run::kWarpSize][16] = {};
  const auto source = source_side(op);
  // Groups lanes that read the same number of bytes; without an explicit size, these are all lanes.
  for (auto left = mask; left != 0;) {
    auto part = left;
    auto count = kBytes;
    if (op.c != kNoSlot) {
      const auto* size = warp.lanes<std::uint32_t>(op.c);
      count = size[std::countr_zero(left)];
      for (auto rest = left; rest != 0; rest &= rest - 1) {
        const auto lane = std::countr_zero(rest);
        if (size[lane] != count) part &= ~(1U << lane);
      }
    }
    left &= ~part;
    if (count == 0) continue;
    if (count < kBytes) {
      if (!read_part(warp, source, part, count, data)) return;
      continue;
    }
    Access from;
    if (!translate(warp, source, part, kBytes, from)) return;
    warp.block->tell(warp, source, from.space, from.mask, kBytes, from.stride, nullptr);
    for_each_lane(part, [&](std::uint32_t i) { std::memcpy(data[i], from.host(i), kBytes); });
  }
  Access to;
  if (!translate(warp, op, mask, kBytes, to)) return;
  if (!is_own(warp, op, mask, to)) return;
  std::byte packed[run::kWarpSize * kBytes];
  for_each_lane(mask, [&](std::uint32_t i) { std::memcpy(packed + i * kBytes, data[i], kBytes); });
  warp.block->tell(warp, op, to.space, mask, kBytes, to.stride, packed);
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto i = std::countr_zero(rest);
    std::memcpy(to.host(i), data[i], kBytes);
  }
}

// `lane` arrives at its object, whose phase is `phase`.
void tell_arrival(const Warp& warp, const MicroOp& op, std::uint32_t lane, std::uint64_t phase) {
  std::uint64_t phases[run::kWarpSize];
  phases[lane] = phase;
  warp.block->tell(run::OrderEvent{run::OrderEvent::Kind::kRelease, false, op.instruction,
                                   warp.index, 1U << lane, warp.address, phases});
}

// Calls body(object, lane) for the barrier object of each lane, in the order of the lanes.
template <typename Body>
void for_each_object(Warp& warp, const MicroOp& op, std::uint32_t mask, const std::byte* data,
                     const Body& body) {
  Access access;
  while (mask != 0) {
    if (!translate(warp, op, mask, 8, access)) return;
    if (access.space == run::Space::kCluster) {
      MicroOp uncounted = op;
      uncounted.is_bulk = true;  // a card counts no request for another block's object
      warp.block->tell(warp, uncounted, access.space, access.mask, 8, access.stride, data);
    } else {
      warp.block->tell(warp, op, access.space, access.mask, 8, access.stride, data);
    }
    for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      std::uint64_t object;
      std::memcpy(&object, access.host(lane), sizeof object);
      body(object, lane);
      std::memcpy(access.host(lane), &object, sizeof object);
    }
    mask &= ~access.mask;
  }
}

void init(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* count = warp.lanes<std::uint32_t>(op.b);
  std::uint64_t objects[run::kWarpSize];
  for (std::uint32_t i = 0; i < run::kWarpSize; ++i) {
    const auto arrivals = count[i] & kMostArrivals;
    objects[i] = BarrierObject{0, arrivals, arrivals, 0}.bits();
  }
  for_each_object(warp, op, mask, reinterpret_cast<const std::byte*>(objects),
                  [&](std::uint64_t& object, std::uint32_t lane) { object = objects[lane]; });
}

void tell_copies(const Warp& warp, const MicroOp& op, run::CopyEvent::Kind kind,
                 std::uint32_t mask) {
  warp.block->tell(run::CopyEvent{kind, op.instruction, warp.index, mask, op.target, warp.address});
}

void commit(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  tell_copies(warp, op, run::CopyEvent::Kind::kCommit, mask);
}

void wait_group(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  tell_copies(warp, op, run::CopyEvent::Kind::kWait, mask);
}

void wait_all(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  commit(warp, op, mask);
  wait_group(warp, op, mask);
}

// An arrival completes the phase although more bytes have arrived than were announced. On a card
// the phase may end before the copy does.
void fault_unannounced(Warp& warp, const MicroOp& op, std::uint32_t lane, std::int64_t bytes) {
  warp.fault(
      base::DiagnosticKind::kDeadlock, op, lane,
      fmt::format("all threads have arrived at the barrier object, but of its copies {} bytes "
                  "were never announced, so that nobody can wait for them: announce the bytes "
                  "of each copy in the same phase (barrier_arrive_tx(), or "
                  "mbarrier.arrive.expect_tx)",
                  bytes));
}

void fault_count(Warp& warp, const MicroOp& op, std::uint32_t lane) {
  warp.fault(base::DiagnosticKind::kTrap, op, lane,
             fmt::format("a barrier object counts {} bytes of copies at most in a phase",
                         kMostPendingBytes));
}

template <bool kDrop, bool kExpects>
void arrive(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  auto* token = op.d == kNoSlot ? nullptr : warp.lanes<std::uint64_t>(op.d);
  const auto* count = warp.lanes<std::uint32_t>(op.b);
  for_each_object(warp, op, mask, nullptr, [&](std::uint64_t& bits, std::uint32_t lane) {
    auto object = BarrierObject::of(bits);
    if (kExpects && !object.add_bytes(warp.lanes<std::uint32_t>(op.c)[lane])) {
      return fault_count(warp, op, lane);
    }
    if (token != nullptr) token[lane] = bits;
    const std::uint64_t arrivals = count[lane];
    if (kDrop && object.expected >= arrivals) object.expected -= arrivals;
    object.pending -= std::min(arrivals, object.pending);
    const auto phase = object.phase;
    if (object.pending == 0 && object.bytes_to_come < 0) {
      return fault_unannounced(warp, op, lane, -object.bytes_to_come);
    }
    object.end_phase_if_complete();
    bits = object.bits();
    tell_arrival(warp, op, lane, phase);
  });
}

// Explicit expect_tx and complete_tx: change the number of bytes that the phase waits for.
template <bool kCompletes>
void count_bytes(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* count = warp.lanes<std::uint32_t>(op.b);
  for_each_object(warp, op, mask, nullptr, [&](std::uint64_t& bits, std::uint32_t lane) {
    auto object = BarrierObject::of(bits);
    const std::int64_t bytes = count[lane];
    if (!object.add_bytes(kCompletes ? -bytes : bytes)) return fault_count(warp, op, lane);
    const auto phase = object.phase;
    object.end_phase_if_complete();
    bits = object.bits();
    if (kCompletes) tell_arrival(warp, op, lane, phase);
  });
}

// The handler of the access without .async.
Handler plain_handler(const Instruction& in) {
  const bool stores = ptx::facts(in).memory == ptx::MemoryRole::kStore;
  return stores ? memory_handler(in) : atomic_handler(in);
}

// st.async and red.async: an access, which happens at once, and then the object at op.e counts its
// bytes. Like a bulk copy, the observers see no access to the object.
void counted_access(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto& in = warp.block->code->function->instructions[op.instruction];
  MicroOp target_side = op;
  target_side.is_bulk = ptx::facts(in).memory ==
                        ptx::MemoryRole::kReduction;  // a card does not count it as an atomic
  plain_handler(in)(warp, target_side, mask);
  if (warp.status == WarpStatus::kFaulted) return;
  MicroOp object_side = op;
  object_side.a = op.e;
  object_side.offset = 0;
  object_side.operation = run::Operation::kAtomic;
  const std::int64_t bytes = std::int64_t{ptx::size_of(in.types[0])} * in.vector;
  Access access;
  for (auto left = mask; left != 0; left &= ~access.mask) {
    if (!translate(warp, object_side, left, 8, access)) return;
    for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      std::uint64_t bits = 0;
      std::memcpy(&bits, access.host(lane), sizeof bits);
      auto object = BarrierObject::of(bits);
      if (!object.add_bytes(-bytes)) return fault_count(warp, op, lane);
      const auto phase = object.phase;
      object.end_phase_if_complete();
      bits = object.bits();
      std::memcpy(access.host(lane), &bits, sizeof bits);
      tell_arrival(warp, op, lane, phase);
    }
  }
}

// cp.async.mbarrier.arrive: the object also waits for the copies, which are already done. Without
// .noinc it also waits for one more arrival, which is this one; together they have no effect.
template <bool kNoInc>
void arrive_behind_copies(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  Access access;
  for (auto left = mask; left != 0; left &= ~access.mask) {
    if (!translate(warp, op, left, 8, access)) return;
    tell_copies(warp, op, run::CopyEvent::Kind::kTrack, access.mask);
  }
  if constexpr (kNoInc) arrive<false, false>(warp, op, mask);
}

// test_wait and try_wait: whether the phase of the token, or with this parity, is complete.
template <bool kParity>
void test(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  std::uint32_t over = 0;
  std::uint64_t phases[run::kWarpSize];
  for_each_object(warp, op, mask, nullptr, [&](std::uint64_t& bits, std::uint32_t lane) {
    const auto phase = BarrierObject::of(bits).phase;
    bool is_over = false;
    if constexpr (kParity) {
      is_over = (phase & 1) != (warp.lanes<std::uint32_t>(op.b)[lane] & 1);
    } else {
      is_over = phase != BarrierObject::of(warp.lanes<std::uint64_t>(op.b)[lane]).phase;
    }
    if (!is_over) return;
    over |= 1U << lane;
    phases[lane] = phase;
    warp.block->tell(run::OrderEvent{run::OrderEvent::Kind::kAcquire, false, op.instruction,
                                     warp.index, 1U << lane, warp.address, phases});
  });
  write_predicate(warp, op.d, mask, over);
  // Lets the threads that it waits for run.
  if (over != mask) warp.yield();
}

// The pending count in a token: the arrivals that were outstanding.
std::uint32_t pending_count(std::uint64_t token) {
  return static_cast<std::uint32_t>(BarrierObject::of(token).pending);
}

Handler copy_of(std::uint64_t bytes) {
  switch (bytes) {
    case 4:
      return copy<4>;
    case 8:
      return copy<8>;
    case 16:
      return copy<16>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler counted_access_handler(const Instruction& in) {
  const auto& m = in.modifiers;
  const bool is_counted = m.has(Modifier::complete_tx_bytes) && in.space == StateSpace::kShared &&
                          in.operands.size() == 3 && ptx::size_of(in.types[0]) >= 4;
  return is_counted && plain_handler(in) != nullptr ? counted_access : nullptr;
}

Handler async_copy_handler(const Instruction& in) {
  const auto& m = in.modifiers;
  if (!m.has(Modifier::async) || m.has(Modifier::bulk)) return nullptr;
  if (m.has(Modifier::mbarrier_)) {
    return m.has(Modifier::noinc) ? arrive_behind_copies<true> : arrive_behind_copies<false>;
  }
  if (m.has(Modifier::commit_group)) return commit;
  if (m.has(Modifier::wait_group)) return wait_group;
  if (m.has(Modifier::wait_all)) return wait_all;
  const bool copies = m.has(Modifier::ca) || m.has(Modifier::cg);
  return copies ? copy_of(in.operands.at(2).bits) : nullptr;
}

Handler barrier_object_handler(const Instruction& in) {
  const auto& m = in.modifiers;
  if (m.has(Modifier::init)) return init;
  if (m.has(Modifier::inval)) return nothing;
  if (m.has(Modifier::pending_count)) {
    return unary<std::uint32_t, std::uint64_t, pending_count>;
  }
  const bool expects = m.has(Modifier::expect_tx);
  if (m.has(Modifier::arrive)) return expects ? arrive<false, true> : arrive<false, false>;
  if (m.has(Modifier::arrive_drop)) return expects ? arrive<true, true> : arrive<true, false>;
  if (expects) return count_bytes<false>;
  if (m.has(Modifier::complete_tx)) return count_bytes<true>;
  if (m.has(Modifier::test_wait) || m.has(Modifier::try_wait)) {
    return m.has(Modifier::parity) ? test<true> : test<false>;
  }
  return nullptr;
}

}  // namespace warpgrade::sim

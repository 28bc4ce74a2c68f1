// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies and barrier objects (PTX ISA 9.0, 9.7.9.12, 9.7.9.25, 9.7.13.7, 9.7.13.15).
//
// cp.async, st.async, red.async, mbarrier, and copies of the bulk copy engine without tensors. A
// copy happens at once, as loads and stores, and a barrier object counts its bytes at once. The
// observers see the accesses, groups and waits, and derive how long a copy may really take. They
// see an arrival as a release of the thread's earlier accesses, and a completed wait as an
// acquire.
//
// Not modelled: tensors, byte masks, and the proxy fence that a card requires between ordinary
// accesses and those of the bulk copy engine.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "common/ptx/instruction_facts.h"
#include "common/sim/block.h"
#include "common/sim/cluster.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/exec/memory.h"
#include "common/sim/memory/access.h"

namespace warpgrade::sim {
namespace {

// The content of an mbarrier object: 64 bits of shared memory, which PTX leaves opaque.
//
// Outstanding arrivals (20 bits), arrivals per phase (20 bits), outstanding bytes of copies (21
// bits, signed, because a copy may complete before its bytes are announced), and the number of the
// phase modulo 8 (3 bits).

constexpr std::uint64_t kMostArrivals = (std::uint64_t{1} << 20) - 1;
constexpr std::int64_t kMostPendingBytes = (std::int64_t{1} << 20) - 1;

struct BarrierObject {
  std::uint64_t phase = 0;
  std::uint64_t expected = 0;
  std::uint64_t pending = 0;
  std::int64_t bytes_to_come = 0;

  static BarrierObject of(std::uint64_t bits) {
    const auto bytes = static_cast<std::int64_t>(bits << 3) >> 43;
    return {bits >> 61, bits >> 20 & kMostArrivals, bits & kMostArrivals, bytes};
  }
  std::uint64_t bits() const {
    return phase << 61 | (static_cast<std::uint64_t>(bytes_to_come) & 0x1fffff) << 40 |
           expected << 20 | pending;
  }
  /// Returns false if the object cannot count that many.
  bool add_bytes(std::int64_t bytes) {
    bytes_to_come += bytes;
    return bytes_to_come >= -kMostPendingBytes && bytes_to_come <= kMostPendingBytes;
  }
  void end_phase_if_complete() {
    if (pending != 0 || bytes_to_come != 0) return;
    phase = (phase + 1) % 8;
    pending = expected;
  }
};

// cp.async, mbarrier, st.async and red.async (PTX ISA 9.0, 9.7.9.25, 9.7.13.15, 9.7.9.12 and
// 9.7.13.7).
//
// A copy happens at once, as a load from global and a store to shared memory. commit_group and the
// waits only notify the observers, which see the store at the copy and derive how long it may
// really take.
//
// See the layout of an object above. A token of arrive is the object's previous value. The
// observers do not see the end of a phase.

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
  Access to;
  if (!translate(warp, op, mask, kBytes, to)) return;
  if (!is_own(warp, op, mask, to)) return;
  std::uint64_t targets[run::kWarpSize];
  std::uint64_t sources[run::kWarpSize] = {};
  std::copy_n(warp.address, run::kWarpSize, targets);
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
    warp.block->tell(warp, source, from.space, from.mask, kBytes, from.stride, nullptr, targets);
    for_each_lane(part, [&](std::uint32_t i) {
      std::memcpy(data[i], from.host(i), kBytes);
      sources[i] = warp.address[i];
    });
  }
  std::byte packed[run::kWarpSize * kBytes];
  for_each_lane(mask, [&](std::uint32_t i) { std::memcpy(packed + i * kBytes, data[i], kBytes); });
  std::copy_n(targets, run::kWarpSize, warp.address);
  warp.block->tell(warp, op, to.space, mask, kBytes, to.stride, packed, sources);
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
  const auto& in = warp.block->parts.code.function->instructions[op.instruction];
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

namespace {

// Copies of the bulk copy engine: cp.async.bulk and cp.reduce.async.bulk without tensors (PTX ISA
// 9.0, 9.7.9.25.4), which cuda::memcpy_async and cuda::ptx make on Hopper. The target of a copy to
// shared memory, with its barrier object, can be in another block of the cluster.
// A copy happens at once, in parts of 16 bytes, and the barrier object counts its bytes at once.
// The observers see each part as an access of the thread that starts the copy, and then the whole
// copy; they derive how long it may really take. The completion releases the thread's earlier
// accesses and the parts to threads that wait at the object.
//
// Not modelled: tensors, byte masks, and the proxy fence that a card requires between ordinary
// accesses and the engine's accesses.
using ptx::Type;
using Kind = run::BulkEvent::Kind;

constexpr std::uint32_t kPart = 16;  // bytes; sizes and addresses are multiples of it

/// Updates the 16 bytes at `to` with the bytes at `from`.
using Combine = void (*)(std::byte* to, const std::byte* from);

void replace(std::byte* to, const std::byte* from) { std::memcpy(to, from, kPart); }

template <typename T, auto F>
void combine(std::byte* to, const std::byte* from) {
  T old[kPart / sizeof(T)];
  T values[kPart / sizeof(T)];
  std::memcpy(old, to, kPart);
  std::memcpy(values, from, kPart);
  for (std::size_t i = 0; i < kPart / sizeof(T); ++i) old[i] = F(old[i], values[i], values[i]);
  std::memcpy(to, old, kPart);
}

// One side of the copy, for translate() and the observers.
MicroOp side(const MicroOp& op, Slot base, StateSpace space, run::Operation operation) {
  MicroOp one = op;
  one.a = base;
  one.offset = 0;
  one.space = space;
  one.operation = operation;
  return one;
}

bool check_bulk(Warp& warp, const MicroOp& op, std::uint32_t lane) {
  const auto to = warp.lanes<std::uint64_t>(op.a)[lane];
  const auto from = warp.lanes<std::uint64_t>(op.b)[lane];
  const auto bytes = warp.lanes<std::uint32_t>(op.c)[lane];
  if ((to | from | bytes) % kPart == 0) return true;
  warp.fault(
      base::DiagnosticKind::kMisaligned, op, lane,
      fmt::format("starts a bulk copy of {} bytes {} an address that is {} past a multiple of "
                  "16; both addresses and the size must be multiples of 16: use alignas(16), "
                  "and cuda::aligned_size_t<16> only where that holds",
                  bytes, to % kPart != 0 ? "to" : "from",
                  to % kPart != 0 ? to % kPart : from % kPart));
  return false;
}

// Copies for one lane. Returns false after a fault.
template <Combine kCombine>
bool copy_parts(Warp& warp, const MicroOp& op, MicroOp from, MicroOp to, std::uint32_t lane) {
  const auto bytes = warp.lanes<std::uint32_t>(op.c)[lane];
  const auto mask = 1U << lane;
  std::byte data[run::kWarpSize * kPart] = {};
  for (std::uint32_t at = 0; at < bytes; at += kPart) {
    from.offset = at;
    to.offset = at;
    Access access;
    if (!translate(warp, from, mask, kPart, access)) return false;
    warp.block->tell(warp, from, access.space, mask, kPart, run::kIrregular, nullptr);
    auto* part = data + std::size_t{lane} * kPart;
    std::memcpy(part, access.host(lane), kPart);
    if (!translate(warp, to, mask, kPart, access)) return false;
    const bool stores = to.operation == run::Operation::kStore;
    warp.block->tell(warp, to, access.space, mask, kPart, run::kIrregular, stores ? data : nullptr);
    kCombine(access.host(lane), part);
  }
  return true;
}

run::BulkEvent event_of(const Warp& warp, const MicroOp& op, Kind kind, std::uint32_t lane) {
  run::BulkEvent event;
  event.kind = kind;
  event.instruction = op.instruction;
  event.warp = warp.index;
  event.lane = lane;
  return event;
}

// The source is the block's own shared memory.
bool is_own_source(Warp& warp, const MicroOp& op, std::uint32_t lane) {
  if (warp.lanes<std::uint64_t>(op.b)[lane] < kClusterStride) return true;
  warp.fault(base::DiagnosticKind::kOutOfBounds, op, lane,
             "copies from the shared memory of another block of the cluster; a bulk copy reads "
             "global memory or its own block's shared memory: let the other block start the copy");
  return false;
}

// Global or own shared memory to shared memory: [to], [from], size, [object].
template <StateSpace kFrom>
void bulk_to_shared(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto from = side(op, op.b, kFrom, run::Operation::kLoad);
  const auto to = side(op, op.a, StateSpace::kShared, run::Operation::kStore);
  const auto at = side(op, op.e, StateSpace::kShared, run::Operation::kAtomic);
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (!check_bulk(warp, op, lane)) return;
    if (kFrom == StateSpace::kShared && !is_own_source(warp, op, lane)) return;
    if (!copy_parts<replace>(warp, op, from, to, lane)) return;
    Access access;
    if (!translate(warp, at, 1U << lane, 8, access)) return;
    std::uint64_t bits = 0;
    std::memcpy(&bits, access.host(lane), sizeof bits);
    auto object = BarrierObject::of(bits);
    auto event = event_of(warp, op, Kind::kToShared, lane);
    event.bytes = warp.lanes<std::uint32_t>(op.c)[lane];
    event.shared = warp.lanes<std::uint64_t>(op.a)[lane];
    event.from_shared = kFrom == StateSpace::kShared;
    if (!event.from_shared) event.global = warp.lanes<std::uint64_t>(op.b)[lane];
    event.object = warp.address[lane];
    event.phase = object.phase;
    warp.block->tell(event);
    if (!object.add_bytes(-std::int64_t{event.bytes})) {
      warp.fault(base::DiagnosticKind::kTrap, op, lane,
                 fmt::format("a barrier object counts {} bytes of copies at most in a phase",
                             kMostPendingBytes));
      return;
    }
    object.end_phase_if_complete();
    bits = object.bits();
    std::memcpy(access.host(lane), &bits, sizeof bits);
    warp.block->tell(run::OrderEvent{run::OrderEvent::Kind::kRelease, false, op.instruction,
                                     warp.index, 1U << lane, warp.address});
  }
}

// Shared to global memory: [to], [from], size.
template <Combine kCombine>
void bulk_to_global(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const bool stores = kCombine == replace;
  const auto from = side(op, op.b, StateSpace::kShared, run::Operation::kLoad);
  const auto to = side(op, op.a, StateSpace::kGlobal,
                       stores ? run::Operation::kStore : run::Operation::kReduction);
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (!check_bulk(warp, op, lane)) return;
    if (!copy_parts<kCombine>(warp, op, from, to, lane)) return;
    auto event = event_of(warp, op, Kind::kToGlobal, lane);
    event.bytes = warp.lanes<std::uint32_t>(op.c)[lane];
    event.shared = warp.lanes<std::uint64_t>(op.b)[lane];
    event.global = warp.lanes<std::uint64_t>(op.a)[lane];
    warp.block->tell(event);
  }
}

template <Kind kKind>
void bulk_groups(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    auto event = event_of(warp, op, kKind, static_cast<std::uint32_t>(std::countr_zero(rest)));
    event.left = op.target;
    warp.block->tell(event);
  }
}

// A hint; addresses are not checked.
void bulk_hint(Warp&, const MicroOp&, std::uint32_t) {}

template <typename T>
Handler reduce_integers(const ptx::ModifierSet& m) {
  using namespace atomics;
  if (m.has(Modifier::add)) return bulk_to_global<combine<T, add<T>>>;
  if (m.has(Modifier::min)) return bulk_to_global<combine<T, min<T>>>;
  if (m.has(Modifier::max)) return bulk_to_global<combine<T, max<T>>>;
  if constexpr (std::is_same_v<T, std::uint32_t>) {
    if (m.has(Modifier::inc)) return bulk_to_global<combine<T, inc>>;
    if (m.has(Modifier::dec)) return bulk_to_global<combine<T, dec>>;
  }
  return nullptr;
}

template <typename T>
Handler reduce_bits(const ptx::ModifierSet& m) {
  using namespace atomics;
  if (m.has(Modifier::and_)) return bulk_to_global<combine<T, bit_and<T>>>;
  if (m.has(Modifier::or_)) return bulk_to_global<combine<T, bit_or<T>>>;
  return m.has(Modifier::xor_) ? bulk_to_global<combine<T, bit_xor<T>>> : nullptr;
}

template <typename Format>
Handler reduce_halves(const ptx::ModifierSet& m) {
  using namespace atomics;
  using T = std::uint16_t;
  if (m.has(Modifier::add)) return bulk_to_global<combine<T, add_half<Format>>>;
  if (m.has(Modifier::min)) return bulk_to_global<combine<T, extreme_half<Format, false>>>;
  return m.has(Modifier::max) ? bulk_to_global<combine<T, extreme_half<Format, true>>> : nullptr;
}

Handler reduce_handler(const Instruction& in) {
  using namespace atomics;
  const auto& m = in.modifiers;
  switch (in.types[0]) {
    case Type::kU32:
      return reduce_integers<std::uint32_t>(m);
    case Type::kS32:
      return reduce_integers<std::int32_t>(m);
    case Type::kU64:
      return reduce_integers<std::uint64_t>(m);
    case Type::kS64:
      return reduce_integers<std::int64_t>(m);
    case Type::kB32:
      return reduce_bits<std::uint32_t>(m);
    case Type::kB64:
      return reduce_bits<std::uint64_t>(m);
    case Type::kF32:
      // Keeps subnormal numbers, as an H100 does, unlike red on global memory.
      return m.has(Modifier::add) ? bulk_to_global<combine<float, add<float>>> : nullptr;
    case Type::kF64:
      return m.has(Modifier::add) ? bulk_to_global<combine<double, add_keeping>> : nullptr;
    case Type::kF16:
      return reduce_halves<F16>(m);
    case Type::kBf16:
      return reduce_halves<Bf16>(m);
    default:
      return nullptr;
  }
}

}  // namespace

Handler bulk_handler(const Instruction& in) {
  const auto& m = in.modifiers;
  if (!m.has(Modifier::bulk)) return nullptr;
  if (m.has(Modifier::commit_group)) return bulk_groups<Kind::kCommit>;
  if (m.has(Modifier::wait_group)) {
    return m.has(Modifier::read_) ? bulk_groups<Kind::kWaitRead> : bulk_groups<Kind::kWait>;
  }
  if (m.has(Modifier::prefetch_)) return bulk_hint;
  if (m.has(Modifier::bulk_group)) {
    if (in.space != StateSpace::kShared || m.has(Modifier::shared_cluster)) return nullptr;
    return m.has(Modifier::reduce_) ? reduce_handler(in) : bulk_to_global<replace>;
  }
  const bool to_shared = m.has(Modifier::complete_tx_bytes);
  if (!to_shared || m.has(Modifier::reduce_) || m.has(Modifier::multicast)) return nullptr;
  if (in.space == StateSpace::kGlobal) return bulk_to_shared<StateSpace::kGlobal>;
  const bool is_between = in.space == StateSpace::kShared && m.has(Modifier::shared_cluster);
  return is_between ? bulk_to_shared<StateSpace::kShared> : nullptr;
}

}  // namespace warpgrade::sim

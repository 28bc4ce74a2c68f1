// SPDX-License-Identifier: Apache-2.0
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
#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "common/sim/block.h"
#include "common/sim/cluster.h"
#include "common/sim/exec/atomic_operations.h"
#include "common/sim/exec/barrier_object.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/exec/lanes.h"
#include "common/sim/memory/access.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::StateSpace;
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

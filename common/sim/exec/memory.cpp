// SPDX-License-Identifier: Apache-2.0
// Instructions that access memory: ld, st, and atom and red (PTX ISA 9.0, 9.7.9 and 9.7.13).
//
// The lanes of an atomic follow one after the other, in the order of their numbers.
//
// Sums of floats are reproducible: blocks of a kernel with atomics on global memory run on one
// host thread in a fixed order (see simulator.cpp). An operation on 2, 4 or 8 adjacent values is
// as many separate atomic operations, which happen together for a lane.
#include "common/sim/exec/memory.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "common/ptx/instruction_facts.h"
#include "common/sim/cluster.h"
#include "common/sim/exec/half_format.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/memory/access.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::StateSpace;

// An 8-bit value is held in 16 bits.
template <typename T>
using Held = std::conditional_t<sizeof(T) == 1, std::uint16_t, T>;

// Calls `body(access)` for each part of the access with lanes in the same space.
template <typename Body>
void for_each_access(Warp& warp, const MicroOp& op, std::uint32_t mask, std::uint32_t bytes,
                     const Body& body) {
  Access access;
  while (mask != 0) {
    if (!translate(warp, op, mask, bytes, access)) return;
    body(access);
    mask &= ~access.mask;
  }
}

template <typename T>
void load(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  for_each_access(warp, op, mask, sizeof(T), [&](const Access& access) {
    warp.block->tell(warp, op, access.space, access.mask, sizeof(T), access.stride, nullptr);
    auto* d = warp.lanes<Held<T>>(op.d);
    if (sizeof(T) == sizeof(Held<T>) && access.is_row(sizeof(T))) {
      std::memcpy(d, access.first, sizeof(T) * run::kWarpSize);
      return;
    }
    for_each_lane(access.mask, [&, d](std::uint32_t i) {
      T value;
      std::memcpy(&value, access.host(i), sizeof value);
      d[i] = value;
    });
  });
}

// volatile, relaxed, acquire: this thread may be waiting for a store by another one.
template <typename T>
void load_strong(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  load<T>(warp, op, mask);
  if (warp.status == WarpStatus::kFaulted) return;
  std::uint64_t values = 0;
  for_each_lane(mask, [&](std::uint32_t i) {
    values =
        values * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(warp.lanes<Held<T>>(op.d)[i]);
  });
  warp.poll(op, mask, values);
}

template <typename T, int kCount>
void load_vector(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* slots = warp.block->parts.code.vectors.data() + op.target;
  for_each_access(warp, op, mask, sizeof(T) * kCount, [&](const Access& access) {
    warp.block->tell(warp, op, access.space, access.mask, sizeof(T) * kCount, access.stride,
                     nullptr);
    for_each_lane(access.mask, [&](std::uint32_t i) {
      T values[kCount];
      std::memcpy(values, access.host(i), sizeof values);
      for (int k = 0; k < kCount; ++k) warp.lanes<Held<T>>(slots[k])[i] = values[k];
    });
  });
}

template <typename T>
void store(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* b = warp.lanes<Held<T>>(op.b);
  for_each_access(warp, op, mask, sizeof(T), [&](const Access& access) {
    const auto* data = reinterpret_cast<const std::byte*>(b);
    T narrow[run::kWarpSize];
    if constexpr (sizeof(T) != sizeof(Held<T>)) {
      for (std::uint32_t i = 0; i < run::kWarpSize; ++i) narrow[i] = static_cast<T>(b[i]);
      data = reinterpret_cast<const std::byte*>(narrow);
    }
    warp.block->tell(warp, op, access.space, access.mask, sizeof(T), access.stride, data);
    if (access.is_row(sizeof(T))) {
      std::memcpy(access.first, data, sizeof(T) * run::kWarpSize);
      return;
    }
    // In lane order: if several lanes write one place, the last one wins.
    for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
      const auto i = std::countr_zero(rest);
      std::memcpy(access.host(i), data + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
    }
  });
}

template <typename T, int kCount>
void store_vector(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* slots = warp.block->parts.code.vectors.data() + op.target;
  for_each_access(warp, op, mask, sizeof(T) * kCount, [&](const Access& access) {
    T values[run::kWarpSize][kCount] = {};
    for_each_lane(access.mask, [&](std::uint32_t i) {
      for (int k = 0; k < kCount; ++k) {
        values[i][k] = static_cast<T>(warp.lanes<Held<T>>(slots[k])[i]);
      }
    });
    warp.block->tell(warp, op, access.space, access.mask, sizeof(T) * kCount, access.stride,
                     reinterpret_cast<const std::byte*>(values));
    for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
      const auto i = std::countr_zero(rest);
      std::memcpy(access.host(i), values[i], sizeof values[i]);
    }
  });
}

// prefetch, applypriority, and discard, after which the old bytes are undefined: addresses are not
// checked.
void hint(Warp&, const MicroOp&, std::uint32_t) {}

// Shared and local memory are windows of the generic address space.
template <std::uint64_t kWindow, bool kTo>
std::uint64_t shift_window(std::uint64_t a) {
  return kTo ? a - kWindow : a + kWindow;
}
std::uint64_t same(std::uint64_t a) { return a; }

Handler cvta_handler(const Instruction& in) {
  using U = std::uint64_t;
  if (ptx::size_of(in.types[0]) != 8) return nullptr;
  const bool to = in.modifiers.has(Modifier::to);
  switch (in.space) {
    case StateSpace::kShared:
      return to ? unary<U, U, shift_window<kSharedWindow, true>>
                : unary<U, U, shift_window<kSharedWindow, false>>;
    case StateSpace::kLocal:
      return to ? unary<U, U, shift_window<kLocalWindow, true>>
                : unary<U, U, shift_window<kLocalWindow, false>>;
    case StateSpace::kGlobal:
    case StateSpace::kConstant:
    case StateSpace::kParam:
      return unary<U, U, same>;
    default:
      return nullptr;
  }
}

// .shared::cluster covers the shared memory of all blocks of the cluster, .shared only the block's
// own.
template <bool kOfCluster>
void isspacep(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* a = warp.lanes<std::uint64_t>(op.a);
  const auto own = warp.block->beside.rank;
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < run::kWarpSize; ++i) {
    const bool shared = a[i] - kSharedWindow < kWindowBytes;
    const bool local = a[i] - kLocalWindow < kWindowBytes;
    const bool param = kParameterWindow.has(a[i]);
    const bool constant = kConstantWindow.has(a[i]);
    const bool in_block = shared && rank_at(a[i] - kSharedWindow, own) == own;
    const bool is = op.space == StateSpace::kShared     ? (kOfCluster ? shared : in_block)
                    : op.space == StateSpace::kLocal    ? local
                    : op.space == StateSpace::kParam    ? param
                    : op.space == StateSpace::kConstant ? constant
                                                        : !shared && !local && !param && !constant;
    bits |= static_cast<std::uint32_t>(is) << i;
  }
  write_predicate(warp, op.d, mask, bits);
}

template <typename T>
Handler sized(const Instruction& in) {
  const bool is_store = ptx::facts(in).memory == ptx::MemoryRole::kStore;
  switch (in.vector) {
    case 1:
      if (is_store) return store<T>;
      return ptx::is_strong(in) ? load_strong<T> : load<T>;
    case 2:
      return is_store ? store_vector<T, 2> : load_vector<T, 2>;
    case 4:
      if constexpr (sizeof(T) <= 4) return is_store ? store_vector<T, 4> : load_vector<T, 4>;
      return nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

Handler address_handler(const Instruction& in) {
  if (in.opcode == Opcode::cvta) return cvta_handler(in);
  return in.modifiers.has(Modifier::shared_cluster) ? isspacep<true> : isspacep<false>;
}

Handler memory_handler(const Instruction& in) {
  if (ptx::facts(in).memory == ptx::MemoryRole::kHint) return hint;
  switch (ptx::size_of(in.types[0])) {
    case 1:
      return sized<std::uint8_t>(in);
    case 2:
      return sized<std::uint16_t>(in);
    case 4:
      return sized<std::uint32_t>(in);
    case 8:
      return sized<std::uint64_t>(in);
    default:
      return nullptr;
  }
}

namespace {

// atom and red (PTX ISA 9.0, 9.7.13): lanes one after the other, in the order of their numbers.
//
// Blocks of a kernel with atomics on global memory run on one host thread in a fixed order (see
// simulator.cpp), so that sums of floats are reproducible.
using ptx::Type;

using namespace atomics;

template <typename T, auto F>
void atomic(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const T* b = warp.lanes<T>(op.b);
  const T* c = warp.lanes<T>(op.c == kNoSlot ? op.b : op.c);
  T* d = op.d == kNoSlot ? nullptr : warp.lanes<T>(op.d);
  const auto all = mask;
  bool changes = d == nullptr || !std::is_integral_v<T>;
  Access access;
  while (mask != 0) {
    if (!translate(warp, op, mask, sizeof(T), access)) return;
    warp.block->tell(warp, op, access.space, access.mask, sizeof(T), access.stride, nullptr);
    for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
      const auto i = std::countr_zero(rest);
      T old;
      std::memcpy(&old, access.host(i), sizeof old);
      T updated;
      const bool on_chip =
          access.space == run::Space::kShared || access.space == run::Space::kCluster;
      if constexpr (std::is_same_v<T, float>) {
        updated = on_chip ? F(old, b[i], c[i]) : add_flushed(old, b[i], c[i]);
      } else if constexpr (std::is_same_v<T, double>) {
        updated = on_chip ? F(old, b[i], c[i]) : add_keeping(old, b[i], c[i]);
      } else {
        updated = F(old, b[i], c[i]);
      }
      std::memcpy(access.host(i), &updated, sizeof updated);
      if constexpr (std::is_integral_v<T>) {
        changes |= updated != old;
        constexpr bool kIsSwap =
            F == static_cast<decltype(F)>(cas<T>) || F == static_cast<decltype(F)>(exch<T>);
        if (kIsSwap && updated == old && warp.block->is_timed()) {
          warp.fail_swap(op, static_cast<std::uint32_t>(i), static_cast<std::uint64_t>(old));
        }
      }
      if (d != nullptr) d[i] = old;
    }
    mask &= ~access.mask;
  }
  // A locked lock or another thread's turn: nothing changes until another thread continues.
  if constexpr (std::is_integral_v<T>) {
    if (!changes) warp.poll(op, all, static_cast<std::uint64_t>(d[std::countr_zero(all)]));
  }
}

template <typename T>
Handler arithmetic(const ptx::ModifierSet& m) {
  if (m.has(Modifier::add)) return atomic<T, add<T>>;
  if constexpr (std::is_integral_v<T>) {
    if (m.has(Modifier::min)) return atomic<T, min<T>>;
    if (m.has(Modifier::max)) return atomic<T, max<T>>;
  }
  if constexpr (std::is_same_v<T, std::uint32_t>) {
    if (m.has(Modifier::inc)) return atomic<T, inc>;
    if (m.has(Modifier::dec)) return atomic<T, dec>;
  }
  return nullptr;
}

template <typename T>
Handler exchange(const ptx::ModifierSet& m) {
  if (m.has(Modifier::exch)) return atomic<T, exch<T>>;
  return m.has(Modifier::cas) ? atomic<T, cas<T>> : nullptr;
}

template <typename T>
Handler logical(const ptx::ModifierSet& m) {
  if (m.has(Modifier::and_)) return atomic<T, bit_and<T>>;
  if (m.has(Modifier::or_)) return atomic<T, bit_or<T>>;
  if (m.has(Modifier::xor_)) return atomic<T, bit_xor<T>>;
  return exchange<T>(m);
}

}  // namespace

Handler atomic_handler(const Instruction& in) {
  if (in.vector != 1) return atomic_vector_handler(in);
  switch (in.types[0]) {
    case Type::kU32:
      return arithmetic<std::uint32_t>(in.modifiers);
    case Type::kS32:
      return arithmetic<std::int32_t>(in.modifiers);
    case Type::kU64:
      return arithmetic<std::uint64_t>(in.modifiers);
    case Type::kS64:
      return arithmetic<std::int64_t>(in.modifiers);
    case Type::kF32:
      return arithmetic<float>(in.modifiers);
    case Type::kF64:
      return arithmetic<double>(in.modifiers);
    case Type::kF16:
      return in.modifiers.has(Modifier::add) ? atomic<std::uint16_t, add_half<F16>> : nullptr;
    case Type::kBf16:
      return in.modifiers.has(Modifier::add) ? atomic<std::uint16_t, add_half<Bf16>> : nullptr;
    case Type::kF16x2:
      return in.modifiers.has(Modifier::add) ? atomic<std::uint32_t, of_pair<add_half<F16>>>
                                             : nullptr;
    case Type::kBf16x2:
      return in.modifiers.has(Modifier::add) ? atomic<std::uint32_t, of_pair<add_half<Bf16>>>
                                             : nullptr;
    case Type::kB16:
      return in.modifiers.has(Modifier::cas) ? atomic<std::uint16_t, cas<std::uint16_t>> : nullptr;
    case Type::kB32:
      return logical<std::uint32_t>(in.modifiers);
    case Type::kB64:
      return logical<std::uint64_t>(in.modifiers);
    case Type::kB128:
      return exchange<Wide>(in.modifiers);
    default:
      return nullptr;
  }
}

namespace {

// atom and red of 2, 4 or 8 adjacent values in global memory (PTX ISA 9.0, 9.7.13.5 and 6): each
// value is a separate atomic operation. Here the operations of a lane happen together.

// Code::vectors contains the slots of the sources, then of the results.
template <typename T, auto F, int kCount>
void atomic_vector(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* slots = warp.block->parts.code.vectors.data() + op.target;
  const bool returns = op.operation == run::Operation::kAtomic;
  Access access;
  while (mask != 0) {
    T values[kCount];
    if (!translate(warp, op, mask, sizeof values, access)) return;
    warp.block->tell(warp, op, access.space, access.mask, sizeof values, access.stride, nullptr);
    for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
      const auto i = std::countr_zero(rest);
      std::memcpy(values, access.host(i), sizeof values);
      for (int k = 0; k < kCount; ++k) {
        const T old = values[k];
        values[k] = F(old, warp.lanes<T>(slots[k])[i], T{});
        if (returns) warp.lanes<T>(slots[kCount + k])[i] = old;
      }
      std::memcpy(access.host(i), values, sizeof values);
    }
    mask &= ~access.mask;
  }
}

template <typename T, auto F>
Handler counted(std::uint32_t count) {
  switch (count) {
    case 2:
      return atomic_vector<T, F, 2>;
    case 4:
      if constexpr (sizeof(T) <= 4) return atomic_vector<T, F, 4>;
      return nullptr;
    case 8:
      if constexpr (sizeof(T) <= 2) return atomic_vector<T, F, 8>;
      return nullptr;
    default:
      return nullptr;
  }
}

template <typename Format>
Handler half_vector(const Instruction& in) {
  const auto& m = in.modifiers;
  if (m.has(Modifier::add)) return counted<std::uint16_t, add_half<Format>>(in.vector);
  if (m.has(Modifier::min)) return counted<std::uint16_t, extreme_half<Format, false>>(in.vector);
  if (m.has(Modifier::max)) return counted<std::uint16_t, extreme_half<Format, true>>(in.vector);
  return nullptr;
}

template <typename Format>
Handler pair_vector(const Instruction& in) {
  using P = std::uint32_t;
  const auto& m = in.modifiers;
  if (m.has(Modifier::add)) return counted<P, of_pair<add_half<Format>>>(in.vector);
  if (m.has(Modifier::min)) return counted<P, of_pair<extreme_half<Format, false>>>(in.vector);
  if (m.has(Modifier::max)) return counted<P, of_pair<extreme_half<Format, true>>>(in.vector);
  return nullptr;
}

}  // namespace

Handler atomic_vector_handler(const Instruction& in) {
  switch (in.types[0]) {
    case Type::kF32:
      return in.modifiers.has(Modifier::add) ? counted<float, add_flushed>(in.vector) : nullptr;
    case Type::kF16:
      return half_vector<F16>(in);
    case Type::kBf16:
      return half_vector<Bf16>(in);
    case Type::kF16x2:
      return pair_vector<F16>(in);
    case Type::kBf16x2:
      return pair_vector<Bf16>(in);
    default:
      return nullptr;
  }
}

}  // namespace warpgrade::sim

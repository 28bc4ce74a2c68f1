// SPDX-License-Identifier: Apache-2.0
// atom and red (PTX ISA 9.0, 9.7.13): lanes one after the other, in the order of their numbers.
//
// Blocks of a kernel with atomics on global memory run on one host thread in a fixed order (see
// simulator.cpp), so that sums of floats are reproducible.
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "common/sim/exec/atomic_operations.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/exec/lanes.h"
#include "common/sim/memory/access.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
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
        if (kIsSwap && updated == old && warp.block->turns != nullptr) {
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

}  // namespace warpgrade::sim

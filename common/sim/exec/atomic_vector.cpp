// SPDX-License-Identifier: Apache-2.0
// atom and red of 2, 4 or 8 adjacent values in global memory (PTX ISA 9.0, 9.7.13.5 and 6): each
// value is a separate atomic operation. Here the operations of a lane happen together.
#include <bit>
#include <cstdint>
#include <cstring>

#include "common/sim/exec/atomic_operations.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/exec/lanes.h"
#include "common/sim/memory/access.h"

namespace warpgrade::sim {
namespace {

using namespace atomics;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Type;

// Code::vectors contains the slots of the sources, then of the results.
template <typename T, auto F, int kCount>
void atomic_vector(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* slots = warp.block->code->vectors.data() + op.target;
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

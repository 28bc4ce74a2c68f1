// SPDX-License-Identifier: Apache-2.0
// atom and red (PTX ISA 9.0, 9.7.13): lanes one after the other, in the order of their numbers.
//
// Blocks of a kernel with atomics on global memory run on one host thread in one order (see
// simulator.cpp), so that a sum of floats comes out the same every time.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "common/sim/access.h"
#include "common/sim/half_format.h"
#include "common/sim/handlers.h"
#include "common/sim/lanes.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

template <typename T>
T add(T old, T b, T) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(old) + static_cast<U>(b));
  }
  const T sum = old + b;
  if (sum == sum) return sum;
  if constexpr (sizeof(T) == 4) return std::bit_cast<T>(0x7fffffffU);
  return sum;
}
// On global memory a f64 NaN stays as it is.
double add_keeping(double old, double b, double) {
  if (b != b) return b;
  return old != old ? old : old + b;
}
// On global memory f32 is summed with .ftz.
float flushed(float a) { return std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(0.0F, a) : a; }
float add_flushed(float old, float b, float) {
  return flushed(add(flushed(old), flushed(b), 0.0F));
}
template <typename Format>
std::uint16_t add_half(std::uint16_t old, std::uint16_t b, std::uint16_t) {
  return narrow<Format, Rounding::kNearest>(sum_to_odd(widen<Format>(old), widen<Format>(b)));
}
// Both halves of a pair, at once: PTX lets them be apart.
template <typename Format>
std::uint32_t add_pair(std::uint32_t old, std::uint32_t b, std::uint32_t) {
  const auto half = [&](int shift) -> std::uint32_t {
    return add_half<Format>(static_cast<std::uint16_t>(old >> shift),
                            static_cast<std::uint16_t>(b >> shift), 0);
  };
  return half(16) << 16 | half(0);
}
template <typename T>
T min(T old, T b, T) {
  return b < old ? b : old;
}
template <typename T>
T max(T old, T b, T) {
  return old < b ? b : old;
}
template <typename T>
T bit_and(T old, T b, T) {
  return old & b;
}
template <typename T>
T bit_or(T old, T b, T) {
  return old | b;
}
template <typename T>
T bit_xor(T old, T b, T) {
  return old ^ b;
}
template <typename T>
T exch(T, T b, T) {
  return b;
}
template <typename T>
T cas(T old, T b, T c) {
  return old == b ? c : old;
}
std::uint32_t inc(std::uint32_t old, std::uint32_t b, std::uint32_t) {
  return old >= b ? 0 : old + 1;
}
std::uint32_t dec(std::uint32_t old, std::uint32_t b, std::uint32_t) {
  return old == 0 || old > b ? b : old - 1;
}

template <typename T, auto F>
void atomic(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const T* b = warp.lanes<T>(op.b);
  const T* c = warp.lanes<T>(op.c == kNoSlot ? op.b : op.c);
  T* d = op.d == kNoSlot ? nullptr : warp.lanes<T>(op.d);
  Access access;
  while (mask != 0) {
    if (!translate(warp, op, mask, sizeof(T), access)) return;
    warp.block->tell(warp, op, access.space, access.mask, sizeof(T), access.stride, nullptr);
    for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
      const auto i = std::countr_zero(rest);
      T old;
      std::memcpy(&old, access.host(i), sizeof old);
      T updated;
      const bool on_chip = access.space == run::Space::kShared;
      if constexpr (std::is_same_v<T, float>) {
        updated = on_chip ? F(old, b[i], c[i]) : add_flushed(old, b[i], c[i]);
      } else if constexpr (std::is_same_v<T, double>) {
        updated = on_chip ? F(old, b[i], c[i]) : add_keeping(old, b[i], c[i]);
      } else {
        updated = F(old, b[i], c[i]);
      }
      std::memcpy(access.host(i), &updated, sizeof updated);
      if (d != nullptr) d[i] = old;
    }
    mask &= ~access.mask;
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
Handler logical(const ptx::ModifierSet& m) {
  if (m.has(Modifier::and_)) return atomic<T, bit_and<T>>;
  if (m.has(Modifier::or_)) return atomic<T, bit_or<T>>;
  if (m.has(Modifier::xor_)) return atomic<T, bit_xor<T>>;
  if (m.has(Modifier::exch)) return atomic<T, exch<T>>;
  if (m.has(Modifier::cas)) return atomic<T, cas<T>>;
  return nullptr;
}

}  // namespace

Handler atomic_handler(const Instruction& in) {
  if (in.opcode != Opcode::atom && in.opcode != Opcode::red) return nullptr;
  if (in.vector != 1) return nullptr;
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
      return in.modifiers.has(Modifier::add) ? atomic<std::uint32_t, add_pair<F16>> : nullptr;
    case Type::kBf16x2:
      return in.modifiers.has(Modifier::add) ? atomic<std::uint32_t, add_pair<Bf16>> : nullptr;
    case Type::kB16:
      return in.modifiers.has(Modifier::cas) ? atomic<std::uint16_t, cas<std::uint16_t>> : nullptr;
    case Type::kB32:
      return logical<std::uint32_t>(in.modifiers);
    case Type::kB64:
      return logical<std::uint64_t>(in.modifiers);
    default:
      return nullptr;
  }
}

}  // namespace warpgrade::sim

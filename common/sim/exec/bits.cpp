// SPDX-License-Identifier: Apache-2.0
// Counting, finding and moving bits within a word (PTX ISA 9.0, 9.7.1: popc, clz, bfind, brev, bfe,
// bfi).
#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "common/sim/exec/handlers.h"
#include "common/sim/exec/lanes.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

template <typename T>
using Unsigned = std::make_unsigned_t<T>;

template <typename T>
std::uint32_t popc(T a) {
  return static_cast<std::uint32_t>(std::popcount(a));
}
template <typename T>
std::uint32_t clz(T a) {
  return static_cast<std::uint32_t>(std::countl_zero(a));
}
template <typename T>
T brev(T a) {
  T reversed = 0;
  for (unsigned i = 0; i < 8 * sizeof(T); ++i)
    reversed = static_cast<T>(reversed << 1 | ((a >> i) & 1));
  return reversed;
}
// Position of the highest bit that differs from the sign; ~0 if all are equal.
template <typename T>
std::uint32_t bfind(T a) {
  const auto bits = static_cast<Unsigned<T>>(a < 0 ? ~a : a);
  return bits == 0 ? ~0U : static_cast<std::uint32_t>(8 * sizeof(T) - 1) - clz(bits);
}
template <typename T>
std::uint32_t bfind_shift(T a) {
  const auto position = bfind(a);
  return position == ~0U ? ~0U : static_cast<std::uint32_t>(8 * sizeof(T) - 1) - position;
}
template <typename T>
T bfe(T a, std::uint32_t b, std::uint32_t c) {
  constexpr std::uint32_t kBits = 8 * sizeof(T);
  // For 64 bits, machine code uses all bits of b and c.
  const auto position = kBits == 64 ? std::min(b, 0xffU) : b & 0xff;
  const auto length = kBits == 64 ? std::min(c, 0xffU) : c & 0xff;
  const auto bit = [&](std::uint32_t i) { return (static_cast<Unsigned<T>>(a) >> i) & 1; };
  const bool sign =
      std::is_signed_v<T> && length != 0 && bit(std::min(position + length - 1, kBits - 1)) != 0;
  Unsigned<T> result = sign ? static_cast<Unsigned<T>>(~Unsigned<T>{0}) : Unsigned<T>{0};
  if (position < kBits) {
    const auto taken = std::min(length, kBits - position);
    const auto mask = taken == 0       ? Unsigned<T>{0}
                      : taken == kBits ? static_cast<Unsigned<T>>(~Unsigned<T>{0})
                                       : static_cast<Unsigned<T>>((Unsigned<T>{1} << taken) - 1);
    const auto field = static_cast<Unsigned<T>>(static_cast<Unsigned<T>>(a) >> position);
    result = static_cast<Unsigned<T>>((result & ~mask) | (field & mask));
  }
  return static_cast<T>(length == 0 ? Unsigned<T>{0} : result);
}

// bfi has four sources: b with `length` bits at `position` replaced by the low bits of a.
template <typename T>
void bfi(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  T* d = warp.lanes<T>(op.d);
  const T* a = warp.lanes<T>(op.a);
  const T* b = warp.lanes<T>(op.b);
  const auto* c = warp.lanes<std::uint32_t>(op.c);
  const auto* e = warp.lanes<std::uint32_t>(op.e);
  for_each_lane(mask, [=](std::uint32_t i) {
    constexpr std::uint32_t kBits = 8 * sizeof(T);
    const auto position = c[i] & 0xff;
    const auto length = e[i] & 0xff;
    if (position >= kBits || length == 0) {
      d[i] = b[i];
      return;
    }
    const auto ones =
        length >= kBits ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
    const auto field = static_cast<T>(ones << position);
    d[i] = static_cast<T>((b[i] & ~field) | ((a[i] << position) & field));
  });
}

template <typename T>
Handler bits(const Instruction& in) {
  switch (in.opcode) {
    case Opcode::popc:
      return unary<std::uint32_t, T, popc<T>>;
    case Opcode::clz:
      return unary<std::uint32_t, T, clz<T>>;
    case Opcode::brev:
      return unary<T, T, brev<T>>;
    case Opcode::bfi:
      return bfi<T>;
    default:
      return nullptr;
  }
}

template <typename T>
Handler fields(const Instruction& in) {
  if (in.opcode == Opcode::bfe) return ternary<T, T, std::uint32_t, std::uint32_t, bfe<T>>;
  return in.modifiers.has(Modifier::shiftamt) ? unary<std::uint32_t, T, bfind_shift<T>>
                                              : unary<std::uint32_t, T, bfind<T>>;
}

}  // namespace

Handler bits_handler(const Instruction& in) {
  switch (in.types[0]) {
    case Type::kB32:
      return bits<std::uint32_t>(in);
    case Type::kB64:
      return bits<std::uint64_t>(in);
    case Type::kU32:
      return fields<std::uint32_t>(in);
    case Type::kS32:
      return fields<std::int32_t>(in);
    case Type::kU64:
      return fields<std::uint64_t>(in);
    case Type::kS64:
      return fields<std::int64_t>(in);
    default:
      return nullptr;
  }
}

}  // namespace warpgrade::sim

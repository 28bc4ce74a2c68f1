// SPDX-License-Identifier: Apache-2.0
// Bits of a word: counting, finding and moving them, logic, shifts, permutations, moves of slots.
//
// PTX ISA 9.0: popc, clz, bfind, brev, bfe and bfi are in 9.7.1, logic, shifts and bit
// permutations in 9.7.8 and 9.7.9. Moves between slots resize, pack and unpack values, and copy
// predicates.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "common/sim/exec/handlers.h"

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

namespace {

// Logic, shifts and bit permutations (PTX ISA 9.0, 9.7.8 and 9.7.9), and moves between slots.

template <typename T>
T bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <typename T>
T bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <typename T>
T bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <typename T>
T bit_not(T a) {
  return static_cast<T>(~a);
}
template <typename T>
T cnot(T a) {
  return a == 0 ? T{1} : T{0};
}
template <typename T>
T copy(T a) {
  return a;
}

// A shift by at least the width gives zero, or the sign.
template <typename T>
T shl(T a, std::uint32_t b) {
  return b >= 8 * sizeof(T) ? T{0} : static_cast<T>(a << b);
}
template <typename T>
T shr(T a, std::uint32_t b) {
  constexpr std::uint32_t kBits = 8 * sizeof(T);
  if (b < kBits) return static_cast<T>(a >> b);
  return a < 0 ? static_cast<T>(-1) : T{0};
}

// The upper or lower 32 bits of (b:a) after a shift by c, clamped to 32 or modulo 32.
std::uint64_t joined(std::uint32_t a, std::uint32_t b) { return std::uint64_t{b} << 32 | a; }
std::uint32_t clamped(std::uint32_t c) { return c < 32 ? c : 32; }
std::uint32_t shf_l_wrap(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return static_cast<std::uint32_t>((joined(a, b) << (c & 31)) >> 32);
}
std::uint32_t shf_r_wrap(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return static_cast<std::uint32_t>(joined(a, b) >> (c & 31));
}
std::uint32_t shf_l_clamp(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return static_cast<std::uint32_t>((joined(a, b) << clamped(c)) >> 32);
}
std::uint32_t shf_r_clamp(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return static_cast<std::uint32_t>(joined(a, b) >> clamped(c));
}

std::uint32_t byte_of(std::uint64_t bytes, std::uint32_t selector) {
  const auto byte = static_cast<std::uint32_t>(bytes >> (8 * (selector & 7))) & 0xff;
  if ((selector & 8) == 0) return byte;
  return (byte & 0x80) != 0 ? 0xff : 0;  // eight copies of the sign
}
std::uint32_t prmt(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < 4; ++i)
    result |= byte_of(joined(a, b), (c >> (4 * i)) & 0xf) << (8 * i);
  return result;
}
// The six modes of prmt, by the low two bits of c (table in 9.7.9.7), which select the byte for
// place i.
template <auto Select>
std::uint32_t prmt_mode(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < 4; ++i)
    result |= byte_of(joined(a, b), Select(c & 3, i)) << (8 * i);
  return result;
}
std::uint32_t f4e(std::uint32_t c, std::uint32_t i) { return (c + i) & 7; }
std::uint32_t b4e(std::uint32_t c, std::uint32_t i) { return (c - i) & 7; }
std::uint32_t rc8(std::uint32_t c, std::uint32_t) { return c; }
std::uint32_t ecl(std::uint32_t c, std::uint32_t i) { return i < c ? c : i; }
std::uint32_t ecr(std::uint32_t c, std::uint32_t i) { return i < c ? i : c; }
std::uint32_t rc16(std::uint32_t c, std::uint32_t i) { return 2 * (c & 1) + (i & 1); }

// Any function of three bits, defined by its table.
void lop3(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  auto* d = warp.lanes<std::uint32_t>(op.d);
  const auto* a = warp.lanes<std::uint32_t>(op.a);
  const auto* b = warp.lanes<std::uint32_t>(op.b);
  const auto* c = warp.lanes<std::uint32_t>(op.c);
  std::uint32_t term[8];
  for (std::uint32_t i = 0; i < 8; ++i) term[i] = (op.offset >> i & 1) != 0 ? ~0U : 0U;
  for_each_lane(mask, [&, d, a, b, c](std::uint32_t i) {
    const auto x = a[i];
    const auto y = b[i];
    const auto z = c[i];
    d[i] = (term[0] & ~x & ~y & ~z) | (term[1] & ~x & ~y & z) | (term[2] & ~x & y & ~z) |
           (term[3] & ~x & y & z) | (term[4] & x & ~y & ~z) | (term[5] & x & ~y & z) |
           (term[6] & x & y & ~z) | (term[7] & x & y & z);
  });
}

// Predicates are masks, so one operation handles all lanes.
template <auto F>
void predicate_binary(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  write_predicate(warp, op.d, mask, F(warp.predicate(op.a), warp.predicate(op.b)));
}
void predicate_not(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  write_predicate(warp, op.d, mask, ~warp.predicate(op.a));
}
void predicate_copy(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  write_predicate(warp, op.d, mask, warp.predicate(op.a));
}

template <typename To, typename From>
void resize(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  // An 8-bit value is held in 16 bits.
  using FromSlot = std::conditional_t<sizeof(From) == 1, std::uint16_t, From>;
  using ToSlot = std::conditional_t<sizeof(To) == 1, std::uint16_t, To>;
  auto* d = warp.lanes<ToSlot>(op.d);
  const auto* a = warp.lanes<FromSlot>(op.a);
  for_each_lane(mask, [=](std::uint32_t i) {
    d[i] = static_cast<ToSlot>(static_cast<To>(static_cast<From>(a[i])));
  });
}

template <typename To>
Handler resize_from(std::uint32_t from, bool sign) {
  switch (from) {
    case 1:
      return sign ? resize<To, std::int8_t> : resize<To, std::uint8_t>;
    case 2:
      return sign ? resize<To, std::int16_t> : resize<To, std::uint16_t>;
    case 4:
      return sign ? resize<To, std::int32_t> : resize<To, std::uint32_t>;
    case 8:
      return resize<To, std::uint64_t>;
    default:
      return nullptr;
  }
}

// A byte is held in 16 bits.
template <typename Part>
using HeldPart = std::conditional_t<sizeof(Part) == 1, std::uint16_t, Part>;

template <typename Whole, typename Part, int kCount>
void pack(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  auto* d = warp.lanes<Whole>(op.d);
  const auto* slots = warp.block->parts.code.vectors.data() + op.target;
  for_each_lane(mask, [&, d](std::uint32_t i) {
    Part parts[kCount];
    for (int part = 0; part < kCount; ++part) {
      parts[part] = static_cast<Part>(warp.lanes<HeldPart<Part>>(slots[part])[i]);
    }
    std::memcpy(&d[i], parts, sizeof(Whole));
  });
}

template <typename Whole, typename Part, int kCount>
void unpack(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* a = warp.lanes<Whole>(op.a);
  const auto* slots = warp.block->parts.code.vectors.data() + op.target;
  for_each_lane(mask, [&, a](std::uint32_t i) {
    Part parts[kCount];
    std::memcpy(parts, &a[i], sizeof(Whole));
    for (int part = 0; part < kCount; ++part) {
      warp.lanes<HeldPart<Part>>(slots[part])[i] = parts[part];
    }
  });
}

// With predicates as operands, F combines the masks of all lanes.
template <typename T, auto F>
Handler bitwise(bool of_predicates) {
  if constexpr (std::is_same_v<T, std::uint32_t>) {
    if (of_predicates) return predicate_binary<F>;
  }
  return binary<T, T, T, F>;
}

template <typename T>
Handler typed(const Instruction& in) {
  const bool of_predicates = in.types[0] == Type::kPred;
  switch (in.opcode) {
    case Opcode::and_:
      return bitwise<T, bit_and<T>>(of_predicates);
    case Opcode::or_:
      return bitwise<T, bit_or<T>>(of_predicates);
    case Opcode::xor_:
      return bitwise<T, bit_xor<T>>(of_predicates);
    case Opcode::not_:
      return of_predicates ? predicate_not : unary<T, T, bit_not<T>>;
    case Opcode::cnot:
      return unary<T, T, cnot<T>>;
    case Opcode::shl:
      return binary<T, T, std::uint32_t, shl<T>>;
    case Opcode::shr:
      return binary<T, T, std::uint32_t, shr<T>>;
    default:
      return nullptr;
  }
}

Handler prmt_handler(const ptx::ModifierSet& m) {
  using U = std::uint32_t;
  if (m.has(Modifier::f4e)) return ternary<U, U, U, U, prmt_mode<f4e>>;
  if (m.has(Modifier::b4e)) return ternary<U, U, U, U, prmt_mode<b4e>>;
  if (m.has(Modifier::rc8)) return ternary<U, U, U, U, prmt_mode<rc8>>;
  if (m.has(Modifier::ecl)) return ternary<U, U, U, U, prmt_mode<ecl>>;
  if (m.has(Modifier::ecr)) return ternary<U, U, U, U, prmt_mode<ecr>>;
  if (m.has(Modifier::rc16)) return ternary<U, U, U, U, prmt_mode<rc16>>;
  return ternary<U, U, U, U, prmt>;
}

Handler shf_handler(const ptx::ModifierSet& m) {
  using U = std::uint32_t;
  const bool left = m.has(Modifier::l);
  if (m.has(Modifier::wrap))
    return left ? ternary<U, U, U, U, shf_l_wrap> : ternary<U, U, U, U, shf_r_wrap>;
  return left ? ternary<U, U, U, U, shf_l_clamp> : ternary<U, U, U, U, shf_r_clamp>;
}

}  // namespace

Handler logic_handler(const Instruction& in) {
  if (in.opcode == Opcode::lop3) return lop3;
  if (in.opcode == Opcode::prmt) return prmt_handler(in.modifiers);
  if (in.opcode == Opcode::shf) return shf_handler(in.modifiers);
  switch (in.types[0]) {
    case Type::kB16:
    case Type::kU16:
      return typed<std::uint16_t>(in);
    case Type::kPred:
    case Type::kB32:
    case Type::kU32:
      return typed<std::uint32_t>(in);
    case Type::kB64:
    case Type::kU64:
      return typed<std::uint64_t>(in);
    case Type::kS16:
      return typed<std::int16_t>(in);
    case Type::kS32:
      return typed<std::int32_t>(in);
    case Type::kS64:
      return typed<std::int64_t>(in);
    default:
      return nullptr;
  }
}

Handler resize_handler(std::uint32_t to, std::uint32_t from, bool sign) {
  switch (to) {
    case 1:
      return resize_from<std::uint8_t>(from, sign);
    case 2:
      return resize_from<std::uint16_t>(from, sign);
    case 4:
      return resize_from<std::uint32_t>(from, sign);
    case 8:
      return resize_from<std::uint64_t>(from, sign);
    default:
      return nullptr;
  }
}

Handler negate_predicate_handler() { return predicate_not; }

Handler copy_handler(std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return predicate_copy;
    case 2:
      return unary<std::uint16_t, std::uint16_t, copy<std::uint16_t>>;
    case 4:
      return unary<std::uint32_t, std::uint32_t, copy<std::uint32_t>>;
    case 8:
      return unary<std::uint64_t, std::uint64_t, copy<std::uint64_t>>;
    case 16:
      return unary<Wide, Wide, copy<Wide>>;
    default:
      return nullptr;
  }
}

Handler pack_handler(std::uint32_t element_bytes, std::uint32_t count) {
  if (element_bytes == 1 && count == 2) return pack<std::uint16_t, std::uint8_t, 2>;
  if (element_bytes == 1 && count == 4) return pack<std::uint32_t, std::uint8_t, 4>;
  if (element_bytes == 2 && count == 2) return pack<std::uint32_t, std::uint16_t, 2>;
  if (element_bytes == 2 && count == 4) return pack<std::uint64_t, std::uint16_t, 4>;
  if (element_bytes == 4 && count == 2) return pack<std::uint64_t, std::uint32_t, 2>;
  return element_bytes == 8 && count == 2 ? pack<Wide, std::uint64_t, 2> : nullptr;
}

Handler unpack_handler(std::uint32_t element_bytes, std::uint32_t count) {
  if (element_bytes == 1 && count == 2) return unpack<std::uint16_t, std::uint8_t, 2>;
  if (element_bytes == 1 && count == 4) return unpack<std::uint32_t, std::uint8_t, 4>;
  if (element_bytes == 2 && count == 2) return unpack<std::uint32_t, std::uint16_t, 2>;
  if (element_bytes == 2 && count == 4) return unpack<std::uint64_t, std::uint16_t, 4>;
  if (element_bytes == 4 && count == 2) return unpack<std::uint64_t, std::uint32_t, 2>;
  return element_bytes == 8 && count == 2 ? unpack<Wide, std::uint64_t, 2> : nullptr;
}

}  // namespace warpgrade::sim

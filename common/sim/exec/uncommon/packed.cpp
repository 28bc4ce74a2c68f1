// SPDX-License-Identifier: Apache-2.0
// Packed integers and remaining bit-field instructions (PTX ISA 9.0, 9.7.1 and 9.7.14): dp2a, dp4a,
// vabsdiff2 and 4, add, min and max of u16x2 and s16x2, .relu, bmsk, szext, fns.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "common/sim/exec/handlers.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;
using U = std::uint32_t;

// Two 16-bit parts of a times two bytes of b (the lower or the upper ones), plus c.
template <typename A, typename B, bool kHigh>
U dp2a(U a, U b, U c) {
  for (int i = 0; i < 2; ++i) {
    const auto part = static_cast<A>(a >> (16 * i));
    const auto byte = static_cast<B>(b >> (8 * i + (kHigh ? 16 : 0)));
    c += static_cast<U>(std::int32_t{part} * byte);
  }
  return c;
}

// Four bytes of a times four bytes of b, plus c.
template <typename A, typename B>
U dp4a(U a, U b, U c) {
  for (int i = 0; i < 4; ++i) {
    c += static_cast<U>(static_cast<A>(a >> (8 * i)) * static_cast<B>(b >> (8 * i)));
  }
  return c;
}

// Distances of four bytes or two halves; with kAdd, their sum plus c.
template <typename A, typename B, bool kAdd>
U vabsdiff(U a, U b, U c) {
  constexpr unsigned kBits = 8 * sizeof(A);
  U packed = 0;
  for (unsigned at = 0; at < 32; at += kBits) {
    const int difference = static_cast<A>(a >> at) - static_cast<B>(b >> at);
    const auto distance = static_cast<U>(difference < 0 ? -difference : difference);
    c += distance;
    packed |= (distance & ((1U << kBits) - 1)) << at;
  }
  return kAdd ? c : packed;
}

enum class Operation : std::uint8_t { kAdd, kMin, kMax };

template <typename T, Operation kOperation, bool kRelu>
T part(T a, T b) {
  if constexpr (kOperation == Operation::kAdd) return static_cast<T>(a + b);
  const T chosen = kOperation == Operation::kMin ? std::min(a, b) : std::max(a, b);
  return kRelu ? std::max(chosen, T{0}) : chosen;
}

template <typename T, Operation kOperation, bool kRelu>
U both(U a, U b) {
  const auto one = [](U x, U y) {
    return static_cast<U>(static_cast<std::uint16_t>(
        part<T, kOperation, kRelu>(static_cast<T>(x), static_cast<T>(y))));
  };
  return one(a, b) | one(a >> 16, b >> 16) << 16;
}

template <typename T>
Handler pair_handler(const Instruction& in) {
  const bool relu = in.modifiers.has(Modifier::relu);
  switch (in.opcode) {
    case Opcode::add:
      return binary<U, U, U, both<T, Operation::kAdd, false>>;
    case Opcode::min:
      return relu ? binary<U, U, U, both<T, Operation::kMin, true>>
                  : binary<U, U, U, both<T, Operation::kMin, false>>;
    case Opcode::max:
      return relu ? binary<U, U, U, both<T, Operation::kMax, true>>
                  : binary<U, U, U, both<T, Operation::kMax, false>>;
    default:
      return nullptr;
  }
}

// b ones from bit a on; amounts are clamped to 32 or taken modulo 32.
template <bool kWrap>
U bmsk(U a, U b) {
  a = kWrap ? a & 31 : std::min(a, 32U);
  b = kWrap ? b & 31 : std::min(b, 32U);
  return static_cast<U>(((std::uint64_t{1} << b) - 1) << a);
}

// The low b bits of a, extended by zeros or by their sign.
template <bool kWrap, bool kSigned>
U szext(U a, U b) {
  b = kWrap ? b & 31 : std::min(b, 32U);
  if (b == 0) return 0;
  const U field = b == 32 ? a : a & ((1U << b) - 1);
  return kSigned && b < 32 && (field >> (b - 1) & 1) != 0 ? field | ~0U << b : field;
}

template <bool kWrap>
Handler szext_handler(bool is_signed) {
  return is_signed ? binary<U, U, U, szext<kWrap, true>> : binary<U, U, U, szext<kWrap, false>>;
}

// The position of the offset-th set bit of the mask, counted upwards from `base` for a positive
// offset and downwards for a negative one; offset 0 selects bit `base` itself.
U fns(U mask, U base, U offset_bits) {
  const auto offset = static_cast<std::int32_t>(offset_bits);
  if (base > 31) return ~0U;
  if (offset == 0) return (mask >> base & 1) != 0 ? base : ~0U;
  const int step = offset > 0 ? 1 : -1;
  std::int64_t left = offset > 0 ? offset : -std::int64_t{offset};
  for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step) {
    if ((mask >> at & 1) != 0 && --left == 0) return static_cast<U>(at);
  }
  return ~0U;
}

template <typename A, typename B>
Handler vabsdiff_handler(const Instruction& in) {
  return in.modifiers.has(Modifier::add) ? ternary<U, U, U, U, vabsdiff<A, B, true>>
                                         : ternary<U, U, U, U, vabsdiff<A, B, false>>;
}

template <typename Byte>
using HalfLike = std::conditional_t<std::is_signed_v<Byte>, std::int16_t, std::uint16_t>;

// The handler for the signs of a and b, which the types from `first` on give.
template <typename Choose>
Handler by_signs(const Instruction& in, std::size_t first, const Choose& choose) {
  using S = std::int8_t;
  using N = std::uint8_t;
  const bool b = in.types[first + 1] == Type::kS32;
  if (in.types[first] != Type::kS32) return b ? choose(N{}, S{}) : choose(N{}, N{});
  return b ? choose(S{}, S{}) : choose(S{}, N{});
}

}  // namespace

Handler packed_handler(const Instruction& in) {
  if (in.types[0] == Type::kU16x2) return pair_handler<std::uint16_t>(in);
  return in.types[0] == Type::kS16x2 ? pair_handler<std::int16_t>(in) : nullptr;
}

// dp2a and dp4a name the types of a and b; vabsdiff names the type of the result before them.
Handler bit_fields_handler(const Instruction& in) {
  const auto& m = in.modifiers;
  switch (in.opcode) {
    case Opcode::dp2a:
      return by_signs(in, 0, [&]<typename A, typename B>(A, B) -> Handler {
        return m.has(Modifier::hi) ? ternary<U, U, U, U, dp2a<HalfLike<A>, B, true>>
                                   : ternary<U, U, U, U, dp2a<HalfLike<A>, B, false>>;
      });
    case Opcode::dp4a:
      return by_signs(in, 0, []<typename A, typename B>(A, B) -> Handler {
        return ternary<U, U, U, U, dp4a<A, B>>;
      });
    case Opcode::vabsdiff2:
      return by_signs(in, 1, [&]<typename A, typename B>(A, B) {
        return vabsdiff_handler<HalfLike<A>, HalfLike<B>>(in);
      });
    case Opcode::vabsdiff4:
      return by_signs(in, 1,
                      [&]<typename A, typename B>(A, B) { return vabsdiff_handler<A, B>(in); });
    case Opcode::bmsk:
      return m.has(Modifier::wrap) ? binary<U, U, U, bmsk<true>> : binary<U, U, U, bmsk<false>>;
    case Opcode::szext: {
      const bool is_signed = in.types[0] == Type::kS32;
      return m.has(Modifier::wrap) ? szext_handler<true>(is_signed)
                                   : szext_handler<false>(is_signed);
    }
    case Opcode::fns:
      return ternary<U, U, U, U, fns>;
    default:
      return nullptr;
  }
}

}  // namespace warpgrade::sim

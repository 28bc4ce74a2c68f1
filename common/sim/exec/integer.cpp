// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic (PTX ISA 9.0, 9.7.1 and 9.7.2). Each function computes one lane's result with
// unsigned arithmetic, so nothing overflows in C++.

#include <cstdint>
#include <type_traits>

#include "common/ptx/instruction_facts.h"
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
struct Wider;
template <>
struct Wider<std::int16_t> {
  using Of = std::int32_t;
};
template <>
struct Wider<std::uint16_t> {
  using Of = std::uint32_t;
};
template <>
struct Wider<std::int32_t> {
  using Of = std::int64_t;
};
template <>
struct Wider<std::uint32_t> {
  using Of = std::uint64_t;
};
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;
template <>
struct Wider<std::int64_t> {
  using Of = Int128;
};
template <>
struct Wider<std::uint64_t> {
  using Of = UInt128;
};

template <typename T>
T add(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
}
template <typename T>
T sub(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
}
template <typename T>
T mul_lo(T a, T b) {
  // In 64 bits, because unsigned short would be promoted to int, whose overflow is undefined.
  return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
template <typename T>
T mul_hi(T a, T b) {
  using W = typename Wider<T>::Of;
  return static_cast<T>((static_cast<W>(a) * static_cast<W>(b)) >> (8 * sizeof(T)));
}
template <typename T>
auto mul_wide(T a, T b) {
  using W = typename Wider<T>::Of;
  return static_cast<W>(static_cast<W>(a) * static_cast<W>(b));
}
std::int32_t saturated(std::int64_t value) {
  return value > INT32_MAX   ? INT32_MAX
         : value < INT32_MIN ? INT32_MIN
                             : static_cast<std::int32_t>(value);
}
std::int32_t add_sat(std::int32_t a, std::int32_t b) { return saturated(std::int64_t{a} + b); }
std::int32_t sub_sat(std::int32_t a, std::int32_t b) { return saturated(std::int64_t{a} - b); }

template <typename T>
T mad_lo(T a, T b, T c) {
  return add(mul_lo(a, b), c);
}
template <typename T>
T mad_hi(T a, T b, T c) {
  return add(mul_hi(a, b), c);
}
std::int32_t mad_hi_sat(std::int32_t a, std::int32_t b, std::int32_t c) {
  return saturated(std::int64_t{mul_hi(a, b)} + c);
}
template <typename T>
auto mad_wide(T a, T b, typename Wider<T>::Of c) {
  using U = Unsigned<typename Wider<T>::Of>;
  return static_cast<typename Wider<T>::Of>(static_cast<U>(mul_wide(a, b)) + static_cast<U>(c));
}

// Division by zero gives all ones for quotient and remainder, and the smallest number divided by -1
// gives itself, like the division routines of the GPU. Numbers up to 32 bits are divided as
// doubles, which vectorises. A fractional quotient is further from the next whole number than the
// rounding error. The code has no branch.
template <typename T>
T div(T a, T b) {
  if constexpr (sizeof(T) <= sizeof(std::int32_t)) {
    const auto by = static_cast<double>(static_cast<T>(b | static_cast<T>(b == 0)));
    const auto quotient = static_cast<std::int64_t>(static_cast<double>(a) / by);
    return static_cast<T>(quotient | -static_cast<std::int64_t>(b == 0));
  } else {
    if (b == 0) return static_cast<T>(~Unsigned<T>{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a));
    }
    return static_cast<T>(a / b);
  }
}
template <typename T>
T rem(T a, T b) {
  if constexpr (sizeof(T) <= sizeof(std::int32_t)) {
    return static_cast<T>(sub(a, mul_lo(div(a, b), b)) | -static_cast<int>(b == 0));
  } else {
    if (b == 0) return static_cast<T>(~Unsigned<T>{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
}

template <typename T>
T abs(T a) {
  return a < 0 ? sub(T{0}, a) : a;
}
template <typename T>
T neg(T a) {
  return sub(T{0}, a);
}
template <typename T>
T min(T a, T b) {
  return b < a ? b : a;
}
template <typename T>
T max(T a, T b) {
  return a < b ? b : a;
}
template <auto F, typename T>
T relu(T a, T b) {
  return max(F(a, b), T{0});
}
template <typename T>
T sad(T c_minus, T b, T c) {
  return add(c, c_minus < b ? sub(b, c_minus) : sub(c_minus, b));
}

template <typename T>
T sign_24(T a) {
  if constexpr (std::is_signed_v<T>) return static_cast<T>(static_cast<std::uint32_t>(a) << 8) >> 8;
  return a & 0xffffff;
}
template <typename T>
T mul24_lo(T a, T b) {
  return static_cast<T>(mul_wide(sign_24(a), sign_24(b)));
}
template <typename T>
T mul24_hi(T a, T b) {
  return static_cast<T>(mul_wide(sign_24(a), sign_24(b)) >> 16);
}
template <typename T>
T mad24_lo(T a, T b, T c) {
  return add(mul24_lo(a, b), c);
}
template <typename T>
T mad24_hi(T a, T b, T c) {
  return add(mul24_hi(a, b), c);
}
std::int32_t mad24_hi_sat(std::int32_t a, std::int32_t b, std::int32_t c) {
  return saturated(std::int64_t{mul24_hi(a, b)} + c);
}

// add.cc, addc, sub.cc, subc, mad.cc and madc: the carry of a lane is bit i of Warp::carry. T is
// unsigned; F is the type of the factors. A subtraction adds the complement, so 1 means no borrow:
// __int128's division reads a borrow with addc.
template <typename T, Opcode kOpcode, typename F = T>
void with_carry(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  T* d = warp.lanes<T>(op.d);
  const T* a = warp.lanes<T>(op.a);
  const T* b = warp.lanes<T>(op.b);
  const bool uses = kOpcode == Opcode::addc || kOpcode == Opcode::subc || kOpcode == Opcode::madc;
  const bool is_mad = kOpcode == Opcode::mad || kOpcode == Opcode::madc;
  const bool is_sub = kOpcode == Opcode::sub || kOpcode == Opcode::subc;
  const auto* flags = warp.block->parts.code.function->instructions.data() + op.instruction;
  for_each_lane(mask, [&, d, a, b](std::uint32_t i) {
    using W = typename Wider<T>::Of;
    T x = a[i];
    T y = b[i];
    if (is_mad) {
      x = flags->modifiers.has(Modifier::hi)
              ? static_cast<T>(mul_hi(static_cast<F>(a[i]), static_cast<F>(b[i])))
              : mul_lo(a[i], b[i]);
      y = warp.lanes<T>(op.c)[i];
    }
    if (is_sub) y = static_cast<T>(~y);
    const W carry = uses ? (warp.carry >> i) & 1 : (is_sub ? 1 : 0);
    const W sum = static_cast<W>(x) + static_cast<W>(y) + carry;
    d[i] = static_cast<T>(sum);
    if (flags->modifiers.has(Modifier::cc)) {
      const auto out = static_cast<std::uint32_t>((sum >> (8 * sizeof(T))) & 1);
      warp.carry = (warp.carry & ~(1U << i)) | out << i;
    }
  });
}

template <typename T>
Handler carry_handler(Opcode opcode, bool is_signed) {
  using S = std::make_signed_t<T>;
  switch (opcode) {
    case Opcode::add:
      return with_carry<T, Opcode::add>;
    case Opcode::addc:
      return with_carry<T, Opcode::addc>;
    case Opcode::sub:
      return with_carry<T, Opcode::sub>;
    case Opcode::subc:
      return with_carry<T, Opcode::subc>;
    case Opcode::mad:
      return is_signed ? with_carry<T, Opcode::mad, S> : with_carry<T, Opcode::mad>;
    case Opcode::madc:
      return is_signed ? with_carry<T, Opcode::madc, S> : with_carry<T, Opcode::madc>;
    default:
      return nullptr;
  }
}

// mul and mad: one half of the product, or all of it. One of lo, hi, wide must be present.
template <typename T>
Handler product(const Instruction& in, bool is_mad) {
  if (in.modifiers.has(Modifier::wide)) {
    if constexpr (sizeof(T) < 8) {
      using W = typename Wider<T>::Of;
      return is_mad ? ternary<W, T, T, W, mad_wide<T>> : binary<W, T, T, mul_wide<T>>;
    }
    return nullptr;
  }
  if (in.modifiers.has(Modifier::hi)) {
    return is_mad ? ternary<T, T, T, T, mad_hi<T>> : binary<T, T, T, mul_hi<T>>;
  }
  if (!in.modifiers.has(Modifier::lo)) return nullptr;
  return is_mad ? ternary<T, T, T, T, mad_lo<T>> : binary<T, T, T, mul_lo<T>>;
}

template <typename T>
Handler typed(const Instruction& in) {
  switch (in.opcode) {
    case Opcode::add:
      return binary<T, T, T, add<T>>;
    case Opcode::sub:
      return binary<T, T, T, sub<T>>;
    case Opcode::mul:
      return product<T>(in, false);
    case Opcode::mad:
      return product<T>(in, true);
    case Opcode::div:
      return binary<T, T, T, div<T>>;
    case Opcode::rem:
      return binary<T, T, T, rem<T>>;
    case Opcode::min:
      return in.modifiers.has(Modifier::relu) ? binary<T, T, T, relu<min<T>, T>>
                                              : binary<T, T, T, min<T>>;
    case Opcode::max:
      return in.modifiers.has(Modifier::relu) ? binary<T, T, T, relu<max<T>, T>>
                                              : binary<T, T, T, max<T>>;
    case Opcode::sad:
      return ternary<T, T, T, T, sad<T>>;
    default:
      break;
  }
  if constexpr (std::is_signed_v<T>) {
    if (in.opcode == Opcode::abs) return unary<T, T, abs<T>>;
    if (in.opcode == Opcode::neg) return unary<T, T, neg<T>>;
  }
  if constexpr (sizeof(T) == 4) {
    const bool high = in.modifiers.has(Modifier::hi);
    if (in.opcode == Opcode::mul24)
      return high ? binary<T, T, T, mul24_hi<T>> : binary<T, T, T, mul24_lo<T>>;
    if (in.opcode == Opcode::mad24)
      return high ? ternary<T, T, T, T, mad24_hi<T>> : ternary<T, T, T, T, mad24_lo<T>>;
  }
  return nullptr;
}

}  // namespace

Handler integer_handler(const Instruction& in) {
  const auto type = in.types[0];
  const bool reads_carry = ptx::facts(in).timing == ptx::Timing::kWithCarry;
  if (reads_carry || in.modifiers.has(Modifier::cc)) {
    const bool wide = ptx::size_of(type) == 8;
    const bool sign = type == Type::kS32 || type == Type::kS64;
    return wide ? carry_handler<std::uint64_t>(in.opcode, sign)
                : carry_handler<std::uint32_t>(in.opcode, sign);
  }
  if (in.modifiers.has(Modifier::sat)) {
    using I = std::int32_t;
    if (type != Type::kS32) return nullptr;
    if (in.opcode == Opcode::add) return binary<I, I, I, add_sat>;
    if (in.opcode == Opcode::sub) return binary<I, I, I, sub_sat>;
    if (in.opcode == Opcode::mad && in.modifiers.has(Modifier::hi))
      return ternary<I, I, I, I, mad_hi_sat>;
    if (in.opcode == Opcode::mad24 && in.modifiers.has(Modifier::hi))
      return ternary<I, I, I, I, mad24_hi_sat>;
    return nullptr;
  }
  switch (type) {
    case Type::kU16:
      return typed<std::uint16_t>(in);
    case Type::kS16:
      return typed<std::int16_t>(in);
    case Type::kU32:
      return typed<std::uint32_t>(in);
    case Type::kS32:
      return typed<std::int32_t>(in);
    case Type::kU64:
      return typed<std::uint64_t>(in);
    case Type::kS64:
      return typed<std::int64_t>(in);
    default:
      return nullptr;
  }
}

}  // namespace warpgrade::sim

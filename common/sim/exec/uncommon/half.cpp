// SPDX-License-Identifier: Apache-2.0
// Arithmetic in f16, bf16 and pairs of them (PTX ISA 9.0, 9.7.4 and 9.7.5); the halves of a pair
// are independent.
//
// Sums, products and fma are rounded once (see half_format.h). ex2.approx and tanh.approx return
// the rounded true value: within their documented error, but not bit-identical to the card.

#include <cstdint>

#include "common/sim/exec/half_format.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;
using Bits = std::uint16_t;

template <typename Format>
Bits flush(Bits a) {
  return (a & 0x7fff) < Format::kLeastNormal ? static_cast<Bits>(a & kHalfSign) : a;
}

double add(double a, double b) { return sum_to_odd(a, b); }
double sub(double a, double b) { return sum_to_odd(a, -b); }
double mul(double a, double b) { return a * b; }  // at most 22 bits
double fma(double a, double b, double c) { return sum_to_odd(a * b, c); }
double exp_2(double a) { return std::exp2(a); }
double tanh_(double a) { return std::tanh(a); }

template <typename Format, auto F, bool kFtz, Clamp kClamp, typename... Sources>
Bits arithmetic(Sources... sources) {
  const auto value = [](Bits a) -> double { return widen<Format>(kFtz ? flush<Format>(a) : a); };
  double exact = F(value(sources)...);
  // Flushes results that would be subnormal with an unbounded exponent.
  const double least = std::ldexp(1.0, Format::kLeastExponent);
  if (kFtz && std::fabs(exact) < least * (1 - std::ldexp(1.0, -Format::kPrecision - 1))) exact *= 0;
  return clamped<Format, kClamp>(narrow<Format, Rounding::kNearest>(exact));
}

template <typename Format, Bits kKeep, Bits kFlip, bool kFtz>
Bits sign_change(Bits a) {
  if (is_nan<Format>(a)) return kHalfNan;
  return static_cast<Bits>(((kFtz ? flush<Format>(a) : a) & kKeep) ^ kFlip);
}

// Returns the other operand if one is NaN, unless kNan; -0 is less than +0. kXorsign compares the
// magnitudes and gives the result the product's sign.
template <typename Format, bool kGreatest, bool kFtz, bool kNan, bool kXorsign>
Bits extreme(Bits a, Bits b) {
  if constexpr (kFtz) {
    a = flush<Format>(a);
    b = flush<Format>(b);
  }
  const Bits sign = kXorsign ? (a ^ b) & kHalfSign : 0;
  if constexpr (kXorsign) {
    a &= 0x7fff;
    b &= 0x7fff;
  }
  const bool a_nan = is_nan<Format>(a);
  const bool b_nan = is_nan<Format>(b);
  if (a_nan && b_nan) return kHalfNan;
  if (a_nan || b_nan) return kNan ? kHalfNan : static_cast<Bits>((a_nan ? b : a) | sign);
  // Sign and magnitude as an ordered number.
  const auto ordered = [](Bits x) { return (x & kHalfSign) != 0 ? -(x & 0x7fff) - 1 : int{x}; };
  const bool first = kGreatest ? ordered(a) > ordered(b) : ordered(a) < ordered(b);
  return static_cast<Bits>((first ? a : b) | sign);
}

// Both halves of a pair.
template <auto F, typename... Sources>
std::uint32_t paired(Sources... sources) {
  const auto low = F(static_cast<Bits>(sources)...);
  const auto high = F(static_cast<Bits>(sources >> 16)...);
  return static_cast<std::uint32_t>(low) | static_cast<std::uint32_t>(high) << 16;
}

template <bool kPair, auto F, int kSources>
constexpr Handler lanes_of() {
  using P = std::uint32_t;
  if constexpr (kPair) {
    if constexpr (kSources == 1) return unary<P, P, paired<F, P>>;
    if constexpr (kSources == 2) return binary<P, P, P, paired<F, P, P>>;
    if constexpr (kSources == 3) return ternary<P, P, P, P, paired<F, P, P, P>>;
  } else {
    if constexpr (kSources == 1) return unary<Bits, Bits, F>;
    if constexpr (kSources == 2) return binary<Bits, Bits, Bits, F>;
    if constexpr (kSources == 3) return ternary<Bits, Bits, Bits, Bits, F>;
  }
}

// `kUnits` are those of one number.
template <bool kPair, auto F, int kSources, std::uint64_t kUnits>
Handler charged_lanes() {
  constexpr Handler kInner = lanes_of<kPair, F, kSources>();
  return charged < kInner, kPair ? 2 * kUnits : kUnits > ;
}

template <typename Format, bool kPair, auto F, int kSources, bool kFtz, Clamp kClamp>
Handler with_clamp() {
  if constexpr (kSources == 1) {
    constexpr auto kUnits = F == tanh_ ? kHalfTanhWork : kHalfWork;
    return charged_lanes<kPair, arithmetic<Format, F, kFtz, kClamp, Bits>, 1, kUnits>();
  }
  constexpr auto kUnits = kHalfWork;
  if constexpr (kSources == 2)
    return charged_lanes<kPair, arithmetic<Format, F, kFtz, kClamp, Bits, Bits>, 2, kUnits>();
  if constexpr (kSources == 3)
    return charged_lanes<kPair, arithmetic<Format, F, kFtz, kClamp, Bits, Bits, Bits>, 3, kUnits>();
}

template <typename Format, bool kPair, auto F, int kSources>
Handler operation(const ptx::ModifierSet& m) {
  const bool ftz = m.has(Modifier::ftz);
  if (m.has(Modifier::rz) || m.has(Modifier::rm) || m.has(Modifier::rp)) return nullptr;
  if (m.has(Modifier::sat)) {
    return ftz ? with_clamp<Format, kPair, F, kSources, true, Clamp::kSat>()
               : with_clamp<Format, kPair, F, kSources, false, Clamp::kSat>();
  }
  if (m.has(Modifier::relu)) {
    return ftz ? with_clamp<Format, kPair, F, kSources, true, Clamp::kRelu>()
               : with_clamp<Format, kPair, F, kSources, false, Clamp::kRelu>();
  }
  return ftz ? with_clamp<Format, kPair, F, kSources, true, Clamp::kNone>()
             : with_clamp<Format, kPair, F, kSources, false, Clamp::kNone>();
}

template <typename Format, bool kPair, bool kGreatest, bool kFtz>
Handler extreme_with(const ptx::ModifierSet& m) {
  const bool nan = m.has(Modifier::nan);
  if (m.has(Modifier::xorsign)) {
    return nan ? lanes_of<kPair, extreme<Format, kGreatest, kFtz, true, true>, 2>()
               : lanes_of<kPair, extreme<Format, kGreatest, kFtz, false, true>, 2>();
  }
  return nan ? lanes_of<kPair, extreme<Format, kGreatest, kFtz, true, false>, 2>()
             : lanes_of<kPair, extreme<Format, kGreatest, kFtz, false, false>, 2>();
}

template <typename Format, bool kPair, bool kGreatest>
Handler extreme_handler(const ptx::ModifierSet& m) {
  return m.has(Modifier::ftz) ? extreme_with<Format, kPair, kGreatest, true>(m)
                              : extreme_with<Format, kPair, kGreatest, false>(m);
}

template <typename Format, bool kPair, Bits kKeep, Bits kFlip>
Handler sign_handler(const ptx::ModifierSet& m) {
  return m.has(Modifier::ftz) ? lanes_of<kPair, sign_change<Format, kKeep, kFlip, true>, 1>()
                              : lanes_of<kPair, sign_change<Format, kKeep, kFlip, false>, 1>();
}

template <typename Format, bool kPair>
Handler typed(const Instruction& in) {
  const auto& m = in.modifiers;
  switch (in.opcode) {
    case Opcode::add:
      return operation<Format, kPair, add, 2>(m);
    case Opcode::sub:
      return operation<Format, kPair, sub, 2>(m);
    case Opcode::mul:
      return operation<Format, kPair, mul, 2>(m);
    case Opcode::fma:
      return operation<Format, kPair, fma, 3>(m);
    case Opcode::ex2:
      return operation<Format, kPair, exp_2, 1>(m);
    case Opcode::tanh:
      return operation<Format, kPair, tanh_, 1>(m);
    case Opcode::neg:
      return sign_handler<Format, kPair, 0xffff, kHalfSign>(m);
    case Opcode::abs:
      return sign_handler<Format, kPair, 0x7fff, 0>(m);
    case Opcode::min:
      return extreme_handler<Format, kPair, false>(m);
    case Opcode::max:
      return extreme_handler<Format, kPair, true>(m);
    default:
      return nullptr;
  }
}

}  // namespace

Handler half_handler(const Instruction& in) {
  switch (in.types[0]) {
    case Type::kF16:
      return typed<F16, false>(in);
    case Type::kF16x2:
      return typed<F16, true>(in);
    case Type::kBf16:
      return typed<Bf16, false>(in);
    case Type::kBf16x2:
      return typed<Bf16, true>(in);
    default:
      return nullptr;
  }
}

}  // namespace warpgrade::sim

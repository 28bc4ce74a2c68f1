// SPDX-License-Identifier: Apache-2.0
// Floating-point arithmetic in f32 and f64 (PTX ISA 9.0, 9.7.3).
//
// Results follow IEEE 754 and are rounded once (the build forbids contraction). A NaN result of f32
// is 0x7fffffff for all operands. The .approx and .full functions return a value rounded from a
// more precise one, which is closer to the true value than the card's.
// tests/evidence/golden/h200_ptx/errors.txt lists how often it equals the card's bits: tanh 94 of
// 100, ex2 92, rcp 87, lg2 50. Directed rounding sets the host's rounding mode around a handler;
// this file is compiled with -frounding-math for that.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "common/sim/exec/handlers.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

float canonical(float value) { return value != value ? std::bit_cast<float>(0x7fffffffU) : value; }
double canonical(double value) { return value; }

float flush(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits & 0x7f800000U) == 0 ? std::bit_cast<float>(bits & 0x80000000U) : value;
}
double flush(double value) { return value; }

// Between 0 and 1, NaN to 0.
template <typename T>
T saturate(T value) {
  if (!(value > 0)) return 0;
  return value > 1 ? T{1} : value;
}

// An operation with the instruction's .ftz and .sat.
template <auto F, bool kFtz, bool kSat, typename T, typename... Rest>
T adorned(T a, Rest... rest) {
  T result = kFtz ? F(flush(a), flush(rest)...) : F(a, rest...);
  result = canonical(result);
  if (kFtz) result = flush(result);
  return kSat ? saturate(result) : result;
}

// The sign bit flips or clears even for NaNs.
template <typename T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <typename T>
constexpr Bits<T> kSign = Bits<T>{1} << (8 * sizeof(T) - 1);

template <typename T>
T quiet(T a) {  // the card's result for a NaN operand; f32 has only one NaN
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(0x7fffffffU);
  } else {
    return std::bit_cast<T>(std::bit_cast<Bits<T>>(a) | Bits<T>{1} << 51);
  }
}
// f64 passes on a source's NaN, made quiet: the first of b, c, a that is NaN, if ptxas keeps the
// order of the sources. Otherwise returns `result`.
template <typename T>
T with_nan_of(T result, T first, T second) {
  if constexpr (sizeof(T) == 8) {
    if (result != result) {
      return first != first ? quiet(first) : second != second ? quiet(second) : result;
    }
  }
  return result;
}

template <typename T>
T add(T a, T b) {
  return with_nan_of(a + b, b, a);
}
template <typename T>
T sub(T a, T b) {
  return with_nan_of(a - b, b, a);
}
template <typename T>
T mul(T a, T b) {
  return with_nan_of(a * b, b, a);
}
template <typename T>
T div(T a, T b) {
  return a / b;
}
template <typename T>
T fma(T a, T b, T c) {
  return with_nan_of(with_nan_of(std::fma(a, b, c), c, a), b, b);
}
// .ftz flushes a result that would be subnormal with an unbounded exponent, including one that
// rounding turns into the least normal number.
float mul_flushing(float a, float b) {
  const float result = a * b;
  return std::fabs(a * 0x1p64F * b) < 0x1p-62F ? std::copysign(0.0F, result) : result;
}
float fma_flushing(float a, float b, float c) {
  const float result = std::fma(a, b, c);
  const float scaled = std::fma(a * 0x1p64F, b, c * 0x1p64F);
  return std::fabs(scaled) < 0x1p-62F ? std::copysign(0.0F, result) : result;
}
template <typename T>
T rcp(T a) {
  return 1 / a;
}
template <typename T>
T root(T a) {
  return std::sqrt(a);
}
template <typename T>
T rsqrt(T a) {
  return static_cast<T>(1 / std::sqrt(static_cast<double>(a)));
}
// The angle that sin.approx and cos.approx see: the card multiplies by 1/2pi in f32, rounding
// towards zero, and uses the fraction. The same happens here, so large angles have the same error.
double reduced_angle(float a) {
  constexpr float kInverse = 0x1.45f306p-3F;
  const double exact = static_cast<double>(a) * static_cast<double>(kInverse);
  const auto turns = std::bit_cast<double>(std::bit_cast<std::uint64_t>(exact) >> 29 << 29);
  return 0x1.921fb54442d18p2 * std::fmod(turns, 1.0);
}
float sine(float a) { return static_cast<float>(std::sin(reduced_angle(a))); }
float cosine(float a) { return static_cast<float>(std::cos(reduced_angle(a))); }
float log_2(float a) { return static_cast<float>(std::log2(static_cast<double>(a))); }
float exp_2(float a) { return static_cast<float>(std::exp2(static_cast<double>(a))); }
float tanh_(float a) { return static_cast<float>(std::tanh(static_cast<double>(a))); }

template <typename T>
T absolute(T a) {
  if (a != a) return quiet(a);
  return std::bit_cast<T>(std::bit_cast<Bits<T>>(a) & ~kSign<T>);
}
template <typename T>
T negate(T a) {
  if (a != a) return quiet(a);
  return std::bit_cast<T>(std::bit_cast<Bits<T>>(a) ^ kSign<T>);
}
template <typename T>
T copysign(T a, T b) {  // the magnitude of b with the sign of a
  return std::bit_cast<T>((std::bit_cast<Bits<T>>(b) & ~kSign<T>) |
                          (std::bit_cast<Bits<T>>(a) & kSign<T>));
}

// Returns the other operand if one is NaN; -0 is less than +0.
template <typename T>
T least(T a, T b) {
  if (a != a) return b != b ? quiet(b) : b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <typename T>
T greatest(T a, T b) {
  if (a != a) return b != b ? quiet(b) : b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
template <auto F, typename T>
T or_nan(T a, T b) {
  return a != a || b != b ? std::numeric_limits<T>::quiet_NaN() : F(a, b);
}
// .xorsign.abs: compares magnitudes; the result has the product's sign, including a NaN's sign.
template <auto F>
float with_xorsign(float a, float b) {
  const auto sign = (std::bit_cast<std::uint32_t>(a) ^ std::bit_cast<std::uint32_t>(b)) >> 31 << 31;
  const float value = F(std::fabs(a), std::fabs(b));
  if (value != value) return value;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) | sign);
}

template <typename T>
bool is_finite(T a) {
  return std::isfinite(a);
}
template <typename T>
bool is_infinite(T a) {
  return std::isinf(a);
}
template <typename T>
bool is_nan(T a) {
  return a != a;
}
template <typename T>
bool is_number(T a) {
  return a == a;
}
template <typename T>
bool is_normal(T a) {
  return std::isnormal(a) || a == 0;  // as defined by the manual
}
template <typename T>
bool is_subnormal(T a) {
  return std::fpclassify(a) == FP_SUBNORMAL;
}

template <typename T, auto F>
void testp(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const T* a = warp.lanes<T>(op.a);
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < run::kWarpSize; ++i)
    bits |= static_cast<std::uint32_t>(F(a[i])) << i;
  write_predicate(warp, op.d, mask, bits);
}

template <typename T, auto F, bool kFtz, bool kSat, int kSources>
Handler with_sources(const ptx::ModifierSet& m) {
  if constexpr (kSources == 1) return rounded<unary<T, T, adorned<F, kFtz, kSat, T>>>(m);
  if constexpr (kSources == 2) return rounded<binary<T, T, T, adorned<F, kFtz, kSat, T, T>>>(m);
  if constexpr (kSources == 3)
    return rounded<ternary<T, T, T, T, adorned<F, kFtz, kSat, T, T, T>>>(m);
}

template <typename T, auto F, int kSources>
Handler operation(const ptx::ModifierSet& m) {
  const bool ftz = m.has(Modifier::ftz);
  const bool sat = m.has(Modifier::sat);
  if constexpr (std::is_same_v<T, float>) {
    if (ftz && sat) return with_sources<T, F, true, true, kSources>(m);
    if (ftz) return with_sources<T, F, true, false, kSources>(m);
    if (sat) return with_sources<T, F, false, true, kSources>(m);
  }
  return ftz || sat ? nullptr : with_sources<T, F, false, false, kSources>(m);
}

// min and max of f32 with .NaN and .xorsign.abs.
template <auto F>
Handler extreme_handler(const ptx::ModifierSet& m) {
  const bool nan = m.has(Modifier::nan);
  if (m.has(Modifier::xorsign)) {
    return nan ? operation<float, with_xorsign<or_nan<F, float>>, 2>(m)
               : operation<float, with_xorsign<F>, 2>(m);
  }
  return nan ? operation<float, or_nan<F, float>, 2>(m) : operation<float, F, 2>(m);
}

// div.approx: the reciprocal of b above 2^126 is flushed to zero.
float divide_approximately(float a, float b) {
  const float magnitude = std::fabs(b);
  if (magnitude > 0x1p126F && std::isfinite(b)) return a * std::copysign(0.0F, b);
  return a / b;
}

// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 use only the upper word of source and result.
double upper_word(double a) {
  auto bits = std::bit_cast<std::uint64_t>(a) >> 32 << 32;
  if ((bits & 0x7ff0000000000000U) == 0) bits &= std::uint64_t{1} << 63;
  return std::bit_cast<double>(bits);
}
template <auto F>
double of_upper_word(double a) {
  const double result = F(upper_word(a));
  if (result != result) return std::bit_cast<double>(std::uint64_t{0x7fffffff} << 32);
  return upper_word(result);
}

template <typename T>
Handler testp_handler(const ptx::ModifierSet& m) {
  if (m.has(Modifier::finite)) return testp<T, is_finite<T>>;
  if (m.has(Modifier::infinite)) return testp<T, is_infinite<T>>;
  if (m.has(Modifier::number)) return testp<T, is_number<T>>;
  if (m.has(Modifier::notanumber)) return testp<T, is_nan<T>>;
  if (m.has(Modifier::normal)) return testp<T, is_normal<T>>;
  return m.has(Modifier::subnormal) ? testp<T, is_subnormal<T>> : nullptr;
}

template <typename T>
Handler typed(const Instruction& in) {
  const auto& m = in.modifiers;
  switch (in.opcode) {
    case Opcode::add:
      return operation<T, add<T>, 2>(m);
    case Opcode::sub:
      return operation<T, sub<T>, 2>(m);
    case Opcode::mul:
      if constexpr (std::is_same_v<T, float>) {
        if (m.has(Modifier::ftz)) return operation<T, mul_flushing, 2>(m);
      }
      return operation<T, mul<T>, 2>(m);
    case Opcode::div:
      if constexpr (std::is_same_v<T, float>) {
        if (m.has(Modifier::approx)) return operation<T, divide_approximately, 2>(m);
      }
      return operation<T, div<T>, 2>(m);
    case Opcode::mad:
    case Opcode::fma:
      if constexpr (std::is_same_v<T, float>) {
        if (m.has(Modifier::ftz)) return operation<T, fma_flushing, 3>(m);
      }
      return operation<T, fma<T>, 3>(m);
    case Opcode::rcp:
      if constexpr (std::is_same_v<T, double>) {
        if (m.has(Modifier::approx)) return unary<T, T, of_upper_word<rcp<T>>>;
      }
      return operation<T, rcp<T>, 1>(m);
    case Opcode::sqrt:
      return operation<T, root<T>, 1>(m);
    case Opcode::rsqrt:
      if constexpr (std::is_same_v<T, double>) {
        if (m.has(Modifier::ftz)) return unary<T, T, of_upper_word<rsqrt<T>>>;
      }
      return operation<T, rsqrt<T>, 1>(m);
    case Opcode::min:
      if constexpr (std::is_same_v<T, float>) return extreme_handler<least<T>>(m);
      return operation<T, least<T>, 2>(m);
    case Opcode::max:
      if constexpr (std::is_same_v<T, float>) return extreme_handler<greatest<T>>(m);
      return operation<T, greatest<T>, 2>(m);
    case Opcode::abs:
      return m.has(Modifier::ftz) ? operation<T, absolute<T>, 1>(m) : unary<T, T, absolute<T>>;
    case Opcode::neg:
      return m.has(Modifier::ftz) ? operation<T, negate<T>, 1>(m) : unary<T, T, negate<T>>;
    case Opcode::copysign:
      return binary<T, T, T, copysign<T>>;
    case Opcode::testp:
      return testp_handler<T>(m);
    default:
      return nullptr;
  }
}

}  // namespace

Handler float_handler(const Instruction& in) {
  if (in.modifiers.has(Modifier::relu)) return nullptr;
  if (in.types[0] == Type::kF64) return typed<double>(in);
  if (in.types[0] != Type::kF32) return nullptr;
  switch (in.opcode) {
    case Opcode::sin:
      return operation<float, sine, 1>(in.modifiers);
    case Opcode::cos:
      return operation<float, cosine, 1>(in.modifiers);
    case Opcode::lg2:
      return operation<float, log_2, 1>(in.modifiers);
    case Opcode::ex2:
      return operation<float, exp_2, 1>(in.modifiers);
    case Opcode::tanh:
      return operation<float, tanh_, 1>(in.modifiers);
    default:
      return typed<float>(in);
  }
}

}  // namespace warpgrade::sim

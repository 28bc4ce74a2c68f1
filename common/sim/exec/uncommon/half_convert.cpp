// SPDX-License-Identifier: Apache-2.0
// cvt to and from f16, bf16, pairs of them, e4m3, e5m2 and tf32 (PTX ISA 9.0, 9.7.9.21).
//
// To a 16-bit format: the source is an exact double (a 64-bit integer rounded to odd) and is
// rounded once. To integers: the source is an exact float. e4m3 has no infinity, and its largest
// number is 448. tf32 is an f32 with 10 fraction bits.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "common/sim/exec/half_format.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {
namespace {

// cvt to and from f16 and bf16 (PTX ISA 9.0, 9.7.9.21), including pairs.
//
// To integers: the source is an exact float.

using ptx::Instruction;
using ptx::Modifier;
using ptx::Type;
using Bits = std::uint16_t;

template <typename T>
using Held = std::conditional_t<sizeof(T) == 1, std::uint16_t, T>;

// A source's value as double. F16 and Bf16 serve as source types.
template <typename S>
struct Source {
  using Lane = Held<S>;
  static double value(Lane lane) {
    const auto a = static_cast<S>(lane);
    if constexpr (std::is_integral_v<S> && sizeof(S) == 8) {
      // The sum of two exact halves, rounded to odd, which makes a second rounding safe.
      const auto low = static_cast<double>(static_cast<std::uint32_t>(a));
      return sum_to_odd(static_cast<double>(static_cast<S>(a >> 32)) * 0x1p32, low);
    } else {
      return static_cast<double>(a);
    }
  }
};
template <>
struct Source<F16> {
  using Lane = Bits;
  static double value(Lane lane) { return widen<F16>(lane); }
};
template <>
struct Source<Bf16> {
  using Lane = Bits;
  static double value(Lane lane) { return widen<Bf16>(lane); }
};

float flushed(double a) {
  const auto value = static_cast<float>(a);
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value;
}

template <typename Format, typename S, Rounding kRounding, Clamp kClamp, bool kFtz>
Bits to_half(typename Source<S>::Lane a) {
  double value = Source<S>::value(a);
  if constexpr (kFtz && std::is_same_v<S, float>) value = flushed(value);
  Bits result = narrow<Format, kRounding>(value);
  if constexpr (std::is_same_v<S, double>) {
    // Keeps the sign and the upper bits of the payload.
    const auto bits = std::bit_cast<std::uint64_t>(value);
    constexpr Bits kFraction = (1 << (Format::kPrecision - 1)) - 1;
    constexpr Bits kQuiet = 1 << (Format::kPrecision - 2);
    if (value != value) {
      result = static_cast<Bits>((bits >> 48 & kHalfSign) | Format::kInfinity | kQuiet |
                                 (bits >> (53 - Format::kPrecision) & kFraction));
    }
  }
  return clamped<Format, kClamp>(result);
}

// d = {a in the upper half, b in the lower one}
template <typename Format, Rounding kRounding, Clamp kClamp>
std::uint32_t to_pair(float a, float b) {
  const std::uint32_t high = to_half<Format, float, kRounding, kClamp, false>(a);
  return high << 16 | to_half<Format, float, kRounding, kClamp, false>(b);
}

template <typename Lane, auto F>
constexpr Handler kRounded = charged<unary<Bits, Lane, F>, kHalfConversionWork>;

template <typename Format, typename S, Rounding kRounding, Clamp kClamp>
Handler half_with_ftz(bool ftz) {
  using Lane = typename Source<S>::Lane;
  return ftz ? kRounded<Lane, to_half<Format, S, kRounding, kClamp, true>>
             : kRounded<Lane, to_half<Format, S, kRounding, kClamp, false>>;
}

template <typename Format, typename S, Rounding kRounding>
Handler half_with_clamp(const ptx::ModifierSet& m) {
  const bool ftz = m.has(Modifier::ftz);
  if (m.has(Modifier::sat)) return half_with_ftz<Format, S, kRounding, Clamp::kSat>(ftz);
  if (m.has(Modifier::relu)) return half_with_ftz<Format, S, kRounding, Clamp::kRelu>(ftz);
  return half_with_ftz<Format, S, kRounding, Clamp::kNone>(ftz);
}

template <typename Format, typename S>
Handler half_rounded(const ptx::ModifierSet& m) {
  if (m.has(Modifier::rz)) return half_with_clamp<Format, S, Rounding::kZero>(m);
  if (m.has(Modifier::rm)) return half_with_clamp<Format, S, Rounding::kDown>(m);
  if (m.has(Modifier::rp)) return half_with_clamp<Format, S, Rounding::kUp>(m);
  return half_with_clamp<Format, S, Rounding::kNearest>(m);
}

float nearest(float a) { return std::nearbyint(a); }
float truncated(float a) { return std::trunc(a); }
float floored(float a) { return std::floor(a); }
float raised(float a) { return std::ceil(a); }

// Whole values of a 16-bit format are representable in it.
template <typename Format, auto Round, Clamp kClamp>
Bits to_whole(Bits a) {
  return clamped<Format, kClamp>(narrow<Format, Rounding::kNearest>(Round(widen<Format>(a))));
}

template <typename Format, Clamp kClamp>
Handler whole_with_clamp(const ptx::ModifierSet& m) {
  if (m.has(Modifier::rni)) return kRounded<Bits, to_whole<Format, nearest, kClamp>>;
  if (m.has(Modifier::rzi)) return kRounded<Bits, to_whole<Format, truncated, kClamp>>;
  if (m.has(Modifier::rmi)) return kRounded<Bits, to_whole<Format, floored, kClamp>>;
  if (m.has(Modifier::rpi)) return kRounded<Bits, to_whole<Format, raised, kClamp>>;
  return nullptr;
}

template <typename Format>
Handler same_format(const ptx::ModifierSet& m) {
  const auto whole = m.has(Modifier::sat) ? whole_with_clamp<Format, Clamp::kSat>(m)
                                          : whole_with_clamp<Format, Clamp::kNone>(m);
  return whole != nullptr ? whole : half_rounded<Format, Format>(m);
}

template <typename Format, Rounding kRounding>
Handler pair_rounded(bool relu) {
  using P = std::uint32_t;
  constexpr auto kUnits = 2 * kHalfConversionWork;
  return relu ? charged<binary<P, float, float, to_pair<Format, kRounding, Clamp::kRelu>>, kUnits>
              : charged<binary<P, float, float, to_pair<Format, kRounding, Clamp::kNone>>, kUnits>;
}

template <typename Format>
Handler pair_handler(const Instruction& in) {
  const auto& m = in.modifiers;
  if (in.types[1] != Type::kF32 || m.has(Modifier::ftz) || m.has(Modifier::sat)) return nullptr;
  if (m.has(Modifier::rz)) return pair_rounded<Format, Rounding::kZero>(m.has(Modifier::relu));
  return m.has(Modifier::rn) ? pair_rounded<Format, Rounding::kNearest>(m.has(Modifier::relu))
                             : nullptr;
}

template <typename Format>
Handler to_format(const Instruction& in) {
  const auto& m = in.modifiers;
  switch (in.types[1]) {
    case Type::kU8:
      return half_rounded<Format, std::uint8_t>(m);
    case Type::kS8:
      return half_rounded<Format, std::int8_t>(m);
    case Type::kU16:
      return half_rounded<Format, std::uint16_t>(m);
    case Type::kS16:
      return half_rounded<Format, std::int16_t>(m);
    case Type::kU32:
      return half_rounded<Format, std::uint32_t>(m);
    case Type::kS32:
      return half_rounded<Format, std::int32_t>(m);
    case Type::kU64:
      return half_rounded<Format, std::uint64_t>(m);
    case Type::kS64:
      return half_rounded<Format, std::int64_t>(m);
    case Type::kF32:
      return half_rounded<Format, float>(m);
    case Type::kF64:
      return half_rounded<Format, double>(m);
    case Type::kF16:
      if constexpr (std::is_same_v<Format, F16>) return same_format<F16>(m);
      return half_rounded<Format, F16>(m);
    case Type::kBf16:
      if constexpr (std::is_same_v<Format, Bf16>) return same_format<Bf16>(m);
      return half_rounded<Format, Bf16>(m);
    default:
      return nullptr;
  }
}

// As on the card, NaN becomes 0 in types up to 32 bits, and only the sign bit in 64-bit types.
template <typename D, typename Format, auto Round>
Held<D> to_integer(Bits bits) {
  const float a = widen<Format>(bits);
  if (a != a) return sizeof(D) == 8 ? static_cast<D>(std::uint64_t{1} << 63) : D{0};
  const float whole = Round(a);
  const float limit = std::ldexp(1.0F, std::numeric_limits<D>::digits);
  if (whole >= limit) return static_cast<Held<D>>(std::numeric_limits<D>::max());
  if (whole < static_cast<float>(std::numeric_limits<D>::min()))
    return static_cast<Held<D>>(std::numeric_limits<D>::min());
  return static_cast<Held<D>>(static_cast<D>(whole));
}

template <typename D, typename Format>
Handler integer_from(const ptx::ModifierSet& m) {
  using H = Held<D>;
  if (m.has(Modifier::rni)) return unary<H, Bits, to_integer<D, Format, nearest>>;
  if (m.has(Modifier::rzi)) return unary<H, Bits, to_integer<D, Format, truncated>>;
  if (m.has(Modifier::rmi)) return unary<H, Bits, to_integer<D, Format, floored>>;
  if (m.has(Modifier::rpi)) return unary<H, Bits, to_integer<D, Format, raised>>;
  return nullptr;
}

// NaN: f16 to f32 gives 0x7fffffff; bf16 to f32, and f64, keep sign and payload, as on the card.
template <typename Format, bool kSat, bool kFtz>
float to_float(Bits bits) {
  if constexpr (kSat) {
    const float value = widen<Format>(bits);
    return value > 0 ? std::fmin(value, 1.0F) : 0.0F;
  }
  const float value = std::is_same_v<Format, F16> ? float_of_half(bits) : widen<Format>(bits);
  if (kFtz && value != value) return std::bit_cast<float>(0x7fffffffU);
  return kFtz ? flushed(value) : value;
}
template <typename Format, bool kSat>
double to_double(Bits bits) {
  const double value = static_cast<double>(widen<Format>(bits));
  if constexpr (kSat) return value > 0 ? std::fmin(value, 1.0) : 0.0;
  return value;
}

template <typename Format>
Handler from_format(const Instruction& in) {
  const auto& m = in.modifiers;
  const bool sat = m.has(Modifier::sat);
  switch (in.types[0]) {
    case Type::kU8:
      return integer_from<std::uint8_t, Format>(m);
    case Type::kS8:
      return integer_from<std::int8_t, Format>(m);
    case Type::kU16:
      return integer_from<std::uint16_t, Format>(m);
    case Type::kS16:
      return integer_from<std::int16_t, Format>(m);
    case Type::kU32:
      return integer_from<std::uint32_t, Format>(m);
    case Type::kS32:
      return integer_from<std::int32_t, Format>(m);
    case Type::kU64:
      return integer_from<std::uint64_t, Format>(m);
    case Type::kS64:
      return integer_from<std::int64_t, Format>(m);
    case Type::kF32:
      if (sat) return unary<float, Bits, to_float<Format, true, false>>;
      if (m.has(Modifier::ftz)) return unary<float, Bits, to_float<Format, false, true>>;
      if constexpr (std::is_same_v<Format, F16>) {
        return nullptr;  // is in convert.cpp, because kernels of labs execute it often
      } else {
        return unary<float, Bits, to_float<Format, false, false>>;
      }
    case Type::kF64:
      return sat ? unary<double, Bits, to_double<Format, true>>
                 : unary<double, Bits, to_double<Format, false>>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler half_convert_handler(const Instruction& in) {
  if (in.modifiers.has(Modifier::satfinite) || in.modifiers.has(Modifier::rna)) return nullptr;
  switch (in.types[0]) {
    case Type::kF16:
      return to_format<F16>(in);
    case Type::kBf16:
      return to_format<Bf16>(in);
    case Type::kF16x2:
      return pair_handler<F16>(in);
    case Type::kBf16x2:
      return pair_handler<Bf16>(in);
    default:
      break;
  }
  if (in.types[1] == Type::kF16) return from_format<F16>(in);
  return in.types[1] == Type::kBf16 ? from_format<Bf16>(in) : nullptr;
}

namespace {

// cvt to and from the formats of machine learning (PTX ISA 9.0, 9.7.9.21): pairs of 8-bit floats
// e4m3 (no infinity, largest number 448) and e5m2, and tf32, an f32 with 10 fraction bits.

// Like F16 and Bf16 in half_format.h, in the lower seven bits; kInfinity is the first code that is
// not a finite number.
struct E4m3 {
  static constexpr int kPrecision = 4;
  static constexpr int kLeastExponent = -6;
  static constexpr std::uint16_t kInfinity = 0x7f;
  static constexpr bool kHasInfinity = false;
};
struct E5m2 {
  static constexpr int kPrecision = 3;
  static constexpr int kLeastExponent = -14;
  static constexpr std::uint16_t kInfinity = 0x7c;
  static constexpr bool kHasInfinity = true;
};
constexpr std::uint8_t kSmallNan = 0x7f;

// Saturates at the largest finite number.
template <typename Format, bool kRelu>
std::uint8_t to_small(double value) {
  if (value != value) return kSmallNan;
  const auto rounded = narrow<Format, Rounding::kNearest>(value);
  const auto magnitude = std::min<std::uint32_t>(rounded & 0x7fffU, Format::kInfinity - 1U);
  if ((rounded & kHalfSign) == 0) return static_cast<std::uint8_t>(magnitude);
  return kRelu ? std::uint8_t{0} : static_cast<std::uint8_t>(0x80U | magnitude);
}

template <typename Format>
double from_small(std::uint8_t bits) {
  const int magnitude = bits & 0x7f;
  const int field = magnitude >> (Format::kPrecision - 1);
  const int fraction = magnitude & ((1 << (Format::kPrecision - 1)) - 1);
  double value = 0;
  if (magnitude > Format::kInfinity || (magnitude == kSmallNan && !Format::kHasInfinity)) {
    return NAN;
  }
  if (Format::kHasInfinity && magnitude == Format::kInfinity) {
    value = INFINITY;
  } else if (field == 0) {
    value = std::ldexp(fraction, Format::kLeastExponent - Format::kPrecision + 1);
  } else {
    value = std::ldexp(fraction + (1 << (Format::kPrecision - 1)),
                       Format::kLeastExponent + field - Format::kPrecision);
  }
  return (bits & 0x80) != 0 ? -value : value;
}

std::uint16_t joined(std::uint8_t high, std::uint8_t low) {
  return static_cast<std::uint16_t>(high << 8 | low);
}

template <typename Format, bool kRelu>
std::uint16_t from_floats(float a, float b) {
  return joined(to_small<Format, kRelu>(a), to_small<Format, kRelu>(b));
}

template <typename Format, bool kRelu>
std::uint16_t from_half_pair(std::uint32_t a) {
  return joined(to_small<Format, kRelu>(widen<F16>(static_cast<std::uint16_t>(a >> 16))),
                to_small<Format, kRelu>(widen<F16>(static_cast<std::uint16_t>(a))));
}

template <typename Format, bool kRelu>
std::uint32_t to_half_pair(std::uint16_t a) {
  const auto half = [](int bits) -> std::uint32_t {
    const auto value =
        narrow<F16, Rounding::kNearest>(from_small<Format>(static_cast<std::uint8_t>(bits)));
    return kRelu && !is_nan<F16>(value) && (value & kHalfSign) != 0 ? 0 : value;
  };
  return half(a >> 8) << 16 | half(a & 0xff);
}

enum class Cut : std::uint8_t { kNearestEven, kNearestAway, kZero };

// Truncates the low 13 bits of a f32. A NaN becomes a canonical NaN, except with .rna, which
// truncates it, too.
template <Cut kCut, bool kRelu>
std::uint32_t to_tf32(std::uint32_t a) {
  const auto magnitude = a & 0x7fffffffU;
  if (magnitude > 0x7f800000U) return kCut == Cut::kNearestAway ? a & ~0x1fffU : 0x7fffe000U;
  if (kRelu && a != magnitude) return 0;
  if (magnitude == 0x7f800000U) return a;
  std::uint32_t rounded = magnitude;
  if (kCut == Cut::kNearestAway) rounded += 0x1000U;
  if (kCut == Cut::kNearestEven) rounded += 0xfffU + (a >> 13 & 1U);
  return (a & 0x80000000U) | (rounded & ~0x1fffU);
}

template <typename Format>
Handler small_pair(const Instruction& in, bool relu) {
  using H = std::uint16_t;
  if (!in.modifiers.has(Modifier::satfinite)) return nullptr;
  if (in.types[1] == Type::kF32) {
    return relu ? binary<H, float, float, from_floats<Format, true>>
                : binary<H, float, float, from_floats<Format, false>>;
  }
  if (in.types[1] != Type::kF16x2) return nullptr;
  return relu ? unary<H, std::uint32_t, from_half_pair<Format, true>>
              : unary<H, std::uint32_t, from_half_pair<Format, false>>;
}

template <typename Format>
Handler half_pair(bool relu) {
  return relu ? unary<std::uint32_t, std::uint16_t, to_half_pair<Format, true>>
              : unary<std::uint32_t, std::uint16_t, to_half_pair<Format, false>>;
}

template <bool kRelu>
Handler tf32(const ptx::ModifierSet& m) {
  using U = std::uint32_t;
  if (m.has(Modifier::rna)) return kRelu ? nullptr : unary<U, U, to_tf32<Cut::kNearestAway, false>>;
  if (m.has(Modifier::rn)) return unary<U, U, to_tf32<Cut::kNearestEven, kRelu>>;
  return m.has(Modifier::rz) ? unary<U, U, to_tf32<Cut::kZero, kRelu>> : nullptr;
}

}  // namespace

Handler small_format_handler(const Instruction& in) {
  const bool relu = in.modifiers.has(Modifier::relu);
  if (in.types[0] == Type::kE4m3x2) return small_pair<E4m3>(in, relu);
  if (in.types[0] == Type::kE5m2x2) return small_pair<E5m2>(in, relu);
  if (in.types[0] == Type::kTf32 && in.types[1] == Type::kF32 &&
      !in.modifiers.has(Modifier::satfinite)) {
    return relu ? tf32<true>(in.modifiers) : tf32<false>(in.modifiers);
  }
  if (in.types[0] != Type::kF16x2) return nullptr;
  if (in.types[1] == Type::kE4m3x2) return half_pair<E4m3>(relu);
  return in.types[1] == Type::kE5m2x2 ? half_pair<E5m2>(relu) : nullptr;
}

}  // namespace warpgrade::sim

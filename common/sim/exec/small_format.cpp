// SPDX-License-Identifier: Apache-2.0
// cvt to and from the formats of machine learning (PTX ISA 9.0, 9.7.9.21): pairs of 8-bit floats
// e4m3 (no infinity, largest number 448) and e5m2, and tf32, an f32 with 10 fraction bits.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "common/sim/exec/half_format.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/exec/lanes.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Type;

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

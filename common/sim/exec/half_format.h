// SPDX-License-Identifier: Apache-2.0
// The 16-bit float formats of PTX, f16 and bf16, as values of double and back.
//
// Every f16 and bf16 value is exact in double. A result is computed in double, exactly or rounded
// to odd (the last bit is set if anything was lost), and then rounded once: 53 bits exceed the
// format's 11 or 8 by more than two, so double rounding cannot occur. A NaN becomes 0x7fff, as on
// the card.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace warpgrade::sim {

enum class Rounding : std::uint8_t { kNearest, kZero, kDown, kUp };

struct F16 {
  static constexpr int kPrecision = 11;       ///< Bits of the significand, with the hidden one.
  static constexpr int kLeastExponent = -14;  ///< Exponent of the least normal number.
  static constexpr std::uint16_t kInfinity = 0x7c00;
  static constexpr std::uint16_t kLeastNormal = 0x0400;
  static constexpr std::uint16_t kOne = 0x3c00;
};

struct Bf16 {
  static constexpr int kPrecision = 8;
  static constexpr int kLeastExponent = -126;
  static constexpr std::uint16_t kInfinity = 0x7f80;
  static constexpr std::uint16_t kLeastNormal = 0x0080;
  static constexpr std::uint16_t kOne = 0x3f80;
};

constexpr std::uint16_t kHalfNan = 0x7fff;
constexpr std::uint16_t kHalfSign = 0x8000;

template <typename Format>
bool is_nan(std::uint16_t bits) {
  return (bits & 0x7fff) > Format::kInfinity;
}

/// The value as float; exact. A NaN stays a NaN, with any payload.
template <typename Format>
float widen(std::uint16_t bits) {
  if constexpr (Format::kPrecision == 8) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
  // The bias of the exponent is 112 less; multiplying by 2^112 is also right for subnormals.
  const std::uint32_t magnitude = (bits & 0x7fffU) << 13;
  const std::uint32_t value =
      (bits & 0x7fffU) >= Format::kInfinity
          ? magnitude | 0x7f800000U
          : std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112F);
  return std::bit_cast<float>(value | (bits & 0x8000U) << 16);
}

/// cvt.f32.f16, which gives 0x7fffffff for a NaN.
inline float float_of_half(std::uint16_t bits) {
  return is_nan<F16>(bits) ? std::bit_cast<float>(0x7fffffffU) : widen<F16>(bits);
}

/// `value` rounded to the format. Beyond the largest number it is infinity, or the largest number
/// if rounding goes towards zero.
template <typename Format, Rounding kRounding>
std::uint16_t narrow(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 48 & kHalfSign);
  const std::uint64_t magnitude = bits & 0x7fffffffffffffffU;
  if (magnitude > 0x7ff0000000000000U) return kHalfNan;
  if (magnitude == 0x7ff0000000000000U) return sign | Format::kInfinity;
  const bool away =
      (kRounding == Rounding::kUp && sign == 0) || (kRounding == Rounding::kDown && sign != 0);
  if (magnitude < 0x0010000000000000U) {  // zero, or far below half of the least subnormal
    return static_cast<std::uint16_t>(sign | (away && magnitude != 0 ? 1 : 0));
  }
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  const std::uint64_t significand = (magnitude & 0xfffffffffffffU) | 0x10000000000000U;
  const int lost = 53 - Format::kPrecision +
                   (exponent < Format::kLeastExponent ? Format::kLeastExponent - exponent : 0);
  if (lost > 54) return static_cast<std::uint16_t>(sign | (away ? 1 : 0));
  std::uint64_t kept = significand >> lost;
  const std::uint64_t rest = significand & ((std::uint64_t{1} << lost) - 1);
  const std::uint64_t half = std::uint64_t{1} << (lost - 1);
  if constexpr (kRounding == Rounding::kNearest) {
    if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  } else if (away && rest != 0) {
    ++kept;
  }
  // A significand with the hidden bit adds one to the exponent field; a carry continues into it.
  const int field = exponent < Format::kLeastExponent ? 0 : exponent - Format::kLeastExponent;
  const auto result = (static_cast<std::uint64_t>(field) << (Format::kPrecision - 1)) + kept;
  if (result < Format::kInfinity) return static_cast<std::uint16_t>(sign | result);
  const bool to_largest = kRounding != Rounding::kNearest && !away;
  return static_cast<std::uint16_t>(sign | (Format::kInfinity - (to_largest ? 1 : 0)));
}

/// a + b, rounded to odd in double.
inline double sum_to_odd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);  // exact: a + b == sum + error
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  // Truncated magnitudes end in 1; magnitudes rounded up step back to an odd one.
  const bool outwards = (error > 0) == (sum > 0);
  return std::bit_cast<double>(outwards ? bits + 1 : bits - 1);
}

/// The modifier that bounds a result: .sat to [0, 1], .relu from below; .sat turns NaN into 0.
enum class Clamp : std::uint8_t { kNone, kSat, kRelu };

template <typename Format, Clamp kClamp>
std::uint16_t clamped(std::uint16_t a) {
  if constexpr (kClamp == Clamp::kNone) return a;
  if (is_nan<Format>(a)) return kClamp == Clamp::kSat ? std::uint16_t{0} : a;
  if ((a & kHalfSign) != 0) return 0;
  return kClamp == Clamp::kSat && a > Format::kOne ? Format::kOne : a;
}

}  // namespace warpgrade::sim

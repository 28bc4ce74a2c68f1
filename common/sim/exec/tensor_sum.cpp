// SPDX-License-Identifier: Apache-2.0
#include "common/sim/exec/tensor_sum.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string>

namespace warpgrade::sim {
namespace {

using Kind = TensorNumber::Kind;

/// A binary format of IEEE 754.
struct Layout {
  int exponent_bits;
  int mantissa_bits;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr std::uint32_t infinity() const { return ((1U << exponent_bits) - 1) << mantissa_bits; }
  constexpr std::uint32_t nan() const { return infinity() | ((1U << mantissa_bits) - 1); }
};

constexpr Layout kHalf{5, 10};
constexpr Layout kBrain{8, 7};
constexpr Layout kTensor{8, 10};
constexpr Layout kSingle{8, 23};

// The number with these `bits`; its significand has `fraction` fraction bits.
TensorNumber number(const Layout& layout, std::uint32_t bits, int fraction) {
  const int m = layout.mantissa_bits;
  const auto mantissa = static_cast<std::int32_t>(bits & ((1U << m) - 1));
  const auto exponent = static_cast<int>(bits >> m & ((1U << layout.exponent_bits) - 1));
  const bool negative = (bits >> (m + layout.exponent_bits) & 1) != 0;
  TensorNumber out;
  if (exponent == (1 << layout.exponent_bits) - 1) {
    out.kind = mantissa != 0 ? Kind::kNan : Kind::kInfinite;
    out.significand = negative ? -1 : 1;
    return out;
  }
  const auto magnitude = (exponent == 0 ? mantissa : mantissa | 1 << m) << (fraction - m);
  out.significand = negative ? -magnitude : magnitude;
  out.exponent = magnitude == 0 ? kNoExponent
                                : static_cast<std::int16_t>(std::max(exponent, 1) - layout.bias());
  return out;
}

// magnitude * 2^place in a format; bits below its last place are truncated or rounded to nearest
// even.
std::uint32_t assembled(const Layout& layout, bool negative, std::uint64_t magnitude, int place,
                        bool rounds) {
  const int m = layout.mantissa_bits;
  const int least = 1 - layout.bias();
  const int leading = place + static_cast<int>(std::bit_width(magnitude)) - 1;
  const int drop = std::max(leading, least) - m - place;
  std::uint64_t kept = drop <= 0 ? magnitude << -drop : drop > 63 ? 0 : magnitude >> drop;
  if (rounds && drop > 0 && drop < 64) {
    const auto rest = magnitude - (kept << drop);
    const auto half = std::uint64_t{1} << (drop - 1);
    if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  }
  if (kept == 0) return 0;
  // A carry out of the mantissa raises the exponent.
  const auto bits = (static_cast<std::uint64_t>(std::max(leading, least) - least) << m) + kept;
  const auto sign = static_cast<std::uint32_t>(negative) << (m + layout.exponent_bits);
  return sign | static_cast<std::uint32_t>(std::min<std::uint64_t>(bits, layout.infinity()));
}

// The result if some summand is not finite.
std::uint32_t special_sum(const TensorNumber* a, const TensorNumber* b, std::uint32_t count,
                          const TensorNumber& addend, const Layout& layout) {
  bool nan = addend.kind == Kind::kNan;
  bool positive = addend.kind == Kind::kInfinite && addend.significand > 0;
  bool negative = addend.kind == Kind::kInfinite && addend.significand < 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    nan |= a[i].kind == Kind::kNan || b[i].kind == Kind::kNan;
    if (a[i].kind != Kind::kInfinite && b[i].kind != Kind::kInfinite) continue;
    const bool is_zero = a[i].significand == 0 || b[i].significand == 0;
    nan |= is_zero;
    const bool is_negative = (a[i].significand < 0) != (b[i].significand < 0);
    (is_negative ? negative : positive) = true;
  }
  if (nan || (positive && negative)) return layout.nan();
  return layout.infinity() | static_cast<std::uint32_t>(negative)
                                 << (layout.mantissa_bits + layout.exponent_bits);
}

}  // namespace

TensorRule tensor_rule(std::string_view target) {
  const auto number =
      std::atoi(std::string(target.substr(std::min<std::size_t>(3, target.size()))).c_str());
  if (number >= 90) return {25, 16, 8};
  return {24, 8, 4};
}

TensorNumber tensor_source(Element element, std::uint32_t bits) {
  switch (element) {
    case Element::kBf16:
      return number(kBrain, bits, kSourceFraction);
    case Element::kTf32:  // the lowest 13 bits do not count
      return number(kTensor, bits >> (kSingle.mantissa_bits - kTensor.mantissa_bits),
                    kSourceFraction);
    default:
      return number(kHalf, bits, kSourceFraction);
  }
}

TensorNumber tensor_addend(Element element, std::uint32_t bits) {
  return number(element == Element::kF16 ? kHalf : kSingle, bits, kSumFraction);
}

std::uint32_t tensor_step(const TensorNumber* a, const TensorNumber* b, std::uint32_t count,
                          const TensorNumber& addend, const TensorRule& rule, Element result) {
  const auto& layout = result == Element::kF16 ? kHalf : kSingle;
  bool finite = addend.kind == Kind::kFinite;
  int largest = std::max<int>(addend.exponent, kLeastExponent);
  for (std::uint32_t i = 0; i < count; ++i) {
    finite &= a[i].kind == Kind::kFinite && b[i].kind == Kind::kFinite;
    largest = std::max(largest, a[i].exponent + b[i].exponent);
  }
  if (!finite) return special_sum(a, b, count, addend, layout);
  // Magnitudes without signs, because truncation is towards zero.
  std::int64_t sum = 0;
  const auto add = [&](std::int64_t significand, int exponent, int fraction) {
    const auto magnitude = static_cast<std::uint64_t>(std::abs(significand))
                           << (rule.fraction_bits - fraction);
    const auto aligned = static_cast<std::int64_t>(magnitude >> std::min(largest - exponent, 63));
    sum += significand < 0 ? -aligned : aligned;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    add(std::int64_t{a[i].significand} * b[i].significand, a[i].exponent + b[i].exponent,
        2 * kSourceFraction);
  }
  add(addend.significand, addend.exponent, kSumFraction);
  if (sum == 0) return 0;
  return assembled(layout, sum < 0, static_cast<std::uint64_t>(std::abs(sum)),
                   largest - rule.fraction_bits, result == Element::kF16);
}

std::uint32_t round_to_f16(std::uint32_t f32_bits) {
  const auto value = number(kSingle, f32_bits, kSumFraction);
  const auto sign = f32_bits >> 31 << 15;
  if (value.kind == Kind::kNan) return kHalf.nan();
  if (value.kind == Kind::kInfinite) return sign | kHalf.infinity();
  if (value.significand == 0) return sign;
  return sign | assembled(kHalf, false, static_cast<std::uint64_t>(std::abs(value.significand)),
                          value.exponent - kSumFraction, true);
}

std::uint32_t widen_f16(std::uint32_t f16_bits) {
  const auto value = number(kHalf, f16_bits, kSumFraction);
  const auto sign = f16_bits >> 15 << 31;
  if (value.kind == Kind::kNan) return kSingle.nan();
  if (value.kind == Kind::kInfinite) return sign | kSingle.infinity();
  if (value.significand == 0) return sign;
  return sign | assembled(kSingle, false, static_cast<std::uint64_t>(std::abs(value.significand)),
                          value.exponent - kSumFraction, false);
}

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
#include "common/verify/element.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>

namespace warpgrade::verify::element_test {

// binary16 to and from float: every half, rounding, the ends of the range, NaN.

TEST(Half, ConvertsBothWaysExactly) {
  for (std::uint32_t bits = 0; bits < 0x7c01; ++bits) {
    ASSERT_EQ(bits, half_from_float(half_to_float(static_cast<std::uint16_t>(bits))));
  }
  EXPECT_EQ(0x3c00U, half_from_float(1.0F));
  EXPECT_EQ(65504.0F, half_to_float(0x7bff));
  EXPECT_EQ(0x7c00U, half_from_float(65520.0F));
  EXPECT_EQ(0x7bffU, half_from_float(65519.0F));
  EXPECT_EQ(0x0001U, half_from_float(0x1p-24F));
  EXPECT_EQ(0xc000U, half_from_float(-2.0F));
}

TEST(Half, RoundsToNearestEven) {
  EXPECT_EQ(0x3c00U, half_from_float(1.0F + 0x1p-11F));             // halfway, down to even
  EXPECT_EQ(0x3c02U, half_from_float(1.0F + 0x1.8p-10F));           // halfway, up to even
  EXPECT_EQ(0x3c01U, half_from_float(1.0F + 0x1p-11F + 0x1p-20F));  // above halfway
  EXPECT_EQ(0x0000U, half_from_float(0x1p-25F));
  EXPECT_EQ(0x0001U, half_from_float(0x1.8p-25F));
  EXPECT_EQ(0x0400U, half_from_float(0x1p-14F));  // the least normal number
}

TEST(Half, SignsOfZeroInfinityAndNanStay) {
  EXPECT_EQ(0x8000U, half_from_float(-0.0F));
  EXPECT_TRUE(std::signbit(half_to_float(0x8000)));
  EXPECT_EQ(0xfc00U, half_from_float(-std::numeric_limits<float>::infinity()));
  EXPECT_EQ(-std::numeric_limits<float>::infinity(), half_to_float(0xfc00));
  EXPECT_TRUE(std::isnan(half_to_float(0x7e01)));
  EXPECT_TRUE(std::isnan(half_to_float(half_from_float(std::nanf("")))));
}

// Types of elements: names, sizes, and one element as a person writes it.

template <class T>
std::string formatted(ElementType type, T value) {
  std::byte bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  return format(type, bytes);
}

TEST(Elements, TypesHaveTheContractsNamesAndSizes) {
  EXPECT_EQ(ElementType::kF32, element_type("f32"));
  EXPECT_EQ(ElementType::kI8, element_type("i8"));
  EXPECT_EQ(ElementType::kF64, element_type("f64"));
  EXPECT_EQ(std::nullopt, element_type("float"));
  EXPECT_EQ(1U, size_of(ElementType::kU8));
  EXPECT_EQ(2U, size_of(ElementType::kF16));
  EXPECT_EQ(8U, size_of(ElementType::kI64));
}

TEST(Elements, FormatsAsAPersonWrites) {
  EXPECT_EQ("3.5", formatted(ElementType::kF32, 3.5F));
  EXPECT_EQ("17", formatted(ElementType::kF32, 17.0F));
  EXPECT_EQ("0.1", formatted(ElementType::kF64, 0.1));
  EXPECT_EQ("-0", formatted(ElementType::kF32, -0.0F));
  EXPECT_EQ("-7", formatted(ElementType::kI8, std::int8_t{-7}));
  EXPECT_EQ("249", formatted(ElementType::kU8, std::uint8_t{249}));
  EXPECT_EQ("18446744073709551615", formatted(ElementType::kU64, ~std::uint64_t{0}));
  EXPECT_EQ("NaN 0x7fc12345", formatted(ElementType::kF32, std::uint32_t{0x7fc12345}));
  EXPECT_EQ("NaN 0x7e01", formatted(ElementType::kF16, std::uint16_t{0x7e01}));
  EXPECT_EQ("-2", formatted(ElementType::kF16, std::uint16_t{0xc000}));
}

TEST(Elements, KindsOfTypes) {
  EXPECT_TRUE(is_float(ElementType::kF16));
  EXPECT_FALSE(is_float(ElementType::kI32));
  EXPECT_TRUE(is_signed(ElementType::kI64));
  EXPECT_TRUE(is_signed(ElementType::kF64));
  EXPECT_FALSE(is_signed(ElementType::kU8));
  EXPECT_EQ(std::nullopt, element_type(""));
  EXPECT_EQ(std::nullopt, element_type("F32"));
}

TEST(Elements, DifferentBitsGiveDifferentTexts) {
  std::set<std::string> texts;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    texts.insert(formatted(ElementType::kF16, static_cast<std::uint16_t>(bits)));
  }
  EXPECT_EQ(0x10000U, texts.size());
}

TEST(Elements, FloatsReadBackAsTheSame) {
  EXPECT_EQ("16777216", formatted(ElementType::kF32, 16777216.0F));
  EXPECT_EQ("0.30000004", formatted(ElementType::kF32, 0.3F + 0x1p-25F));
  EXPECT_EQ("inf", formatted(ElementType::kF32, std::numeric_limits<float>::infinity()));
  EXPECT_EQ("1e-45", formatted(ElementType::kF32, std::uint32_t{1}));
}

// Distances by hand: 1 + 2^-23 is the float after 1, 2^-149 the one after 0.

std::uint64_t apart(float a, float b) {
  return ulps_between(ElementType::kF32, reinterpret_cast<const std::byte*>(&a),
                      reinterpret_cast<const std::byte*>(&b));
}

TEST(Ulps, CountTheStepsFromOneNumberToTheOther) {
  EXPECT_EQ(0U, apart(1, 1));
  EXPECT_EQ(1U, apart(1, 1 + 0x1p-23F));
  EXPECT_EQ(2U, apart(1 + 0x1p-23F, 1 - 0x1p-24F));  // numbers below 1 are half as far apart
  EXPECT_EQ(1U << 23, apart(1, 2));
  EXPECT_EQ(1U << 23, apart(-2, -1));
}

TEST(Ulps, PassThroughZero) {
  EXPECT_EQ(0U, apart(0.0F, -0.0F));
  EXPECT_EQ(2U, apart(0x1p-149F, -0x1p-149F));
  EXPECT_EQ(2U * 0x3f800000U, apart(1, -1));
}

TEST(Ulps, InfinityIsNearToItselfAloneAndANanToNothing) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(0U, apart(kInfinity, kInfinity));
  EXPECT_EQ(kNoUlps, apart(kInfinity, -kInfinity));
  EXPECT_EQ(kNoUlps, apart(kInfinity, std::numeric_limits<float>::max()));
  EXPECT_EQ(kNoUlps, apart(std::nanf(""), std::nanf("")));
  EXPECT_EQ(kNoUlps, apart(1, std::nanf("")));
}

TEST(Ulps, AreThoseOfTheType) {
  const double one = 1;
  const double next = std::nextafter(1.0, 2.0);
  EXPECT_EQ(1U, ulps_between(ElementType::kF64, reinterpret_cast<const std::byte*>(&one),
                             reinterpret_cast<const std::byte*>(&next)));
  const std::uint16_t halves[] = {0x3c00, 0xbc01};  // 1 and the half below -1
  EXPECT_EQ(2U * 0x3c00 + 1,
            ulps_between(ElementType::kF16, reinterpret_cast<const std::byte*>(halves),
                         reinterpret_cast<const std::byte*>(halves + 1)));
}

}  // namespace warpgrade::verify::element_test

// SPDX-License-Identifier: Apache-2.0
// Types of elements: names, sizes, and one element as a person writes it.
#include "common/verify/element.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <set>

namespace warpgrade::verify::element_test {

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

}  // namespace warpgrade::verify::element_test

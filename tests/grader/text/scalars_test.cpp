// SPDX-License-Identifier: Apache-2.0
// Numbers as bytes: ranges, and halves by the bit patterns of IEEE 754.
#include "grader/text/scalars.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpgrade::grader::text::scalars_test {

TEST(Scalars, HalvesAreTheStandardsBitPatterns) {
  const auto half = [](double value) {
    const auto bytes = *encode(verify::ElementType::kF16, value);
    EXPECT_EQ(2u, bytes.size());
    return std::to_integer<int>(bytes[0]) | std::to_integer<int>(bytes[1]) << 8;
  };
  EXPECT_EQ(0x3c00, half(1.0));
  EXPECT_EQ(0xc000, half(-2.0));
  EXPECT_EQ(0x7bff, half(65504.0));
}

TEST(Scalars, IntegersOutOfRangeAreRefused) {
  EXPECT_TRUE(encode(verify::ElementType::kU32, 4294967295.0));
  EXPECT_FALSE(encode(verify::ElementType::kU32, 4294967296.0));
  EXPECT_FALSE(encode(verify::ElementType::kU32, -1.0));
  EXPECT_FALSE(encode(verify::ElementType::kI32, 0.5));
  EXPECT_FALSE(encode(verify::ElementType::kI32, std::nan("")));
  EXPECT_TRUE(encode(verify::ElementType::kI8, -128.0));
  EXPECT_FALSE(encode(verify::ElementType::kI8, -129.0));
}

TEST(Scalars, CountsAreWholeNumbers) {
  EXPECT_EQ(12u, parse_count("12"));
  EXPECT_EQ(UINT64_MAX, parse_count("18446744073709551615"));
  for (const auto* text : {"", "-1", "1.0", " 1", "1 ", "x", "18446744073709551616", "-0"}) {
    EXPECT_FALSE(parse_count(text)) << text;
  }
}

}  // namespace warpgrade::grader::text::scalars_test

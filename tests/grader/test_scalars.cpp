// SPDX-License-Identifier: Apache-2.0
// Numbers as bytes; halves by IEEE 754's own values.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "grader/scalars.h"

namespace warpgrade::grader {
namespace {

TEST(Scalars, HalvesAreTheStandardsBitPatterns) {
  EXPECT_EQ(0x0000, to_half(0.0));
  EXPECT_EQ(0x8000, to_half(-0.0));
  EXPECT_EQ(0x3c00, to_half(1.0));
  EXPECT_EQ(0xc000, to_half(-2.0));
  EXPECT_EQ(0x3555, to_half(1.0 / 3.0));
  EXPECT_EQ(0x7bff, to_half(65504.0));
  EXPECT_EQ(0x7bff, to_half(65519.0));
  EXPECT_EQ(0x7c00, to_half(65520.0));
  EXPECT_EQ(0xfc00, to_half(-std::numeric_limits<double>::infinity()));
  EXPECT_EQ(0x0400, to_half(std::ldexp(1.0, -14)));  // the least normal
  EXPECT_EQ(0x03ff, to_half(std::ldexp(1023.0, -24)));
  EXPECT_EQ(0x0001, to_half(std::ldexp(1.0, -24)));  // the least subnormal
  EXPECT_EQ(0x0000, to_half(std::ldexp(1.0, -25)));  // a tie, to even
  EXPECT_EQ(0x7e00, to_half(std::nan("")) & 0x7fff);
}

TEST(Scalars, HalvesRoundTiesToEven) {
  EXPECT_EQ(0x3c00, to_half(1.0 + std::ldexp(1.0, -11)));
  EXPECT_EQ(0x3c02, to_half(1.0 + std::ldexp(3.0, -11)));
  EXPECT_EQ(0x4000, to_half(2.0 - std::ldexp(1.0, -12)));  // carries into the exponent
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

}  // namespace
}  // namespace warpgrade::grader

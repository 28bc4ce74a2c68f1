// SPDX-License-Identifier: Apache-2.0
// binary16 to and from float: every half, rounding, the ends of the range, NaN.
#include "common/verify/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace warpgrade::verify::half_test {

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

}  // namespace warpgrade::verify::half_test

// SPDX-License-Identifier: Apache-2.0
// Distances by hand: 1 + 2^-23 is the float after 1, 2^-149 the one after 0.
#include "common/verify/ulps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace warpgrade::verify::ulps_test {

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

}  // namespace warpgrade::verify::ulps_test

// SPDX-License-Identifier: Apache-2.0
// Arithmetic in f16, bf16 and pairs: one rounding, each half of a pair on its own.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"

namespace warpgrade::sim::half_test {

// The result of `form`, which writes %h6, on f16 or bf16 bits in %h4 and %h5 (and %h7).
std::uint32_t half(const std::string& form, std::uint32_t a, std::uint32_t b = 0,
                   std::uint32_t c = 0) {
  return word(
      fmt::format("mov.b16 %h4, {:#x}; mov.b16 %h5, {:#x}; mov.b16 %h7, {:#x}; {};"
                  "cvt.u32.u16 %r4, %h6;",
                  a, b, c, form));
}

TEST(HalfArithmetic, KeepsInactiveLanesAndMayWriteASource) {
  for (const auto* form :
       {"add.f16 $d, %h11, %h12", "fma.rn.f16 $d, %h11, %h12, %h13", "neg.f16 $d, %h11",
        "max.f16 $d, %h11, %h12", "mul.rn.bf16 $d, %h1, %h2"}) {
    expect_lane_rules("h", form);
  }
  expect_lane_rules("r", "add.f16x2 $d, %r1, %r2");
  expect_lane_rules("r", "fma.rn.bf16x2 $d, %r1, %r2, %r3");
}

TEST(HalfArithmetic, RoundsToNearestEven) {
  // 2048 + 1 is halfway between 2048 and 2050, and 2050 + 1 between 2050 and 2052.
  EXPECT_EQ(0x6800U, half("add.f16 %h6, %h4, %h5", 0x6800, 0x3c00));
  EXPECT_EQ(0x6802U, half("add.f16 %h6, %h4, %h5", 0x6801, 0x3c00));
}

TEST(HalfArithmetic, HasSubnormalsInfinitiesAndOneNan) {
  EXPECT_EQ(2U, half("add.f16 %h6, %h4, %h5", 1, 1));
  EXPECT_EQ(0U, half("add.ftz.f16 %h6, %h4, %h5", 1, 1));
  EXPECT_EQ(0x7c00U, half("add.f16 %h6, %h4, %h5", 0x7bff, 0x7bff));
  EXPECT_EQ(0x7fffU, half("sub.f16 %h6, %h4, %h5", 0x7c00, 0x7c00));
  EXPECT_EQ(0x7fffU, half("add.f16 %h6, %h4, %h5", 0xfc01, 0));
}

TEST(HalfArithmetic, AnFmaRoundsOnce) {
  // (1 + 2^-10)^2 - (1 + 2^-9) is 2^-20, a subnormal f16.
  EXPECT_EQ(0x0010U, half("fma.rn.f16 %h6, %h4, %h5, %h7", 0x3c01, 0x3c01, 0xbc02));
}

TEST(HalfArithmetic, ReluAndSatCutOff) {
  EXPECT_EQ(0U, half("fma.rn.relu.f16 %h6, %h4, %h5, %h7", 0xbc00, 0x3c00));
  EXPECT_EQ(0x7fffU, half("fma.rn.relu.f16 %h6, %h4, %h5, %h7", 0x7e00, 0x3c00));
  EXPECT_EQ(0x3c00U, half("add.sat.f16 %h6, %h4, %h5", 0x3c00, 0x3c00));
  EXPECT_EQ(0U, half("add.sat.f16 %h6, %h4, %h5", 0x7e00, 0x3c00));
}

TEST(HalfArithmetic, ExtremesKnowSignedZerosAndNan) {
  EXPECT_EQ(0x8000U, half("min.f16 %h6, %h4, %h5", 0, 0x8000));
  EXPECT_EQ(0U, half("max.f16 %h6, %h4, %h5", 0x8000, 0));
  EXPECT_EQ(0x3c00U, half("min.f16 %h6, %h4, %h5", 0x7e00, 0x3c00));
  EXPECT_EQ(0x7fffU, half("min.NaN.f16 %h6, %h4, %h5", 0x7e00, 0x3c00));
}

TEST(HalfArithmetic, OneHalfOfAPairDoesNotReachIntoTheOther) {
  // The lower halves overflow to infinity; the upper ones are 1 + 1.
  EXPECT_EQ(0x40007c00U, word("mov.b32 %r5, 0x3c007bff; add.f16x2 %r4, %r5, %r5;"));
  EXPECT_EQ(0xbc003c00U, word("mov.b32 %r5, 0x3c00bc00; neg.f16x2 %r4, %r5;"));
}

TEST(HalfArithmetic, BfloatHasTheRangeOfFloat) {
  EXPECT_EQ(0x3f80U, half("add.rn.bf16 %h6, %h4, %h5", 0x3f80, 0x3b00));  // 1 + 2^-9
  EXPECT_EQ(0x7f80U, half("add.rn.bf16 %h6, %h4, %h5", 0x7f7f, 0x7f7f));
}

TEST(HalfArithmetic, OtherRoundingsAreRefused) {
  EXPECT_NE("", refusal("fma.rz.f16 %h6, %h11, %h12, %h13;"));
}

}  // namespace warpgrade::sim::half_test

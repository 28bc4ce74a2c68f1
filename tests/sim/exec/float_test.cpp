// SPDX-License-Identifier: Apache-2.0
// Arithmetic in f32 and f64: NaN, infinities, signed zeros, subnormals, rounding and saturation, as
// in IEEE 754 and the PTX manual.
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"

namespace warpgrade::sim::float_test {

constexpr std::uint32_t kOne = 0x3f800000;
constexpr std::uint32_t kMinusOne = 0xbf800000;
constexpr std::uint32_t kInfinity = 0x7f800000;
constexpr std::uint32_t kMinusInfinity = 0xff800000;
constexpr std::uint32_t kMinusZero = 0x80000000;
constexpr std::uint32_t kNan = 0x7fffffff;
constexpr std::uint32_t kLargest = 0x7f7fffff;
constexpr std::uint32_t kLeastNormal = 0x00800000;

TEST(FloatInstructions, KeepInactiveLanesAndMayWriteASource) {
  for (const auto* form :
       {"add.f32 $d, %f1, %f2", "sub.rz.f32 $d, %f1, %f2", "mul.ftz.f32 $d, %f1, %f2",
        "div.rn.f32 $d, %f1, %f2", "fma.rn.f32 $d, %f1, %f2, %f3", "rcp.rn.f32 $d, %f2",
        "sqrt.rn.f32 $d, %f2", "min.f32 $d, %f1, %f2", "max.NaN.f32 $d, %f1, %f2",
        "abs.f32 $d, %f1", "neg.f32 $d, %f1", "copysign.f32 $d, %f1, %f2", "ex2.approx.f32 $d, %f3",
        "add.sat.f32 $d, %f1, %f2"}) {
    expect_lane_rules("f", form);
  }
  for (const auto* form : {"add.f64 $d, %d1, %d2", "fma.rp.f64 $d, %d1, %d2, %d3",
                           "div.rn.f64 $d, %d1, %d2", "max.f64 $d, %d1, %d2"}) {
    expect_lane_rules("d", form);
  }
  expect_lane_rules("p", "testp.finite.f32 $d, %f1");
}

TEST(FloatInstructions, NanOfF32IsOneWhateverItsOperandsHeld) {
  EXPECT_EQ(kNan, float_word("add.f32 %f4, %f1, %f2", 0x7f800001, kOne));
  EXPECT_EQ(kNan, float_word("sub.f32 %f4, %f1, %f2", kInfinity, kInfinity));
  EXPECT_EQ(kNan, float_word("mul.f32 %f4, %f1, %f2", 0, kMinusInfinity));
  EXPECT_EQ(kNan, float_word("div.rn.f32 %f4, %f1, %f2", 0, 0));
  EXPECT_EQ(kNan, float_word("sqrt.rn.f32 %f4, %f1", kMinusOne));
}

TEST(FloatInstructions, ZerosHaveSigns) {
  EXPECT_EQ(0U, float_word("add.rn.f32 %f4, %f1, %f2", kOne, kMinusOne));
  EXPECT_EQ(kMinusZero, float_word("add.rm.f32 %f4, %f1, %f2", kOne, kMinusOne));
  EXPECT_EQ(kMinusZero, float_word("mul.f32 %f4, %f1, %f2", 0, kMinusOne));
  EXPECT_EQ(kMinusZero, float_word("sqrt.rn.f32 %f4, %f1", kMinusZero));
  EXPECT_EQ(kMinusInfinity, float_word("div.rn.f32 %f4, %f1, %f2", kOne, kMinusZero));
  EXPECT_EQ(kMinusZero, float_word("min.f32 %f4, %f1, %f2", 0, kMinusZero));
  EXPECT_EQ(0U, float_word("max.f32 %f4, %f1, %f2", kMinusZero, 0));
}

// 1/3 is between 0x3eaaaaaa and 0x3eaaaaab, nearer to the second.
TEST(FloatInstructions, EachModifierRoundsItsWay) {
  constexpr std::uint32_t kThree = 0x40400000;
  EXPECT_EQ(0x3eaaaaabU, float_word("div.rn.f32 %f4, %f1, %f2", kOne, kThree));
  EXPECT_EQ(0x3eaaaaaaU, float_word("div.rz.f32 %f4, %f1, %f2", kOne, kThree));
  EXPECT_EQ(0x3eaaaaabU, float_word("div.rp.f32 %f4, %f1, %f2", kOne, kThree));
  EXPECT_EQ(0xbeaaaaaaU, float_word("div.rp.f32 %f4, %f1, %f2", kMinusOne, kThree));
  EXPECT_EQ(0xbeaaaaabU, float_word("div.rm.f32 %f4, %f1, %f2", kMinusOne, kThree));
}

TEST(FloatInstructions, OneRoundingModeDoesNotLeakIntoTheNextInstruction) {
  EXPECT_EQ(0x3eaaaaabU,
            float_word("div.rz.f32 %f5, %f1, %f2; div.rn.f32 %f4, %f1, %f2", kOne, 0x40400000));
}

TEST(FloatInstructions, OverflowIsInfinityOrTheLargestNumber) {
  EXPECT_EQ(kInfinity, float_word("add.rn.f32 %f4, %f1, %f2", kLargest, kLargest));
  EXPECT_EQ(kLargest, float_word("add.rz.f32 %f4, %f1, %f2", kLargest, kLargest));
  EXPECT_EQ(kLargest, float_word("add.rm.f32 %f4, %f1, %f2", kLargest, kLargest));
}

TEST(FloatInstructions, SubnormalsStayUnlessFtzFlushesThem) {
  EXPECT_EQ(3U, float_word("add.f32 %f4, %f1, %f2", 1, 2));
  EXPECT_EQ(0U, float_word("add.ftz.f32 %f4, %f1, %f2", 1, 2));
  EXPECT_EQ(kMinusZero, float_word("mul.ftz.f32 %f4, %f1, %f2", kLeastNormal, 0xbf000000));
  EXPECT_EQ(0x00400000U, float_word("mul.f32 %f4, %f1, %f2", kLeastNormal, 0x3f000000));
}

TEST(FloatInstructions, SaturationGoesToTheUnitIntervalAndNanToZero) {
  EXPECT_EQ(kOne, float_word("add.sat.f32 %f4, %f1, %f2", kOne, kOne));
  EXPECT_EQ(0U, float_word("add.sat.f32 %f4, %f1, %f2", kMinusOne, 0));
  EXPECT_EQ(0U, float_word("add.sat.f32 %f4, %f1, %f2", kInfinity, kMinusInfinity));
  EXPECT_EQ(0U, float_word("fma.rn.sat.f32 %f4, %f1, %f2, %f3", 0, 0, kMinusZero));
}

TEST(FloatInstructions, ExtremesPreferNumbersUnlessNanIsAskedFor) {
  EXPECT_EQ(kOne, float_word("min.f32 %f4, %f1, %f2", kNan, kOne));
  EXPECT_EQ(kNan, float_word("min.f32 %f4, %f1, %f2", kNan, kNan));
  EXPECT_EQ(kNan, float_word("max.NaN.f32 %f4, %f1, %f2", kOne, 0x7fc00000));
  EXPECT_EQ(0xc0000000U, float_word("max.xorsign.abs.f32 %f4, %f1, %f2", kMinusOne, 0x40000000));
}

TEST(FloatInstructions, F64RoundsOnceAndKeepsSubnormals) {
  EXPECT_EQ(3ULL, double_word("add.f64 %d4, %d1, %d2", 1, 2));
  // (1 + 2^-52)^2 - (1 + 2^-51) is 2^-104 in one rounding.
  EXPECT_EQ(0x3970000000000000ULL, double_word("fma.rn.f64 %d4, %d1, %d2, %d3", 0x3ff0000000000001,
                                               0x3ff0000000000001, 0xbff0000000000002));
}

TEST(FloatInstructions, TestpTellsTheClassesApart) {
  const auto is = [](const std::string& what, std::uint32_t bits) {
    return float_word("testp." + what + ".f32 %p3, %f1; selp.f32 %f4, 0f00000001, 0f00000000, %p3",
                      bits) == 1;
  };
  EXPECT_TRUE(is("subnormal", 1));
  EXPECT_FALSE(is("normal", 1));
  EXPECT_TRUE(is("normal", 0));  // as in the manual
  EXPECT_TRUE(is("infinite", kMinusInfinity));
  EXPECT_FALSE(is("finite", kNan));
  EXPECT_TRUE(is("notanumber", kNan));
  EXPECT_FALSE(is("number", kNan));
}

TEST(FloatInstructions, FormsThatPtxDoesNotHaveAreRefused) {
  EXPECT_NE("", refusal("add.sat.f64 %d4, %d1, %d2;"));
  EXPECT_NE("", refusal("add.ftz.f64 %d4, %d1, %d2;"));
  EXPECT_NE("", refusal("sin.approx.f64 %d4, %d1;"));
}

}  // namespace warpgrade::sim::float_test

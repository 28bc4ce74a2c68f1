// SPDX-License-Identifier: Apache-2.0
// cvt between integers, f32 and f64: clamping, rounding, NaN, and results in wider registers.
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"

namespace warpgrade::sim::convert_test {

TEST(Conversions, KeepInactiveLanesAndMayWriteASource) {
  for (const auto* form :
       {"cvt.s32.s8 $d, %r1", "cvt.u32.u16 $d, %h1", "cvt.rzi.s32.f32 $d, %f1",
        "cvt.sat.u8.s32 $d, %r1", "cvt.u32.u64 $d, %rd11", "cvt.rni.u32.f64 $d, %d1"}) {
    expect_lane_rules("r", form);
  }
  expect_lane_rules("f", "cvt.rn.f32.s32 $d, %r1");
  expect_lane_rules("f", "cvt.rmi.f32.f32 $d, %f1");
  expect_lane_rules("f", "cvt.rz.f32.f64 $d, %d1");
  expect_lane_rules("rd", "cvt.s64.s32 $d, %r1");
  expect_lane_rules("d", "cvt.f64.f32 $d, %f1");
}

TEST(Conversions, NarrowResultsExtendIntoAWiderRegister) {
  EXPECT_EQ(0xffffff80U, word("mov.u32 %r5, 0x180; cvt.s8.s32 %r4, %r5;"));
  EXPECT_EQ(0x00000080U, word("mov.u32 %r5, 0x180; cvt.u8.u32 %r4, %r5;"));
}

TEST(Conversions, SatClampsIntegers) {
  EXPECT_EQ(0x7fU, word("mov.u32 %r5, 300; cvt.sat.s8.s32 %r4, %r5;"));
  EXPECT_EQ(0xffffff80U, word("mov.u32 %r5, -300; cvt.sat.s8.s32 %r4, %r5;"));
  EXPECT_EQ(0U, word("mov.u32 %r5, -1; cvt.sat.u8.s32 %r4, %r5;"));
  EXPECT_EQ(0xffU, word("mov.u32 %r5, -1; cvt.sat.u8.u32 %r4, %r5;"));
  EXPECT_EQ(0x7fffffffU, word("mov.u64 %rd5, 0x80000000; cvt.sat.s32.u64 %r4, %rd5;"));
}

// The integer that `form` makes of `value`, an f32 immediate.
std::uint32_t integer(const std::string& form, const std::string& value) {
  return word("mov.f32 %f4, " + value + "; " + form + " %r4, %f4;");
}

TEST(Conversions, FloatsToIntegersRoundAsAskedAndClamp) {
  EXPECT_EQ(2U, integer("cvt.rni.s32.f32", "0f40200000"));           // 2.5 to even
  EXPECT_EQ(0xfffffffdU, integer("cvt.rmi.s32.f32", "0fC0200000"));  // -2.5
  EXPECT_EQ(0xfffffffeU, integer("cvt.rpi.s32.f32", "0fC0200000"));
  EXPECT_EQ(0x7fffffffU, integer("cvt.rzi.s32.f32", "0f4F000000"));  // 2^31
  EXPECT_EQ(0x80000000U, integer("cvt.rzi.s32.f32", "0fFF800000"));
  EXPECT_EQ(0U, integer("cvt.rzi.u32.f32", "0fBF800000"));
  EXPECT_EQ(0U, integer("cvt.rzi.s32.f32", "0f7FC00000"));
  EXPECT_EQ(1U, integer("cvt.rpi.u32.f32", "0f00000001"));
  EXPECT_EQ(0U, integer("cvt.rpi.ftz.u32.f32", "0f00000001"));
}

TEST(Conversions, IntegersToFloatsRoundOnce) {
  // 2^24 + 1 and 2^24 + 3 are halfway between floats.
  const auto rounded = [](const std::string& mode, const std::string& value) {
    return word("mov.u32 %r5, " + value + "; cvt." + mode + ".f32.s32 %f4, %r5; mov.b32 %r4, %f4;");
  };
  EXPECT_EQ(0x4b800000U, rounded("rn", "0x1000001"));
  EXPECT_EQ(0x4b800002U, rounded("rn", "0x1000003"));
  EXPECT_EQ(0x4b800001U, rounded("rp", "0x1000001"));
  EXPECT_EQ(0xcb800001U, rounded("rm", "-16777217"));
  EXPECT_EQ(0xcb800000U, rounded("rz", "-16777217"));
}

TEST(Conversions, DoublesToFloatsOverflowAndUnderflow) {
  const auto narrowed = [](const std::string& form, const std::string& bits) {
    return word("mov.f64 %d4, 0d" + bits + "; cvt." + form +
                ".f32.f64 %f4, %d4; mov.b32 %r4, %f4;");
  };
  EXPECT_EQ(0x7f800000U, narrowed("rn", "7FEFFFFFFFFFFFFF"));
  EXPECT_EQ(0x7f7fffffU, narrowed("rz", "7FEFFFFFFFFFFFFF"));
  EXPECT_EQ(0x80000000U, narrowed("rn", "8000000000000001"));
  EXPECT_EQ(0x80000001U, narrowed("rm", "8000000000000001"));
  EXPECT_EQ(0U, narrowed("rn.sat", "BFF0000000000000"));
  EXPECT_EQ(0x3f800000U, narrowed("rn.sat", "4000000000000000"));
}

TEST(Conversions, WholeFloatsKeepTheSignOfZero) {
  EXPECT_EQ(0x80000000U,
            word("mov.f32 %f5, 0fBE800000; cvt.rni.f32.f32 %f4, %f5; mov.b32 %r4, %f4;"));
  EXPECT_EQ(0x80000000U,
            word("mov.f32 %f5, 0fBF400000; cvt.rpi.f32.f32 %f4, %f5; mov.b32 %r4, %f4;"));
}

TEST(Conversions, AFloatToAnIntegerNeedsARounding) {
  EXPECT_NE("", refusal("cvt.s32.f32 %r4, %f1;"));
}

}  // namespace warpgrade::sim::convert_test

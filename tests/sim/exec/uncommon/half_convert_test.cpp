// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"

namespace warpgrade::sim::half_convert_test {

// cvt to and from f16 and bf16: one rounding from every source, and the ends of integer types.

// The 16 bits that `form` leaves in %h6.
std::uint32_t half(const std::string& form) { return word(form + "; cvt.u32.u16 %r4, %h6;"); }
std::uint32_t half_of_float(const std::string& modifiers, const std::string& bits) {
  return half("mov.b32 %f4, 0f" + bits + "; cvt." + modifiers + ".f32 %h6, %f4");
}
// %r4 after `form`, which gets the f16 or bf16 `bits` in %h4.
std::uint32_t from_half(const std::string& form, std::uint32_t bits) {
  return word(fmt::format("mov.b16 %h4, {:#x}; {};", bits, form));
}

TEST(HalfConversions, KeepInactiveLanesAndMayWriteASource) {
  expect_lane_rules("h", "cvt.rn.f16.f32 $d, %f2");
  expect_lane_rules("h", "cvt.rn.f16.s16 $d, %h2");
  expect_lane_rules("h", "cvt.rn.bf16.f32 $d, %f1");
  expect_lane_rules("r", "cvt.rn.f16x2.f32 $d, %f2, %f3");
  expect_lane_rules("r", "cvt.rzi.s32.f16 $d, %h11");
  expect_lane_rules("f", "cvt.f32.f16 $d, %h11");
  expect_lane_rules("d", "cvt.f64.f16 $d, %h11");
}

// 1 + 2^-11 is halfway between 1 and the next f16.
TEST(HalfConversions, EachModifierRoundsItsWay) {
  EXPECT_EQ(0x3c00U, half_of_float("rn.f16", "3F801000"));
  EXPECT_EQ(0x3c01U, half_of_float("rn.f16", "3F801001"));
  EXPECT_EQ(0x3c00U, half_of_float("rz.f16", "3F801FFF"));
  EXPECT_EQ(0xbc01U, half_of_float("rm.f16", "BF801000"));
  EXPECT_EQ(0xbc00U, half_of_float("rp.f16", "BF801000"));
}

TEST(HalfConversions, TheEndsOfTheRangeAreSubnormalsAndInfinity) {
  EXPECT_EQ(0x0001U, half_of_float("rn.f16", "33800000"));  // 2^-24
  EXPECT_EQ(0x0000U, half_of_float("rn.f16", "33000000"));  // 2^-25, halfway to zero
  EXPECT_EQ(0x7c00U, half_of_float("rn.f16", "477FF000"));  // 65520
  EXPECT_EQ(0x7bffU, half_of_float("rz.f16", "477FF000"));
  EXPECT_EQ(0x8000U, half_of_float("rn.f16", "80000001"));
  EXPECT_EQ(0x7fffU, half_of_float("rn.f16", "FFC00000"));
}

TEST(HalfConversions, SaturationAndRelu) {
  EXPECT_EQ(0x3c00U, half_of_float("rn.sat.f16", "40000000"));
  EXPECT_EQ(0U, half_of_float("rn.sat.f16", "7FC00000"));
  EXPECT_EQ(0U, half_of_float("rn.relu.f16", "C0000000"));
  EXPECT_EQ(0x7fffU, half_of_float("rn.relu.f16", "7FC00000"));
}

// 64-bit integers are rounded once to bf16 or f16. As f16, values from 65520 on are infinity.
TEST(HalfConversions, SixtyFourBitsAreRoundedOnce) {
  // 2^24 + 2^16 + 1: bf16 keeps 8 bits, 2^16 is half of its last place, so the 1 decides.
  EXPECT_EQ(0x4b81U, half("mov.u64 %rd5, 0x1010001; cvt.rn.bf16.u64 %h6, %rd5"));
  EXPECT_EQ(0x4b80U, half("mov.u64 %rd5, 0x1010000; cvt.rn.bf16.u64 %h6, %rd5"));
  EXPECT_EQ(0x7c00U, half("mov.u64 %rd5, -1; cvt.rn.f16.u64 %h6, %rd5"));
  EXPECT_EQ(0xbc00U, half("mov.u64 %rd5, -1; cvt.rn.f16.s64 %h6, %rd5"));
}

TEST(HalfConversions, IntegersAreClampedAndNanIsZero) {
  EXPECT_EQ(0xffU, from_half("cvt.rzi.u8.f16 %h6, %h4; cvt.u32.u16 %r4, %h6", 0x7bff));
  EXPECT_EQ(0U, from_half("cvt.rzi.u32.f16 %r4, %h4", 0xc000));
  EXPECT_EQ(0x7fffffffU, from_half("cvt.rzi.s32.f16 %r4, %h4", 0x7c00));
  EXPECT_EQ(0U, from_half("cvt.rzi.s32.f16 %r4, %h4", 0x7e00));
}

TEST(HalfConversions, WholeNumbersAreRoundedAsAsked) {
  EXPECT_EQ(2U, from_half("cvt.rni.s32.f16 %r4, %h4", 0x4100));           // 2.5
  EXPECT_EQ(0xfffffffeU, from_half("cvt.rzi.s32.f16 %r4, %h4", 0xc100));  // -2.5
  EXPECT_EQ(0xfffffffdU, from_half("cvt.rmi.s32.f16 %r4, %h4", 0xc100));
  EXPECT_EQ(3U, from_half("cvt.rpi.s32.f16 %r4, %h4", 0x4100));
}

TEST(HalfConversions, WideningIsExact) {
  EXPECT_EQ(0x33800000U, from_half("cvt.f32.f16 %f4, %h4; mov.b32 %r4, %f4", 1));
  EXPECT_EQ(0xff800000U, from_half("cvt.f32.f16 %f4, %h4; mov.b32 %r4, %f4", 0xfc00));
  EXPECT_EQ(0x80000000U, from_half("cvt.f32.f16 %f4, %h4; mov.b32 %r4, %f4", 0x8000));
  EXPECT_EQ(0x3f810000U, from_half("cvt.f32.bf16 %f4, %h4; mov.b32 %r4, %f4", 0x3f81));
}

TEST(HalfConversions, APairTakesItsFirstSourceAsTheUpperHalf) {
  EXPECT_EQ(0x3c004000U, word("mov.f32 %f4, 0f3F800000; mov.f32 %f5, 0f40000000;"
                              "cvt.rn.f16x2.f32 %r4, %f4, %f5;"));
}

// cvt to and from e4m3, e5m2 and tf32.

// The byte that the float with `bits` becomes, in the lower half of a pair.
std::uint32_t byte_of(const std::string& format, const std::string& bits) {
  return word("mov.b32 %f4, 0f" + bits + "; mov.f32 %f5, 0f00000000;" + "cvt.rn.satfinite." +
              format + "x2.f32 %h6, %f5, %f4; cvt.u32.u16 %r4, %h6;");
}

TEST(SmallFormats, KeepInactiveLanes) {
  expect_lane_rules("h", "cvt.rn.satfinite.e4m3x2.f32 $d, %f2, %f3");
  expect_lane_rules("r", "cvt.rn.f16x2.e5m2x2 $d, %h1");
  expect_lane_rules("r", "cvt.rna.tf32.f32 $d, %f1");
}

TEST(SmallFormats, NumbersPastTheLargestBecomeTheLargest) {
  EXPECT_EQ(0x7eU, byte_of("e4m3", "43E00000"));  // 448
  EXPECT_EQ(0x7eU, byte_of("e4m3", "7F800000"));
  EXPECT_EQ(0xfeU, byte_of("e4m3", "FF800000"));
  EXPECT_EQ(0x7bU, byte_of("e5m2", "7F800000"));  // 57344
  EXPECT_EQ(0x7fU, byte_of("e4m3", "7FC00000"));
}

TEST(SmallFormats, SubnormalsRoundToNearestEven) {
  EXPECT_EQ(0x01U, byte_of("e4m3", "3B000000"));  // 2^-9, the least
  EXPECT_EQ(0x00U, byte_of("e4m3", "3A800000"));  // half of it
  EXPECT_EQ(0x02U, byte_of("e4m3", "3B400000"));  // one and a half
  EXPECT_EQ(0x80U, byte_of("e4m3", "80000000"));
}

TEST(SmallFormats, TheFirstSourceIsTheUpperByte) {
  EXPECT_EQ(0x3840U, word("mov.f32 %f4, 0f3F800000; mov.f32 %f5, 0f40000000;"
                          "cvt.rn.satfinite.e4m3x2.f32 %h6, %f4, %f5; cvt.u32.u16 %r4, %h6;"));
}

TEST(SmallFormats, PairsBecomeHalvesExactly) {
  // e5m2 is the upper byte of an f16.
  EXPECT_EQ(0x3c00c000U, word("mov.b16 %h4, 0x3cc0; cvt.rn.f16x2.e5m2x2 %r4, %h4;"));
  EXPECT_EQ(0x5f007fffU, word("mov.b16 %h4, 0x7e7f; cvt.rn.f16x2.e4m3x2 %r4, %h4;"));
}

TEST(SmallFormats, Tf32KeepsTenBitsOfFraction) {
  EXPECT_EQ(0x3f802000U, word("mov.b32 %f4, 0f3F801000; cvt.rna.tf32.f32 %r4, %f4;"));
  EXPECT_EQ(0x3f800000U, word("mov.b32 %f4, 0f3F801000; cvt.rn.tf32.f32 %r4, %f4;"));
  EXPECT_EQ(0x3f800000U, word("mov.b32 %f4, 0f3F801FFF; cvt.rz.tf32.f32 %r4, %f4;"));
  EXPECT_EQ(0U, word("mov.b32 %f4, 0fBF800000; cvt.rn.relu.tf32.f32 %r4, %f4;"));
}

TEST(SmallFormats, WithoutSatfiniteThereIsNone) {
  EXPECT_NE("", refusal("cvt.rn.e4m3x2.f32 %h6, %f1, %f2;"));
}

}  // namespace warpgrade::sim::half_convert_test

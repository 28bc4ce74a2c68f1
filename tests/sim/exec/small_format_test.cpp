// SPDX-License-Identifier: Apache-2.0
// cvt to and from e4m3, e5m2 and tf32.
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"

namespace warpgrade::sim::small_format_test {

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

}  // namespace warpgrade::sim::small_format_test

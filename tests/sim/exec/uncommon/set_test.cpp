// SPDX-License-Identifier: Apache-2.0
// set, which writes a truth value as a word or a float, and setp of 16-bit floats.

#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"

namespace warpgrade::sim::set_test {

TEST(Set, KeepsInactiveLanesAndMayWriteASource) {
  expect_lane_rules("r", "set.lt.u32.s32 $d, %r1, %r2");
  expect_lane_rules("r", "set.gt.and.s32.f32 $d, %f1, %f2, %p1");
  expect_lane_rules("f", "set.lt.f32.f32 $d, %f1, %f2");
  expect_lane_rules("h", "set.lt.f16.f16 $d, %h11, %h12");
  expect_lane_rules("p", "setp.lt.f16 $d, %h11, %h12");
}

TEST(Set, TrueIsAllOnesOrOneOfTheResultsType) {
  EXPECT_EQ(0xffffffffU, word("set.lt.u32.u32 %r4, 1, 2;"));
  EXPECT_EQ(0U, word("set.gt.u32.u32 %r4, 1, 2;"));
  EXPECT_EQ(0x3f800000U, word("set.lt.f32.u32 %f4, 1, 2; mov.b32 %r4, %f4;"));
  EXPECT_EQ(0xffffU, word("mov.b16 %h4, 0x3c00; mov.b16 %h5, 0x4000;"
                          "set.lt.u16.f16 %h6, %h4, %h5; cvt.u32.u16 %r4, %h6;"));
  EXPECT_EQ(0x3c00U, word("mov.b16 %h4, 0x3c00; mov.b16 %h5, 0x4000;"
                          "set.lt.f16.f16 %h6, %h4, %h5; cvt.u32.u16 %r4, %h6;"));
}

TEST(Set, HalvesOfAPairAreComparedOneByOne) {
  // (2, 1) and (1, 2), the upper half first.
  const std::string pairs = "mov.b32 %r5, 0x40003c00; mov.b32 %r6, 0x3c004000;";
  EXPECT_EQ(0x00003c00U, word(pairs + "set.lt.f16x2.f16x2 %r4, %r5, %r6;"));
  EXPECT_EQ(0x3c000000U, word(pairs + "set.gt.f16x2.f16x2 %r4, %r5, %r6;"));
  EXPECT_EQ(1U, word(pairs + "setp.lt.f16x2 %p3|%p4, %r5, %r6; selp.u32 %r7, 1, 0, %p3;"
                             "selp.u32 %r8, 2, 0, %p4; or.b32 %r4, %r7, %r8;"));
}

TEST(Set, NanAndSubnormalsFollowTheComparisonsRules) {
  const std::string values = "mov.b16 %h4, 0x7e00; mov.b16 %h5, 1; mov.b16 %h6, 0;";
  const auto holds = [&](const std::string& comparison) {
    return word(values + "setp." + comparison + "; selp.u32 %r4, 1, 0, %p3;") == 1;
  };
  EXPECT_FALSE(holds("eq.f16 %p3, %h4, %h4"));
  EXPECT_TRUE(holds("neu.f16 %p3, %h4, %h4"));
  EXPECT_TRUE(holds("gt.f16 %p3, %h5, %h6"));
  EXPECT_FALSE(holds("gt.ftz.f16 %p3, %h5, %h6"));
}

TEST(Set, APredicateIsJoined) {
  const std::string no = "setp.ne.u32 %p5, %r29, %r29;";
  EXPECT_EQ(0U, word(no + "set.lt.and.u32.u32 %r4, 1, 2, %p5;"));
  EXPECT_EQ(0xffffffffU, word(no + "set.lt.and.u32.u32 %r4, 1, 2, !%p5;"));
  EXPECT_EQ(0xffffffffU, word(no + "set.lt.or.u32.u32 %r4, 1, 2, %p5;"));
}

TEST(Set, APredicateTooManyOrTooFewIsRefused) {
  EXPECT_NE("", refusal("set.lt.u32.u32 %r4, %r1, %r2, %p1;"));
  EXPECT_NE("", refusal("set.lt.and.u32.u32 %r4, %r1, %r2;"));
}

}  // namespace warpgrade::sim::set_test

// SPDX-License-Identifier: Apache-2.0
// setp, selp and slct: NaN, signs, the combination with a predicate, and inactive lanes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"

namespace warpgrade::sim::compare_test {

TEST(Comparisons, KeepInactiveLanesAndMayWriteASource) {
  for (const auto* form : {"setp.lt.s32 $d, %r1, %r2", "setp.gt.and.u32 $d, %r1, %r2, %p1",
                           "setp.eq.xor.f32 $d, %f1, %f2, %p2", "setp.ltu.f64 $d, %d1, %d2",
                           "setp.hi.u16 $d, %h1, %h2"}) {
    expect_lane_rules("p", form);
  }
  expect_lane_rules("r", "selp.b32 $d, %r1, %r2, %p1");
  expect_lane_rules("r", "slct.u32.s32 $d, %r1, %r2, %r1");
  expect_lane_rules("rd", "selp.b64 $d, %rd11, %rd12, %p2");
  expect_lane_rules("h", "selp.b16 $d, %h1, %h2, %p1");
}

// Whether the comparison `kind` holds for the floats `a` and `b`.
bool holds(const std::string& kind, std::uint32_t a, std::uint32_t b) {
  return word(fmt::format("mov.f32 %f1, 0f{:08X}; mov.f32 %f2, 0f{:08X};"
                          "setp.{}.f32 %p3, %f1, %f2; selp.u32 %r4, 1, 0, %p3;",
                          a, b, kind)) == 1;
}

TEST(Comparisons, NanMakesOrderedOnesFalseAndUnorderedOnesTrue) {
  constexpr std::uint32_t kNan = 0x7fc00000;
  for (const auto* kind : {"eq", "ne", "lt", "le", "gt", "ge", "num"}) {
    EXPECT_FALSE(holds(kind, kNan, 0)) << kind;
    EXPECT_FALSE(holds(kind, kNan, kNan)) << kind;
  }
  for (const auto* kind : {"equ", "neu", "ltu", "leu", "gtu", "geu", "nan"}) {
    EXPECT_TRUE(holds(kind, 0, kNan)) << kind;
  }
}

TEST(Comparisons, ZerosOfBothSignsAreEqual) {
  EXPECT_TRUE(holds("eq", 0, 0x80000000));
  EXPECT_FALSE(holds("lt", 0x80000000, 0));
  EXPECT_TRUE(holds("lt", 0, 1));      // the least subnormal
  EXPECT_TRUE(holds("eq.ftz", 0, 1));  // flushed
}

TEST(Comparisons, SignedAndUnsignedDifferAtTheTopBit) {
  EXPECT_EQ(1U, word("mov.u32 %r5, -1; setp.lt.s32 %p3, %r5, 1; selp.u32 %r4, 1, 0, %p3;"));
  EXPECT_EQ(0U, word("mov.u32 %r5, -1; setp.lo.u32 %p3, %r5, 1; selp.u32 %r4, 1, 0, %p3;"));
}

TEST(Comparisons, TheSecondResultIsTheComplementCombinedWithTheSamePredicate) {
  // 1 < 2 is true. Both results are combined with a false predicate.
  const std::string setup = "setp.ne.u32 %p5, %r29, %r29;";
  const std::string count =
      "selp.u32 %r5, 1, 0, %p3; selp.u32 %r6, 2, 0, %p4; or.b32 %r4, %r5, %r6;";
  const auto joined = [&](const std::string& how, const std::string& predicate) {
    return word(setup + "setp.lt" + how + ".u32 %p3|%p4, 1, 2, " + predicate + ";" + count);
  };
  EXPECT_EQ(0U, joined(".and", "%p5"));
  EXPECT_EQ(1U, joined(".or", "%p5"));
  EXPECT_EQ(1U, joined(".xor", "%p5"));
  EXPECT_EQ(1U, joined(".and", "!%p5"));
  EXPECT_EQ(3U, joined(".or", "!%p5"));
  EXPECT_EQ(2U, joined(".xor", "!%p5"));
}

TEST(Comparisons, SlctChoosesBySignAndTakesTheSecondForNan) {
  const auto chosen = [](const std::string& by) {
    return word("mov.b32 %f5, " + by + "; slct.u32.f32 %r4, 1, 2, %f5;");
  };
  EXPECT_EQ(1U, chosen("0f80000000"));  // -0 is not less than 0
  EXPECT_EQ(2U, chosen("0fBF800000"));
  EXPECT_EQ(2U, chosen("0f7FC00000"));
  EXPECT_EQ(2U, word("mov.u32 %r5, -1; slct.u32.s32 %r4, 1, 2, %r5;"));
}

TEST(Comparisons, OneThatTheTypeDoesNotHaveIsRefused) {
  EXPECT_NE("", refusal("setp.ltu.s32 %p3, %r1, %r2;"));
  EXPECT_NE("", refusal("setp.lo.f32 %p3, %f1, %f2;"));
  EXPECT_NE("", refusal("slct.u32.u32 %r4, %r1, %r2, %r3;"));
}

}  // namespace warpgrade::sim::compare_test

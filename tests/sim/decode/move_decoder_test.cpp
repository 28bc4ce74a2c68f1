// SPDX-License-Identifier: Apache-2.0
// Loads of parameters, moves of vectors and clocks: the places and shapes that exist.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"

namespace warpgrade::sim::move_decoder_test {

using testing::HasSubstr;

TEST(Parameters, AreReadAtAnyOffsetAndSize) {
  // The two pointers are adjacent: p_in's halves are at 8 and 12.
  EXPECT_EQ(long_word("ld.param.u64 %rd4, [p_in];"),
            long_word("ld.param.u32 %r5, [p_out+8]; ld.param.u32 %r6, [p_in+4];"
                      "mov.b64 %rd4, {%r5, %r6};"));
  EXPECT_EQ(long_word("ld.param.u64 %rd4, [p_in];"),
            long_word("ld.param.v2.u64 {%rd5, %rd4}, [p_out];"));
}

TEST(Parameters, PastTheLastThereIsNone) {
  EXPECT_THAT(refusal("ld.param.u64 %rd4, [p_in+8];"), HasSubstr("a parameter past the last"));
  EXPECT_THAT(refusal("ld.param.u64 %rd4, [p_out+-8];"), HasSubstr("a parameter past the last"));
}

TEST(Parameters, UnderAGuardLeaveTheOtherLanesAlone) {
  expect_lane_rules("rd", "ld.param.u64 $d, [p_in]");
  expect_lane_rules("r", "ld.param.s8 $d, [p_in+4]");
}

TEST(Parameters, ACopyOfTheirAddressReadsThemToo) {
  EXPECT_EQ(long_word("ld.param.u64 %rd4, [p_in];"),
            long_word("mov.b64 %rd5, p_in; ld.param.u64 %rd4, [%rd5];"));
}

TEST(VectorMoves, HaveTheShapesOfTheManual) {
  EXPECT_EQ(0x0004000300020001ULL,
            long_word("mov.b16 %h4, 1; mov.b16 %h5, 2; mov.b16 %h6, 3; mov.b16 %h7, 4;"
                      "mov.b64 %rd4, {%h4, %h5, %h6, %h7};"));
  EXPECT_EQ(3U, word("mov.u64 %rd5, 0x0004000300020001; mov.b64 {%h4, %h5, %h6, %h7}, %rd5;"
                     "cvt.u32.u16 %r4, %h6;"));
  EXPECT_NE("", refusal("mov.b64 %rd4, {%r1, %r2, %r3};"));
  EXPECT_NE("", refusal("mov.b32 {%r1, %r2}, %r3;"));
}

TEST(VectorMoves, TakeImmediatesAndThrowPartsAway) {
  EXPECT_EQ(0x0000000700000001ULL, long_word("mov.u32 %r5, 1; mov.b64 %rd4, {%r5, 7};"));
  EXPECT_EQ(7U, word("mov.u64 %rd5, 0x0000000700000001; mov.b64 {_, %r4}, %rd5;"));
}

TEST(VectorLoads, HaveAsManyRegistersAsTheInstructionSays) {
  EXPECT_THAT(refusal("ld.global.v4.u32 {%r1, %r2}, [%rd2];"),
              HasSubstr("a vector of another length"));
  EXPECT_THAT(refusal("red.global.v2.f32.add [%rd1], {%f1, %f2, %f3, %f3};"),
              HasSubstr("a vector of another length"));
}

TEST(Clocks, GoOnWithEveryInstruction) {
  EXPECT_EQ(1U, word("mov.u32 %r5, %clock; mov.u32 %r6, %clock; setp.gt.u32 %p3, %r6, %r5;"
                     "selp.u32 %r4, 1, 0, %p3;"));
  EXPECT_EQ(0U, word("mov.u32 %r4, %clock_hi;"));
}

}  // namespace warpgrade::sim::move_decoder_test

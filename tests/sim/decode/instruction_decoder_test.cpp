// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::instruction_decoder_test {

// Kinds of operands: immediates, wider registers, negated predicates, addresses, special registers,
// unused results. The results of executed instructions show how they are decoded.

using testing::HasSubstr;

TEST(Operands, ImmediatesStandInAnyPlace) {
  EXPECT_EQ(8U, word("sub.u32 %r4, 10, 2;"));
  EXPECT_EQ(0xfffffffeU, word("add.s32 %r4, -1, -1;"));
  EXPECT_EQ(0x3fc00000U, word("add.f32 %f4, 1.0, 0.5; mov.b32 %r4, %f4;"));
}

TEST(Operands, AFloatImmediateIsConvertedToTheInstructionsSize) {
  // 0.1 as a double, rounded to float; and a float that a double holds exactly.
  EXPECT_EQ(0x3dcccccdU, word("mov.f32 %f4, 0d3FB999999999999A; mov.b32 %r4, %f4;"));
  EXPECT_EQ(0x3ff8000000000000ULL, long_word("mov.f64 %d4, 0f3FC00000; mov.b64 %rd4, %d4;"));
}

TEST(Operands, RegistersOfLoadsStoresAndConversionsMayBeWider) {
  EXPECT_EQ(0xffffffffffffff80ULL, long_word("mov.u32 %r5, 0x80; cvt.s64.s8 %rd4, %r5;"));
  EXPECT_EQ(0xffffffffffffffffULL, long_word("mov.u64 %rd5, -1; st.global.u8 [%rd1], %rd5;"
                                             "ld.global.s8 %rd4, [%rd1];"));
  EXPECT_EQ(0xffULL, long_word("mov.u64 %rd5, -1; st.global.u8 [%rd1], %rd5;"
                               "ld.global.u8 %rd4, [%rd1];"));
}

TEST(Operands, OtherInstructionsWantRegistersOfTheirSize) {
  EXPECT_THAT(refusal("add.u32 %r4, %rd11, %r1;"),
              HasSubstr("an operand of another size of 'add'"));
  EXPECT_THAT(refusal("add.u64 %r4, %rd11, %rd12;"),
              HasSubstr("a result of another size of 'add'"));
}

TEST(Operands, PredicatesMayBeNegatedWhereTheyAreRead) {
  const auto out = words(
      "and.pred %p3, %p15, !%p15; selp.u32 %r5, 2, 0, %p3;"
      "selp.u32 %r4, 1, 0, !%p15; or.b32 %r4, %r4, %r5;");
  for (std::size_t lane = 0; lane < out.size(); ++lane) EXPECT_EQ(1 - lane % 2, out[lane]);
}

TEST(Operands, ANegatedPredicateUnderAGuardIsReadByActiveLanesOnly) {
  expect_lane_rules("p", "setp.lt.and.u32 $d, %r1, %r2, !%p1");
  expect_lane_rules("r", "selp.u32 $d, %r1, %r2, !%p1");
}

TEST(Operands, AWiderResultUnderAGuardKeepsWhatItWas) {
  expect_lane_rules("rd", "cvt.s16.s32 $d, %r1");
  expect_lane_rules("r", "cvt.u8.u32 $d, %r1");
}

TEST(Operands, AResultMayBeThrownAway) {
  EXPECT_EQ(1U, word("setp.lt.u32 _|%p3, 2, 1; selp.u32 %r4, 1, 0, %p3;"));
  EXPECT_EQ(5U, word("mov.u32 %r4, 5; atom.global.exch.b32 _, [%rd1], %r4;"));
}

TEST(Addresses, AreBasePlusOffsetOfRegistersVariablesAndNumbers) {
  PtxLaunch launch;
  launch.before = ".global .align 8 .b64 table[3] = {4, 5, 6};";
  launch.threads = 1;
  launch.body =
      "ld.global.u64 %rd5, [table+16]; mov.u64 %rd6, table; ld.global.u64 %rd7, [%rd6+8];"
      "ld.global.u64 %rd8, [table]; mov.u64 %rd9, table+16; ld.global.u64 %rd10, [%rd9+-8];"
      "mad.lo.u64 %rd5, %rd5, 100, %rd7; mad.lo.u64 %rd5, %rd5, 100, %rd8;"
      "mad.lo.u64 %rd5, %rd5, 100, %rd10; st.global.u64 [%rd1], %rd5;";
  const auto run = run_ptx(launch);
  expect_clean(run);
  EXPECT_EQ(6'05'04'05U, run.out[0]);
}

TEST(Addresses, OfSharedMemoryMayBeThirtyTwoBitsWide) {
  PtxLaunch launch;
  launch.before = ".shared .align 4 .b8 tile[128];";
  launch.body =
      "mov.u32 %r5, tile; mad.lo.u32 %r5, %r29, 4, %r5; st.shared.u32 [%r5], %r29;"
      "ld.shared.u32 %r6, [%r5]; cvt.u64.u32 %rd5, %r6; st.global.u64 [%rd1], %rd5;";
  const auto run = run_ptx(launch);
  expect_clean(run);
  EXPECT_EQ(iota(32), run.out);
}

TEST(SpecialRegisters, HaveTheSizeOfTheManual) {
  EXPECT_EQ(32U, word("mov.u32 %r4, %ntid.x;"));
  EXPECT_THAT(refusal("mov.u64 %rd4, %ntid.x;"), HasSubstr("a special register of this size"));
}

TEST(Contraction, ASumUnderAGuardKeepsTheOtherLanes) {
  expect_lane_rules("f", "mul.f32 %f5, %f1, %f2; add.f32 $d, %f5, %f3");
  expect_lane_rules("f", "mul.f32 %f5, %f1, %f2; sub.f32 $d, %f3, %f5");
}

TEST(Forms, APermutationTableMustBeAnImmediate) {
  EXPECT_THAT(refusal("lop3.b32 %r4, %r1, %r2, %r3, %r5;"), HasSubstr("a table in a register"));
}

// Loads of parameters, moves of vectors and clocks: the places and shapes that exist.

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

// Operands of barriers, shuffles, votes, matches and reductions: their number, kind and second
// result.

using testing::Each;

TEST(WarpOperands, TheSecondResultMayBeLeftOut) {
  EXPECT_EQ(1U, word("shfl.sync.down.b32 %r4, %r29, 1, 31, -1;"));
  EXPECT_EQ(1U, word("shfl.sync.down.b32 %r4|%p3, %r29, 1, 31, -1;"));
  EXPECT_EQ(1U, word("shfl.sync.down.b32 %r4|_, %r29, 1, 31, -1;"));
  EXPECT_EQ(0x1U, word("match.any.sync.b32 %r4, %r29, -1;"));
}

TEST(WarpOperands, EveryOneMayBeARegister) {
  EXPECT_EQ(5U, word("mov.u32 %r5, 5; mov.u32 %r6, 31; mov.u32 %r7, -1;"
                     "shfl.sync.idx.b32 %r4, %r29, %r5, %r6, %r7;"));
  EXPECT_THAT(words("mov.u32 %r5, 3; mov.u32 %r6, 32; bar.sync %r5, %r6; mov.u32 %r4, 1;"),
              Each(1U));
}

TEST(WarpOperands, AVotesSourceMayBeNegated) {
  EXPECT_EQ(0x55555555U, word("vote.sync.ballot.b32 %r4, !%p15, -1;"));
  EXPECT_EQ(1U, word("vote.sync.any.pred %p3, !%p15, -1; selp.u32 %r4, 1, 0, %p3;"));
}

TEST(WarpOperands, BarriersReduceWithAndWithoutACount) {
  EXPECT_EQ(16U, word("bar.red.popc.u32 %r4, 0, %p15;"));
  EXPECT_EQ(16U, word("bar.red.popc.u32 %r4, 1, 32, !%p15;"));
  EXPECT_EQ(16U, word("barrier.cta.red.popc.u32 %r4, 1, 32, %p15;"));
}

TEST(WarpOperands, AWrongNumberIsRefused) {
  for (const auto* form :
       {"match.any.sync.b32 %r4|%p3, -1;", "shfl.sync.up.b32 %r4|%p3, %r1, 1, 0;"}) {
    EXPECT_NE("", refusal(form)) << form;
  }
}

TEST(WarpOperands, TheResultHasTheKindOfTheInstruction) {
  EXPECT_NE("", refusal("vote.sync.ballot.b32 %p3, %p1, -1;"));
  EXPECT_NE("", refusal("vote.sync.any.pred %r4, %p1, -1;"));
  EXPECT_NE("", refusal("match.any.sync.b64 %r4, %r1, -1;"));
}

}  // namespace warpgrade::sim::instruction_decoder_test

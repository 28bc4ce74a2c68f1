// SPDX-License-Identifier: Apache-2.0
// Kinds of operands: immediates, wider registers, negated predicates, addresses, special registers,
// unused results. The results of executed instructions show how they are decoded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::instruction_decoder_test {

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

}  // namespace warpgrade::sim::instruction_decoder_test

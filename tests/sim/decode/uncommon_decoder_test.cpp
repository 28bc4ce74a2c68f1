// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "tests/sim/lane_rules.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::uncommon_decoder_test {

// Operands of asynchronous copies, barrier objects, set and lop3 with a predicate.

using testing::Each;

PtxRun with_tile(const std::string& body) {
  PtxLaunch launch;
  launch.before = ".shared .align 16 .b8 tile[1024]; .shared .align 8 .b64 object;";
  launch.in.assign(32, 7);
  launch.body = "mov.u32 %r1, tile; mad.lo.u32 %r1, %r29, 16, %r1; cvt.u64.u32 %rd5, %r1;" + body;
  return run_ptx(launch);
}

TEST(CopyOperands, OffsetsOfBothSidesCount) {
  const auto run = with_tile(
      "add.u64 %rd7, %rd2, -64; cp.async.ca.shared.global [%r1+8], [%rd7+64], 8;"
      "cp.async.wait_all; ld.shared.u64 %rd6, [%rd5+8]; st.global.u64 [%rd1], %rd6;");
  expect_clean(run);
  EXPECT_THAT(run.out, Each(7U));
}

TEST(CopyOperands, TheSizeToReadMayBeARegister) {
  const auto run = with_tile(
      "mov.u32 %r5, 4; cp.async.ca.shared.global [%r1], [%rd2], 8, %r5; cp.async.wait_all;"
      "ld.shared.u64 %rd6, [%rd5]; st.global.u64 [%rd1], %rd6;");
  expect_clean(run);
  EXPECT_THAT(run.out, Each(7U));  // the low four bytes, then zeros
}

TEST(CopyOperands, SizesThatPtxDoesNotHaveAreRefused) {
  EXPECT_NE("", refusal("cp.async.ca.shared.global [%r1], [%rd2], 12;"));
  EXPECT_NE("", refusal("cp.async.ca.shared.global [%r1], [%rd2], %r2;"));
  EXPECT_NE("", refusal("cp.async.wait_group %r1;"));
}

TEST(BarrierObjectOperands, ACountMayBeGiven) {
  const auto run = with_tile(
      "setp.eq.u32 %p1, %r29, 0; @%p1 mbarrier.init.shared.b64 [object], 5; bar.warp.sync -1;"
      "@%p1 mbarrier.arrive.noComplete.shared.b64 _, [object], 3;"
      "@%p1 mbarrier.arrive.shared.b64 %rd6, [object]; @%p1 mbarrier.pending_count.b64 %r5, %rd6;"
      "@%p1 cvt.u64.u32 %rd7, %r5; @%p1 st.global.u64 [%rd1], %rd7;");
  expect_clean(run);
  EXPECT_EQ(2U, run.out[0]);
}

TEST(BarrierObjectOperands, WithoutAnObjectThereIsNone) {
  EXPECT_THROW(refusal("mbarrier.arrive.shared.b64 %rd5, %rd6;"), base::ToolError);
  EXPECT_THROW(refusal("mbarrier.init.shared.b64 %rd5, 1;"), base::ToolError);
}

TEST(Lop3Operands, ThePredicateAloneMayBeWanted) {
  EXPECT_EQ(1U, word("setp.ne.u32 %p5, %r29, %r29; lop3.or.b32 _|%p3, 1, 0, 0, 0xf0, %p5;"
                     "selp.u32 %r4, 1, 0, %p3;"));
}

TEST(Lop3Operands, UnderAGuardBothResultsKeepTheOtherLanes) {
  expect_lane_rules("p", "lop3.or.b32 %r5|$d, %r1, %r2, %r3, 0x80, %p1");
  expect_lane_rules("r", "lop3.and.b32 $d|%p3, %r1, %r2, %r3, 0x96, %p1");
}

TEST(SetOperands, AResultOfAnotherSizeIsRefused) {
  EXPECT_NE("", refusal("set.lt.u32.u64 %rd4, %rd11, %rd12;"));
  EXPECT_NE("", refusal("set.lt.u32.u64 %r4, %r1, %r2;"));
}

// Shapes, types and fragments of matrix instructions that the simulator refuses.

using testing::HasSubstr;

TEST(MatrixForms, ShapesThatATypeHasNotAreRefused) {
  for (const auto* form :
       {"mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%r1, %r2, %r3, %r4}, {%r1, %r2, %r3,"
        "%r4}, {%r1, %r2}, {%r1, %r2, %r3, %r4};",
        "mma.sync.aligned.m8n8k16.row.col.f32.f16.f16.f32 {%r1, %r2}, {%r1}, {%r1}, {%r1, %r2};"}) {
    EXPECT_THAT(refusal(form), HasSubstr("this shape of these types"));
  }
}

TEST(MatrixForms, VoltasShapeIsRefused) {
  EXPECT_THAT(refusal("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r1, %r2, %r3, %r4},"
                      "{%r1, %r2}, {%r1, %r2}, {%r1, %r2, %r3, %r4};"),
              HasSubstr("this shape of these types"));
}

TEST(MatrixForms, FragmentsHaveTheirNumberOfRegisters) {
  EXPECT_THAT(refusal("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1, %r2, %r3, %r4},"
                      "{%r1, %r2}, {%r1, %r2}, {%r1, %r2, %r3, %r4};"),
              HasSubstr("fragments of this size"));
  EXPECT_THAT(refusal("wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1}, [%rd2];"),
              HasSubstr("this fragment"));
  EXPECT_THAT(refusal("ldmatrix.sync.aligned.m8n8.x2.b16 {%r1}, [%rd2];"),
              HasSubstr("a vector of another length"));
}

TEST(MatrixForms, FourBitIntegersAreRefused) {
  EXPECT_NE("", refusal("mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32 {%r1, %r2}, {%r1}, {%r1},"
                        "{%r1, %r2};"));
}

}  // namespace warpgrade::sim::uncommon_decoder_test

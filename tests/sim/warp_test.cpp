// SPDX-License-Identifier: Apache-2.0
// A warp and its splits: divergence, reconvergence, and turns for lanes that others wait for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim {
namespace warp_test {

using testing::Each;

// Stores the active mask: each lane says who ran with it.
constexpr const char* kStoreActive =
    "activemask.b32 %r5; cvt.u64.u32 %rd5, %r5; st.global.u64 [%rd1], %rd5;";

TEST(Divergence, BothSidesOfABranchRunAndMeetBehindIt) {
  const auto run = run_body(
      "setp.lt.u32 %p1, %r29, 8; @%p1 bra $low; mov.u32 %r1, 7; bra $join;"
      "$low: mov.u32 %r1, 5; $join:" +
      std::string(kStoreActive));
  EXPECT_THAT(run.out, Each(0xffffffffU));
}

TEST(Divergence, LanesThatLeaveALoopEarlyWaitForTheOthers) {
  const auto run = run_body(
      "mov.u32 %r1, 0; $loop: add.u32 %r1, %r1, 1; setp.le.u32 %p1, %r1, %r29; @%p1 bra $loop;" +
      std::string(kStoreActive));
  EXPECT_THAT(run.out, Each(0xffffffffU));
}

TEST(Divergence, ABlockMovedBehindTheLoopStillReconvergesInIt) {
  // The body's cold part stands at the end of the text, behind the loop's exit.
  const auto run = run_body(
      "mov.u32 %r1, 0; mov.u32 %r6, 0;"
      "$loop: setp.eq.u32 %p2, %r29, 3; @%p2 bra $cold;"
      "$back: activemask.b32 %r5; popc.b32 %r7, %r5; add.u32 %r6, %r6, %r7;"
      "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 4; @%p1 bra $loop;"
      "cvt.u64.u32 %rd5, %r6; st.global.u64 [%rd1], %rd5; ret;"
      "$cold: mov.u32 %r8, 1; bra $back;");
  EXPECT_THAT(run.out, Each(4U * 32U));
}

TEST(Divergence, LanesThatSpinLetTheOthersOfTheirWarpGoOn) {
  // Lane 0 takes a lock that lane 1 waits for: needs both to make progress.
  PtxLaunch launch;
  launch.before = ".global .u32 lock;";
  launch.threads = 2;
  launch.body =
      "$try: atom.global.cas.b32 %r1, [lock], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra $try;"
      "mov.u64 %rd5, 1; st.global.u64 [%rd1], %rd5;"
      "atom.global.exch.b32 %r2, [lock], 0;";
  const auto run = run_ptx(launch);
  EXPECT_TRUE(run.result.diagnostics.empty());
  EXPECT_THAT(run.out, Each(1U));
}

TEST(Divergence, LanesThatSleepSoonLetTheOthersOfTheirWarpGoOn) {
  PtxLaunch launch;
  launch.before = ".global .u32 flag;";
  launch.threads = 2;
  launch.body =
      "setp.eq.u32 %p2, %r29, 0; @%p2 bra $set;"
      "$poll: nanosleep.u32 20; ld.volatile.global.u32 %r1, [flag]; setp.eq.u32 %p1, %r1, 0;"
      "@%p1 bra $poll; bra $end;"
      "$set: mov.u32 %r2, 1; st.volatile.global.u32 [flag], %r2;"
      "$end: mov.u64 %rd5, 1; st.global.u64 [%rd1], %rd5;";
  const auto run = run_ptx(launch);
  EXPECT_TRUE(run.result.diagnostics.empty());
  EXPECT_THAT(run.out, Each(1U));
  EXPECT_LT(executed(run), 1000U);
}

TEST(Divergence, ALaneThatExitsLeavesTheOthersTogether) {
  const auto run = run_body("setp.eq.u32 %p1, %r29, 7; @%p1 exit;" + std::string(kStoreActive));
  expect_clean(run);
  EXPECT_EQ(0U, run.out[7]);
  EXPECT_EQ(0xffffff7fU, run.out[8]);
}

TEST(Divergence, NestedBranchesReconvergeInnerFirst) {
  const auto run = run_body(
      "setp.ge.u32 %p1, %r29, 16; mov.u32 %r6, 0; @%p1 bra $outer;"
      "setp.ge.u32 %p2, %r29, 8; @%p2 bra $inner; mov.u32 %r7, 1;"
      "$inner: activemask.b32 %r6; $outer: activemask.b32 %r5;"
      "mul.wide.u32 %rd5, %r6, 65536; cvt.u64.u32 %rd6, %r5; shl.b64 %rd6, %rd6, 32;"
      "or.b64 %rd5, %rd5, %rd6; st.global.u64 [%rd1], %rd5;");
  expect_clean(run);
  EXPECT_EQ(0xffffffffffff0000U, run.out[0]);
  EXPECT_EQ(0xffffffffffff0000U, run.out[15]);
  EXPECT_EQ(0xffffffff00000000U, run.out[31]);
}

TEST(Divergence, APartialWarpHasOnlyItsThreads) {
  const auto run = run_body(kStoreActive, 35);
  EXPECT_EQ(0xffffffffU, run.out[0]);
  EXPECT_EQ(0x7U, run.out[34]);
}

TEST(Divergence, EachInstructionIsCountedOnceAWarpAndOnceALane) {
  const auto run = run_body("setp.lt.u32 %p1, %r29, 5; @%p1 mov.u32 %r1, 7;", 32);
  const auto& counts = run.result.instructions;
  const auto guarded = counts.at(counts.size() - 2);  // ret is the last
  EXPECT_EQ(1U, guarded.warps);
  EXPECT_EQ(5U, guarded.threads);
}

}  // namespace warp_test
}  // namespace warpgrade::sim

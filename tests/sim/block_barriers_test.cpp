// SPDX-License-Identifier: Apache-2.0
// Barriers of a block: released warps, counted warps, and the faults of barriers that never open.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::block_barriers_test {

using base::DiagnosticKind;
using testing::Each;

TEST(Barriers, ExitedThreadsDoNotCount) {
  const auto run = run_body(
      "setp.ge.u32 %p1, %r29, 40; @%p1 ret; bar.sync 0; mov.u64 %rd5, 1;"
      "st.global.u64 [%rd1], %rd5;",
      64);
  EXPECT_TRUE(run.result.diagnostics.empty());
  EXPECT_EQ(1U, run.out[39]);
  EXPECT_EQ(0U, run.out[40]);
}

TEST(Barriers, OneThatThreadsLeaveBeforeIsNoted) {
  const auto run = run_body("setp.ge.u32 %p1, %r29, 40; @%p1 ret; bar.sync 0; bar.sync 0;", 64);
  ASSERT_EQ(1U, run.result.skipped_barriers.size());  // Both are at one line, which is unknown.
  EXPECT_EQ("threads 40 to 63", run.result.skipped_barriers[0].threads);
  EXPECT_EQ(40U, run.result.skipped_barriers[0].reached);
  EXPECT_EQ(64U, run.result.skipped_barriers[0].block_size);
  EXPECT_EQ((base::Dim3{0, 0, 0}), run.result.skipped_barriers[0].block);
}

TEST(Barriers, SingleAndScatteredThreadsThatLeaveAreNamed) {
  const auto one = run_body("setp.eq.u32 %p1, %r29, 40; @%p1 ret; bar.sync 0;", 64);
  ASSERT_EQ(1U, one.result.skipped_barriers.size());
  EXPECT_EQ("thread 40", one.result.skipped_barriers[0].threads);
  const auto odd = run_body(
      "and.b32 %r5, %r29, 1; setp.eq.u32 %p1, %r5, 1; @%p1 ret; bar.red.popc.u32 %r5, 0, %p1;", 64);
  ASSERT_EQ(1U, odd.result.skipped_barriers.size());
  EXPECT_EQ("32 threads, the first of them 1,", odd.result.skipped_barriers[0].threads);
}

TEST(Barriers, ThreadsThatLeaveAfterTheirLastBarrierSkipNone) {
  const auto late =
      run_body("bar.sync 0; setp.ge.u32 %p1, %r29, 40; @%p1 ret; bar.warp.sync 0xff;", 64);
  EXPECT_TRUE(late.result.skipped_barriers.empty());
  // A named barrier states its number of threads.
  const auto named = run_body("setp.ge.u32 %p1, %r29, 32; @%p1 ret; bar.sync 1, 32;", 64);
  EXPECT_TRUE(named.result.skipped_barriers.empty());
}

TEST(Barriers, SharedMemoryIsSeenBehindThem) {
  PtxLaunch launch;
  launch.before = ".shared .align 8 .b8 tile[512];";
  launch.threads = 64;
  launch.in = iota(64);
  launch.body =
      "ld.global.u64 %rd5, [%rd2]; mov.u64 %rd6, tile; mul.wide.u32 %rd7, %r29, 8;"
      "add.s64 %rd8, %rd6, %rd7; st.shared.u64 [%rd8], %rd5; bar.sync 0;"
      "sub.s64 %rd9, %rd6, %rd7; ld.shared.u64 %rd10, [%rd9+504]; st.global.u64 [%rd1], %rd10;";
  const auto run = run_ptx(launch);
  for (std::uint64_t i = 0; i < 64; ++i) EXPECT_EQ(63 - i, run.out[i]);
}

TEST(Barriers, ReductionsGiveEveryThreadTheCount) {
  const auto run = run_body(
      "setp.lt.u32 %p1, %r29, 40; bar.red.popc.u32 %r5, 0, %p1; cvt.u64.u32 %rd5, %r5;"
      "st.global.u64 [%rd1], %rd5;",
      64);
  EXPECT_THAT(run.out, Each(40U));
}

TEST(Barriers, TwoDifferentOnesInAWarpAreDivergent) {
  expect_fault(DiagnosticKind::kDivergentBarrier, "two different barriers",
               run_body("setp.lt.u32 %p1, %r29, 8; @%p1 bra $a; bar.sync 0; bra $end;"
                        "$a: bar.sync 0; $end:"));
}

TEST(Barriers, OneThatOthersNeverReachIsADeadlock) {
  expect_fault(DiagnosticKind::kDeadlock, "barrier 1 waits for 64 threads, but only 32 arrive",
               run_body("setp.ge.u32 %p1, %r29, 32; @%p1 bra $end; bar.sync 1, 64; $end:", 64));
}

TEST(Faults, AnEndlessLoopWithABarrierIsARunaway) {
  PtxLaunch launch;
  launch.body = "$loop: bar.sync 0; bra $loop;";
  launch.options.block_budget = 100'000;
  expect_fault(DiagnosticKind::kRunaway, "100,000 units of work", run_ptx(launch));
}

// The predicate of one of 64 threads is false.
TEST(Barriers, ReductionsJoinPredicatesOfAllWarps) {
  const auto run = run_body(
      "setp.ne.u32 %p1, %r29, 40; bar.red.and.pred %p2, 0, %p1; bar.red.or.pred %p3, 0, %p1;"
      "selp.u64 %rd5, 1, 0, %p2; selp.u64 %rd6, 2, 0, %p3; or.b64 %rd5, %rd5, %rd6;"
      "st.global.u64 [%rd1], %rd5;",
      64);
  expect_clean(run);
  EXPECT_THAT(run.out, Each(2U));
}

TEST(Barriers, AnArrivalCountsWithoutWaiting) {
  // Warp 0 arrives and goes on to its end; warp 1 waits for both.
  const auto run = run_body(
      "setp.lt.u32 %p1, %r29, 32; @%p1 bar.arrive 1, 64; @!%p1 bar.sync 1, 64; mov.u64 %rd5, 1;"
      "st.global.u64 [%rd1], %rd5;",
      64);
  expect_clean(run);
  EXPECT_THAT(run.out, Each(1U));
}

TEST(Barriers, AnArrivalIsUsedUpByTheBarrierThatItCompletes) {
  expect_fault(DiagnosticKind::kDeadlock, "barrier 1 waits for 64 threads, but only 32 arrive",
               run_body("setp.lt.u32 %p1, %r29, 32; @%p1 bar.arrive 1, 64;"
                        "@%p1 exit; bar.sync 1, 64; bar.sync 1, 64;",
                        64));
}

TEST(Barriers, OneThatHalfTheBlockPassesIsADeadlock) {
  // The other threads have not returned: they wait at another barrier.
  expect_fault(DiagnosticKind::kDeadlock, "32 of the block's 64 threads wait here",
               run_body("setp.lt.u32 %p1, %r29, 32; @%p1 bar.sync 2; @!%p1 bar.sync 3;", 64));
}

TEST(Barriers, NumbersAndCountsHaveBounds) {
  expect_fault(DiagnosticKind::kTrap, "a block has barriers 0 to 15",
               run_body("add.u32 %r1, 16, 0; bar.sync %r1;"));
  expect_fault(DiagnosticKind::kTrap, "a multiple of 32 threads",
               run_body("add.u32 %r1, 20, 0; bar.sync 1, %r1;"));
}

}  // namespace warpgrade::sim::block_barriers_test

// SPDX-License-Identifier: Apache-2.0
#include "common/sim/warp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::warp_test {

// Frames of calls: the lanes that may continue together, and the time at which a frame is free for
// another call.

class FramesTest : public testing::Test {
 protected:
  Frame* enter(Frame* parent, const CallSite& site, std::uint32_t lanes) {
    auto* frame = frames.make();
    frame->parent = parent;
    frame->site = &site;
    frame->callee = &callee;
    frame->depth = depth_of(parent) + 1;
    frame->inside = lanes;
    frame->saved.clear();
    return frame;
  }
  Frames frames;
  CallSite here;
  CallSite there;
  Callee callee;
};

TEST_F(FramesTest, TheKernelIsAtDepthZero) {
  EXPECT_EQ(0U, depth_of(nullptr));
  EXPECT_EQ(2U, depth_of(enter(enter(nullptr, here, 1), here, 1)));
}

TEST_F(FramesTest, CallsFromOneSiteByOneWayMayGoOnTogether) {
  auto* a = enter(nullptr, here, 1);
  auto* b = enter(nullptr, here, 2);
  EXPECT_TRUE(same_call(a, a));
  EXPECT_TRUE(same_call(a, b));
  EXPECT_TRUE(same_call(enter(a, there, 1), enter(b, there, 2)));
  EXPECT_FALSE(same_call(a, enter(nullptr, there, 2)));
  EXPECT_FALSE(same_call(a, nullptr));
  EXPECT_FALSE(same_call(a, enter(b, here, 2)));  // one call deeper
}

TEST_F(FramesTest, CallsThatHavePutValuesAsideStayApart) {
  auto* a = enter(nullptr, here, 1);
  auto* b = enter(nullptr, here, 2);
  b->saved.resize(4);
  EXPECT_FALSE(same_call(a, b));
  EXPECT_TRUE(same_call(b, b));
}

TEST_F(FramesTest, AFrameIsFreeOnceItsLastLaneHasLeft) {
  auto* outer = enter(nullptr, here, 3);
  auto* inner = enter(outer, there, 3);
  frames.drop(1, inner, nullptr);
  EXPECT_EQ(2U, inner->inside);
  EXPECT_EQ(2U, outer->inside);
  frames.drop(2, inner, outer);
  EXPECT_EQ(0U, inner->inside);
  EXPECT_EQ(2U, outer->inside);
  EXPECT_EQ(inner, frames.make());
}

TEST_F(FramesTest, LanesMoveWithAllTheirCallers) {
  auto* a = enter(enter(nullptr, here, 1), there, 1);
  auto* b = enter(enter(nullptr, here, 2), there, 2);
  frames.move(1, a, b);
  EXPECT_EQ(3U, b->inside);
  EXPECT_EQ(3U, b->parent->inside);
  EXPECT_EQ(0U, a->inside);
  EXPECT_EQ(0U, a->parent->inside);
}

TEST_F(FramesTest, ClearFreesAll) {
  auto* a = enter(nullptr, here, 1);
  frames.clear();
  EXPECT_EQ(a, frames.make());
  EXPECT_NE(a, frames.make());
}

// A warp and its splits: divergence, reconvergence, and progress for lanes that others wait for.

using testing::Each;

// Each lane stores the active mask, which names the lanes that ran with it.
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
  // The body's cold part is at the end of the text, after the loop's exit.
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
  // Lane 0 takes a lock that lane 1 waits for, so both must make progress.
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

// All lanes add 1 to `sum` under a lock, which `take` acquires and `give` releases. Each thread
// stores the sum that it made, %r9.
PtxRun under_a_lock(const std::string& take, const std::string& give, std::uint32_t threads = 32,
                    std::uint32_t blocks = 1, run::Options options = {}) {
  PtxLaunch launch;
  launch.before = ".global .u32 lock; .global .u32 next; .global .u32 sum;";
  launch.threads = threads;
  launch.blocks = blocks;
  launch.options = options;
  launch.body = take +
                "ld.volatile.global.u32 %r9, [sum]; add.u32 %r9, %r9, 1;"
                "st.volatile.global.u32 [sum], %r9;" +
                give + "cvt.u64.u32 %rd5, %r9; st.global.u64 [%rd1], %rd5;";
  return run_ptx(launch);
}

constexpr const char* kSwap =
    "$try: atom.global.cas.b32 %r1, [lock], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra $try;";
constexpr const char* kFree = "atom.global.exch.b32 %r2, [lock], 0;";

// Expects that the threads made the sums 1, 2, 3 and so on, each once.
void expect_each_once(const PtxRun& run) {
  expect_clean(run);
  auto sums = run.out;
  std::sort(sums.begin(), sums.end());
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(i + 1, sums[i]);
}

TEST(Locks, OfEveryFormEndAmongLanesOfAWarp) {
  expect_each_once(under_a_lock(kSwap, kFree));
  expect_each_once(under_a_lock(
      "$try: atom.global.exch.b32 %r1, [lock], 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra $try;",
      "st.volatile.global.u32 [lock], 0;"));
  // Ticket locks that poll with a load or with an atomic add.
  const std::string ticket = "atom.global.add.u32 %r3, [lock], 1;";
  const std::string next = "add.u32 %r4, %r3, 1; st.volatile.global.u32 [next], %r4;";
  const std::string until = "setp.ne.u32 %p1, %r1, %r3; @%p1 bra $try;";
  expect_each_once(
      under_a_lock(ticket + "$try: ld.volatile.global.u32 %r1, [next];" + until, next));
  expect_each_once(
      under_a_lock(ticket + "$try: atom.global.add.u32 %r1, [next], 0;" + until, next));
  expect_each_once(under_a_lock(
      "$try: atom.global.cas.b32 %r1, [lock], 0, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra $in;"
      "nanosleep.u32 20; bra $try; $in:",
      kFree));
}

TEST(Locks, TakeFewInstructions) {
  // The waiting lanes poll a few times before the holder continues, not 2^16 times.
  EXPECT_LT(executed(under_a_lock(kSwap, kFree)), 32U * 100U);
}

TEST(Locks, OfSeveralWarpsAndBlocksAndWithLoopsEnd) {
  expect_each_once(under_a_lock(kSwap, kFree, 256, 4));
  const std::string loop =
      "mov.u32 %r5, 0; $work: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 1000; @%p2 bra $work;";
  expect_each_once(under_a_lock(kSwap, loop + kFree, 96, 2));
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    run::Options options;
    options.seed = seed;
    expect_each_once(under_a_lock(kSwap, kFree, 64, 2, options));
  }
}

TEST(Locks, AmongLanesOfAWarpNeverEndBeforeVolta) {
  run::Options options;
  options.independent_lanes = false;
  options.block_budget = 1U << 22;
  expect_fault(base::DiagnosticKind::kRunaway, "Before Volta",
               under_a_lock(kSwap, kFree, 2, 1, options));
}

TEST(Locks, ThatNobodyFreesStayARunaway) {
  run::Options options;
  options.block_budget = 1U << 22;
  expect_fault(base::DiagnosticKind::kRunaway, "did not finish within 4,194,304 units",
               under_a_lock(kSwap, "", 32, 1, options));
  expect_fault(base::DiagnosticKind::kRunaway, "waits for another block",
               under_a_lock("$try: ld.volatile.global.u32 %r1, [next];"
                            "setp.eq.u32 %p1, %r1, 0; @%p1 bra $try;",
                            kFree, 32, 1, options));
}

}  // namespace warpgrade::sim::warp_test

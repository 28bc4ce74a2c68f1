// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies and barrier objects: behaviour that the single instructions of
// conformance_test.cpp do not show.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::async_test {

using testing::Each;

PtxLaunch launch_of(const std::string& body, std::uint32_t threads = 32) {
  PtxLaunch launch;
  launch.before = ".shared .align 16 .b8 tile[1024]; .shared .align 8 .b64 object;";
  launch.body = body;
  launch.threads = threads;
  launch.in.assign(threads, 7);
  return launch;
}

// %r1 is the address of the thread's own eight bytes of the tile.
const std::string kOwnBytes = "mov.u32 %r1, tile; mad.lo.u32 %r1, %r29, 8, %r1;\n";

TEST(AsyncCopy, FillsWhatIsNotReadWithZeros) {
  auto launch = launch_of(kOwnBytes +
                          "mov.u64 %rd5, -1; st.shared.b64 [%r1], %rd5;\n"
                          "cp.async.ca.shared.global [%r1], [%rd2], 8, 1;\n"
                          "cp.async.commit_group; cp.async.wait_group 0;\n"
                          "ld.shared.b64 %rd6, [%r1]; st.global.b64 [%rd1], %rd6;");
  launch.in.assign(32, 0x0102030405060708);
  const auto run = run_ptx(launch);
  ASSERT_TRUE(run.result.diagnostics.empty());
  EXPECT_THAT(run.out, Each(0x08U));
}

TEST(AsyncCopy, ReadsNothingWhereItsSizeIsZero) {
  const auto run =
      run_ptx(launch_of(kOwnBytes + "add.s64 %rd2, %rd2, 65536;\n"
                                    "cp.async.ca.shared.global [%r1], [%rd2], 8, 0;\n"
                                    "cp.async.wait_all;\n"
                                    "ld.shared.b64 %rd6, [%r1]; st.global.b64 [%rd1], %rd6;"));
  ASSERT_TRUE(run.result.diagnostics.empty());
  EXPECT_THAT(run.out, Each(0U));
}

TEST(AsyncCopy, PastTheEndOfABufferIsAFault) {
  for (const auto* size : {"", ", 5"}) {
    const auto run = run_ptx(launch_of(kOwnBytes +
                                       "add.s64 %rd2, %rd2, 8;\n"
                                       "cp.async.ca.shared.global [%r1], [%rd2], 8" +
                                       size + ";"));
    ASSERT_EQ(1U, run.result.diagnostics.size());
    EXPECT_EQ(base::DiagnosticKind::kOutOfBounds, run.result.diagnostics[0].kind);
  }
}

TEST(BarrierObject, LetsAllThroughWhenTheLastHasArrived) {
  // Thread 0 of warp 1 writes before it arrives. All threads read its value after the barrier.
  const auto run = run_ptx(launch_of(
      "setp.eq.u32 %p1, %r29, 0; @%p1 mbarrier.init.shared.b64 [object], 64; bar.sync 0;\n"
      "setp.eq.u32 %p2, %r29, 32; @%p2 st.shared.u32 [tile], 42;\n"
      "mbarrier.arrive.shared.b64 %rd5, [object];\n"
      "$wait: mbarrier.test_wait.shared.b64 %p3, [object], %rd5; @!%p3 bra $wait;\n"
      "ld.shared.u32 %r4, [tile]; cvt.u64.u32 %rd6, %r4; st.global.u64 [%rd1], %rd6;",
      64));
  ASSERT_TRUE(run.result.diagnostics.empty());
  EXPECT_THAT(run.out, Each(42U));
  // Warp 0 polls once, then warp 1 arrives.
  EXPECT_LT(executed(run), 100U);
}

// Returns %rd6 of each thread after `body`. The barrier object waits for `count` arrivals.
std::vector<std::uint64_t> with_object(std::uint32_t count, const std::string& body) {
  const auto run = run_ptx(launch_of(
      "setp.eq.u32 %p1, %r29, 0; @%p1 mbarrier.init.shared.b64 [object], " + std::to_string(count) +
      "; bar.warp.sync -1; mov.u64 %rd6, 0;\n" + body + "st.global.u64 [%rd1], %rd6;"));
  expect_clean(run);
  return run.out;
}

TEST(BarrierObject, CountsDownAndBeginsANewPhase) {
  const std::string one = "@%p1 mbarrier.arrive.shared.b64 %rd5, [object];";
  const std::string pending = "@%p1 mbarrier.pending_count.b64 %r1, %rd5; cvt.u64.u32 %rd6, %r1;";
  EXPECT_EQ(3U, with_object(3, one + pending)[0]);  // before its own arrival is counted
  EXPECT_EQ(1U, with_object(3, one + one + one + pending)[0]);
  EXPECT_EQ(3U, with_object(3, one + one + one + one + pending)[0]);  // the next phase
}

TEST(BarrierObject, AParityIsOverOnceThePhaseHasEnded) {
  const std::string arrive = "@%p1 mbarrier.arrive.shared.b64 %rd5, [object]; bar.warp.sync -1;";
  const std::string test =
      "mbarrier.test_wait.parity.shared.b64 %p3, [object], 0; selp.u64 %rd6, 1, 0, %p3;";
  EXPECT_THAT(with_object(1, test), Each(0U));
  EXPECT_THAT(with_object(1, arrive + test), Each(1U));
  EXPECT_THAT(with_object(2, arrive + test), Each(0U));
}

TEST(BarrierObject, ADroppedArrivalIsNotAwaitedInTheNextPhase) {
  const auto out = with_object(2,
                               "@%p1 mbarrier.arrive_drop.shared.b64 %rd5, [object];"
                               "@%p1 mbarrier.arrive.shared.b64 %rd5, [object];"
                               "@%p1 mbarrier.arrive.shared.b64 %rd5, [object];"
                               "@%p1 mbarrier.pending_count.b64 %r1, %rd5; cvt.u64.u32 %rd6, %r1;");
  EXPECT_EQ(1U, out[0]);
}

TEST(AsyncCopy, MovesOnlyTheBytesOfActiveLanes) {
  const auto run = run_ptx(
      launch_of(kOwnBytes + "cvt.u64.u32 %rd5, %r1; mov.u64 %rd7, 5; st.shared.u64 [%rd5], %rd7;\n"
                            "setp.lt.u32 %p1, %r29, 4;\n"
                            "@%p1 cp.async.ca.shared.global [%r1], [%rd2], 8; cp.async.wait_all;\n"
                            "ld.shared.u64 %rd6, [%rd5]; st.global.u64 [%rd1], %rd6;"));
  expect_clean(run);
  EXPECT_EQ(7U, run.out[3]);
  EXPECT_EQ(5U, run.out[4]);
}

}  // namespace warpgrade::sim::async_test

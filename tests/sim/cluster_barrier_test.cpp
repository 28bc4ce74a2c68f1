// SPDX-License-Identifier: Apache-2.0
// The barrier of a cluster of one block: the threads that it releases, and the faults if it
// releases none. tests/check/cluster_order_test.cpp tests the order of accesses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/cluster_exchange.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::cluster_barrier_test {

using base::DiagnosticKind;
using testing::Each;

void expect_exchanged(const PtxRun& run) {
  const auto threads = run.out.size();
  for (std::size_t t = 0; t < threads; ++t) {
    EXPECT_EQ((t + threads / 2) % threads * 3 + 5, run.out[t]) << t;
  }
}

TEST(ClusterBarrier, LetsAllThroughWhenTheLastHasArrived) {
  for (const auto* form :
       {"barrier.cluster.arrive; barrier.cluster.wait;",
        "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
        "barrier.cluster.arrive.release; barrier.cluster.wait.acquire;",
        "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;",
        "fence.acq_rel.cluster; barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait;"}) {
    for (const std::uint64_t seed : {0, 1, 2, 3}) {
      auto launch = exchange(form);
      launch.options.seed = seed;
      const auto run = run_ptx(launch);
      expect_clean(run);
      expect_exchanged(run);
    }
  }
}

TEST(ClusterBarrier, MayBePassedManyTimesFromDifferentPlaces) {
  // Even and odd lanes arrive and wait in different branches, three times.
  const auto run = run_body(
      "mov.u32 %r4, 0; and.b32 %r5, %r29, 1; setp.eq.u32 %p1, %r5, 1;\n"
      "$again: @%p1 bra $odd;\n"
      "barrier.cluster.arrive; barrier.cluster.wait; bra $join;\n"
      "$odd: barrier.cluster.arrive; barrier.cluster.wait;\n"
      "$join: add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 3; @%p2 bra $again;\n"
      "cvt.u64.u32 %rd5, %r4; st.global.u64 [%rd1], %rd5;",
      96);
  expect_clean(run);
  EXPECT_THAT(run.out, Each(3U));
}

TEST(ClusterBarrier, DoesNotWaitForThreadsThatHaveExited) {
  const auto run = run_body(
      "setp.ge.u32 %p1, %r29, 40; @%p1 ret; barrier.cluster.arrive; barrier.cluster.wait;"
      "mov.u64 %rd5, 1; st.global.u64 [%rd1], %rd5;",
      64);
  expect_clean(run);
  EXPECT_EQ(1U, run.out[39]);
  EXPECT_EQ(0U, run.out[40]);
}

TEST(ClusterBarrier, ThatSomeThreadsNeverReachIsADeadlock) {
  // Warp 1 waits for the block's barrier instead.
  expect_fault(DiagnosticKind::kDeadlock, "32 of the cluster's 64 threads",
               run_body("setp.ge.u32 %p1, %r29, 32; @%p1 bra $block;\n"
                        "barrier.cluster.arrive; barrier.cluster.wait; ret;\n"
                        "$block: bar.sync 0;",
                        64));
}

TEST(ClusterBarrier, WithoutItsOtherHalfIsAFault) {
  expect_fault(DiagnosticKind::kDivergentBarrier, "without having arrived",
               run_body("barrier.cluster.wait;"));
  expect_fault(DiagnosticKind::kDivergentBarrier, "a second time",
               run_body("barrier.cluster.arrive; barrier.cluster.arrive;"));
}

TEST(ClusterBarrier, FormsThatPtxLacksAreRefused) {
  for (const auto* form :
       {"barrier.cluster", "barrier.cluster.sync", "barrier.cluster.wait.release",
        "barrier.cluster.wait.relaxed", "barrier.cluster.arrive.acquire",
        "barrier.cluster.arrive.wait", "barrier.cluster.arrive 0", "barrier.sync",
        "barrier.sync.relaxed 0", "barrier.wait"}) {
    const auto run = run_body(std::string(form) + ";");
    ASSERT_EQ(1U, run.result.diagnostics.size()) << form;
    EXPECT_EQ(DiagnosticKind::kUnsupported, run.result.diagnostics[0].kind) << form;
  }
}

}  // namespace warpgrade::sim::cluster_barrier_test

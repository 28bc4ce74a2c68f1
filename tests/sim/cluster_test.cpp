// SPDX-License-Identifier: Apache-2.0
#include "common/sim/cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "tests/sim/cluster_kernel.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::cluster_test {

// Launches with thread block clusters: their sizes, their shared memory, and the faults that end
// them. The errors that the messages name come from an H100 with driver 580.159.04.

using base::DiagnosticKind;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kExchange =
    "__shared__ int v[32]; v[t] = 100 * b + t; cluster.sync();"
    "out[b * 32 + t] = cluster.map_shared_rank(v, (rank + 1) % cluster.num_blocks())[31 - t];"
    "cluster.sync();";

void expect_clean(const ClusterRun& run) {
  ASSERT_TRUE(run.result.diagnostics.empty()) << base::text(run.result.diagnostics[0]);
}

template <typename Matcher>
void expect_one(const ClusterRun& run, DiagnosticKind kind, const Matcher& words) {
  ASSERT_EQ(1U, run.result.diagnostics.size());
  const auto text = base::text(run.result.diagnostics[0]);
  EXPECT_EQ(kind, run.result.diagnostics[0].kind) << text;
  EXPECT_THAT(text, words);
}

std::string usage_error(const ClusterLaunch& asked) {
  try {
    run_clusters("out[t] = rank;", asked);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "";
}

void expect_exchanged(const ClusterRun& run, int blocks, int cluster) {
  expect_clean(run);
  for (int b = 0; b < blocks; ++b) {
    const int other = b / cluster * cluster + (b + 1) % cluster;
    for (int t = 0; t < 32; ++t) ASSERT_EQ(100 * other + 31 - t, run.out[b * 32 + t]) << b;
  }
}

TEST(ClusterLaunch, BlocksReadEachOthersSharedMemory) {
  ClusterLaunch asked;
  expect_exchanged(run_clusters(kExchange, asked), 2, 2);
  asked.grid = {12, 1, 1};
  asked.cluster = {{3, 1, 1}};
  expect_exchanged(run_clusters(kExchange, asked), 12, 3);
  asked.grid = {16, 1, 1};
  asked.cluster = {{8, 1, 1}};
  expect_exchanged(run_clusters(kExchange, asked), 16, 8);
}

TEST(ClusterLaunch, TheKernelCanHaveTheSize) {
  ClusterLaunch asked;
  asked.grid = {8, 1, 1};
  asked.dims = "__cluster_dims__(4)";
  asked.cluster = std::nullopt;
  expect_exchanged(run_clusters(kExchange, asked), 8, 4);
  asked.cluster = {{4, 1, 1}};
  expect_exchanged(run_clusters(kExchange, asked), 8, 4);
}

TEST(ClusterLaunch, SeedsChangeTheOrderAndNotTheResult) {
  ClusterLaunch asked;
  asked.grid = {6, 1, 1};
  asked.cluster = {{3, 1, 1}};
  for (asked.options.seed = 1; asked.options.seed <= 6; ++asked.options.seed) {
    expect_exchanged(run_clusters(kExchange, asked), 6, 3);
  }
}

TEST(ClusterLaunch, WithoutClustersABlockIsOne) {
  ClusterLaunch asked;
  asked.cluster = std::nullopt;
  const auto run = run_clusters("out[b * 32 + t] = cluster.num_blocks() * 10 + rank;", asked);
  expect_clean(run);
  EXPECT_EQ(10, run.out[63]);
}

TEST(ClusterLaunch, PartOfTheBlocksAreWholeClusters) {
  ClusterLaunch asked;
  asked.grid = {8, 1, 1};
  asked.cluster = {{4, 1, 1}};
  asked.options.blocks = {{5, 6}};
  const auto run =
      run_clusters("__shared__ int v; v = 1; cluster.sync(); out[b * 32 + t] = 1;", asked);
  expect_clean(run);
  for (int b = 0; b < 8; ++b) EXPECT_EQ(b >= 4 ? 1 : 0, run.out[b * 32]) << b;
}

TEST(ClusterLaunch, OutputIsInTheOrderOfTheClusters) {
  ClusterLaunch asked;
  asked.grid = {4, 1, 1};
  const auto run = run_clusters("if (t == 0) printf(\"%d \", b);", asked);
  EXPECT_EQ("0 1 2 3 ", run.result.printed);
}

TEST(ClusterSize, MustDivideTheGrid) {
  ClusterLaunch asked;
  asked.grid = {7, 1, 1};
  asked.cluster = {{3, 1, 1}};
  EXPECT_THAT(usage_error(asked), AllOf(HasSubstr("grid of 7 x 1 x 1 blocks"),
                                        HasSubstr("clusters of 3 x 1 x 1 blocks"),
                                        HasSubstr("cudaErrorInvalidClusterSize")));
  asked.grid = {6, 3, 1};
  asked.cluster = {{2, 2, 1}};
  EXPECT_THAT(usage_error(asked), HasSubstr("clusters of 2 x 2 x 1 blocks"));
}

TEST(ClusterSize, HasALimit) {
  ClusterLaunch asked;
  for (const std::uint32_t blocks : {9U, 16U, 17U}) {
    asked.grid = {blocks, 1, 1};
    asked.cluster = {{blocks, 1, 1}};
    EXPECT_THAT(usage_error(asked),
                AllOf(HasSubstr("cluster " + std::to_string(blocks) + " x 1 x 1"),
                      HasSubstr("at most 8 blocks")));
  }
  asked.cluster = {{0, 1, 1}};
  EXPECT_THAT(usage_error(asked), HasSubstr("at least one block"));
  asked.cluster = {{0x80000000U, 2, 1}};
  EXPECT_THAT(usage_error(asked), HasSubstr("at most 8 blocks"));
}

TEST(ClusterSize, OfTheLaunchIsThatOfTheKernel) {
  ClusterLaunch asked;
  asked.grid = {4, 1, 1};
  asked.cluster = {{4, 1, 1}};
  asked.dims = "__cluster_dims__(2)";
  EXPECT_THAT(usage_error(asked), AllOf(HasSubstr("4 x 1 x 1"), HasSubstr("2 x 1 x 1")));
}

TEST(ClusterMemory, OutsideOfItsArrayIsAFinding) {
  expect_one(run_clusters("__shared__ int tile[32]; tile[t] = t; cluster.sync();"
                          "out[t] = cluster.map_shared_rank(tile, rank ^ 1)[t + 4];"
                          "cluster.sync();"),
             DiagnosticKind::kOutOfBounds,
             AllOf(HasSubstr("reads bytes 128 to 131 of tile"), HasSubstr("of the block of rank")));
  expect_one(run_clusters("__shared__ int tile[32]; tile[t] = t; cluster.sync();"
                          "out[t] = cluster.map_shared_rank(tile, 0)[t - 1]; cluster.sync();"),
             DiagnosticKind::kOutOfBounds, HasSubstr("beginning 4 bytes before tile"));
}

TEST(ClusterMemory, OfARankThatTheClusterLacksIsAFinding) {
  // Computing the address causes no fault, as on a card.
  expect_clean(
      run_clusters("__shared__ int v[32]; v[t] = t;"
                   "int* p = cluster.map_shared_rank(v, rank + 1); cluster.sync();"
                   "if (rank == 0) out[t] = p[t]; cluster.sync();"));
  expect_one(run_clusters("__shared__ int v[32]; v[t] = t; cluster.sync();"
                          "out[t] = cluster.map_shared_rank(v, rank + 1)[t]; cluster.sync();"),
             DiagnosticKind::kOutOfBounds,
             AllOf(HasSubstr("the block of rank 2"), HasSubstr("the cluster has 2 blocks")));
}

TEST(ClusterMemory, OfABlockThatHasEndedIsAFinding) {
  expect_one(run_clusters("__shared__ int v[32]; v[t] = t; cluster.sync();"
                          "if (rank == 0) return; __nanosleep(100);"
                          "out[t] = cluster.map_shared_rank(v, 0)[t];"),
             DiagnosticKind::kOutOfBounds, AllOf(HasSubstr("rank 0"), HasSubstr("has ended")));
}

TEST(ClusterBarrier, OfSeveralBlocksCanDeadlock) {
  expect_one(run_clusters("if (rank == 0) cluster.sync(); else { if (t < 16) "
                          "asm volatile(\"bar.sync 1, 64;\"); }"),
             DiagnosticKind::kDeadlock, HasSubstr("barrier 1 waits for 64 threads"));
  expect_one(run_clusters("if (rank == 0 || t < 16) cluster.barrier_arrive();"
                          "if (rank == 1) { while (atomicAdd(x, 0) == 0) {} }"
                          "if (rank == 0) { cluster.barrier_wait(); x[0] = 1; }"),
             DiagnosticKind::kRunaway, HasSubstr("no thread changes"));
}

TEST(ClusterBarrier, DoesNotWaitForBlocksThatHaveEnded) {
  const auto run = run_clusters("if (rank == 1) return; cluster.sync(); out[t] = 7;");
  expect_clean(run);
  EXPECT_EQ(7, run.out[31]);
}

TEST(ClusterMemory, LetsBlocksWaitForEachOther) {
  const auto run = run_clusters(
      "__shared__ int flag; if (t == 0) flag = 0; cluster.sync();"
      "if (t == 0) { if (rank == 0) { while (atomicAdd(&flag, 0) == 0) {} out[0] = flag; }"
      "else atomicExch(cluster.map_shared_rank(&flag, 0), 5); } cluster.sync();");
  expect_clean(run);
  EXPECT_EQ(5, run.out[0]);
  expect_one(run_clusters("__shared__ int flag; if (t == 0) flag = 0; cluster.sync();"
                          "if (t == 0) while (atomicAdd(&flag, 0) == 0) {} cluster.sync();"),
             DiagnosticKind::kRunaway, HasSubstr("other threads of the cluster"));
}

}  // namespace warpgrade::sim::cluster_test

namespace warpgrade::sim::cluster_barrier_test {

// The barrier of a cluster of one block: the threads that it releases, and the faults if it
// releases none. tests/check/cluster_order_test.cpp tests the order of accesses.

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

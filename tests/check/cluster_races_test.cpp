// SPDX-License-Identifier: Apache-2.0
// Findings of the checks between the blocks of a cluster: what orders their accesses and what does
// not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/check/checks.h"
#include "tests/check/cluster_findings.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::check::cluster_races_test {

using base::DiagnosticKind;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kOther = "int* there = cluster.map_shared_rank(v, rank ^ 1);";

TEST(ClusterRaces, TheBarrierOfTheClusterOrders) {
  expect_none(std::string("__shared__ int v[32];") + kOther +
              "v[t] = t; cluster.sync(); int a = there[31 - t]; cluster.sync(); v[t] = a;"
              "cluster.sync(); there[t] = 3; cluster.sync(); out[b * 32 + t] = v[t];");
  // Separate arrival and wait, with half of the block working in between.
  expect_none(std::string("__shared__ int v[32];") + kOther +
              "v[t] = t; cluster.barrier_arrive(); if (t < 16) x[b * 32 + t] = t;"
              "cluster.barrier_wait(); out[b * 32 + t] = there[31 - t]; cluster.sync();");
}

TEST(ClusterRaces, ABarrierOfTheBlockDoesNot) {
  expect_finding(std::string("__shared__ int v[32]; v[t] = 0; cluster.sync();") + kOther +
                     "v[t] = t + 1; __syncthreads(); out[b * 32 + t] = there[31 - t];"
                     "cluster.sync();",
                 DiagnosticKind::kRace,
                 AllOf(HasSubstr("no barrier in between"), HasSubstr("of block ("),
                       HasSubstr("Put a cluster.sync() between")));
}

TEST(ClusterRaces, OfTwoWriters) {
  expect_finding(
      "__shared__ int v[32]; v[t] = 0; cluster.sync();"
      "cluster.map_shared_rank(v, 0)[t] = rank; cluster.sync();",
      DiagnosticKind::kRace, HasSubstr("of block (1, 0, 0) writes"));
  expect_none(
      "__shared__ int v[32]; v[t] = 0; cluster.sync();"
      "atomicAdd(cluster.map_shared_rank(v, 0) + t, rank); cluster.sync();"
      "out[b * 32 + t] = v[t];");
}

TEST(ClusterRaces, AreWithinABlockAsEver) {
  expect_finding("__shared__ int v[64]; v[t] = t; out[b * 32 + t] = v[31 - t]; cluster.sync();",
                 DiagnosticKind::kRace, HasSubstr("__syncthreads()"));
  ClusterLaunch asked;
  asked.block = {96, 1, 1};
  EXPECT_TRUE(cluster_findings("__shared__ int v[96]; v[t] = t; __syncthreads(); int a = v[95 - t];"
                               "__syncthreads(); v[t] = a; cluster.sync(); out[b * 96 + t] = v[t];",
                               asked)
                  .empty());
}

TEST(ClusterRaces, AFlagInSharedMemoryOrders) {
  const auto with = [](const std::string& fence) {
    return "__shared__ int v[32], flag; if (t == 0) flag = 0; cluster.sync();"
           "if (rank == 1) { cluster.map_shared_rank(v, 0)[t] = t; __syncwarp();"
           "if (t == 0) {" +
           fence +
           "atomicExch(cluster.map_shared_rank(&flag, 0), 1); } }"
           "else { if (t == 0) { while (atomicAdd(&flag, 0) == 0) {} " +
           fence + "} __syncwarp(); out[t] = v[t]; } cluster.sync();";
  };
  expect_none(with("__threadfence();"));
  expect_finding(with(""), DiagnosticKind::kRace, HasSubstr("of v"));
  expect_finding(with("__threadfence_block();"), DiagnosticKind::kRace,
                 HasSubstr("Put a __threadfence() between"));
}

TEST(ClusterRaces, TheBarrierOrdersGlobalMemoryOfItsClusterOnly) {
  expect_none("x[b * 32 + t] = t; cluster.sync(); out[b * 32 + t] = x[(b ^ 1) * 32 + t];");
  ClusterLaunch asked;
  asked.grid = {4, 1, 1};
  const auto found = cluster_findings(
      "x[b * 32 + t] = t + 1; cluster.sync(); out[b * 32 + t] = x[(b ^ 2) * 32 + t];", asked);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(DiagnosticKind::kRace, found[0].kind);
  EXPECT_FALSE(cluster_findings(
                   "x[b * 32 + t] = t + 1; __syncthreads(); out[b * 32 + t] = x[(b ^ 1) * 32 + t];")
                   .empty());
}

TEST(ClusterUninitialised, AReadOfUnwrittenMemoryOfAnotherBlock) {
  expect_finding(
      "__shared__ int v[64]; v[t] = t; cluster.sync();"
      "out[b * 32 + t] = cluster.map_shared_rank(v, rank ^ 1)[t + 32]; cluster.sync();",
      DiagnosticKind::kUninitializedRead,
      AllOf(HasSubstr("no thread of the cluster has written"), HasSubstr("of the block of rank")));
  // No finding, because another block writes the memory first.
  expect_none(
      "__shared__ int v[32]; cluster.sync();"
      "cluster.map_shared_rank(v, rank ^ 1)[t] = t; cluster.sync();"
      "out[b * 32 + t] = v[t];");
}

TEST(ClusterUninitialised, TellsWhichBytesOfABlock) {
  Checks checks;
  ClusterLaunch asked;
  asked.options.observers = {&checks};
  sim::run_clusters(
      "__shared__ int v[64]; v[t] = t; cluster.sync();"
      "out[b * 32 + t] = cluster.map_shared_rank(v, rank ^ 1)[t + 32];"
      "cluster.sync();",
      asked);
  const auto reads = checks.undefined_reads();
  ASSERT_EQ(1U, reads.size());
  EXPECT_EQ(256U, reads[0].shared.size());
  EXPECT_FALSE(reads[0].shared[127]);
  EXPECT_TRUE(reads[0].shared[128]);
}

using sim::exchange;
using sim::PtxLaunch;

std::vector<base::Diagnostic> findings(PtxLaunch launch) {
  Checks checks;
  launch.options.observers = {&checks};
  const auto run = sim::run_ptx(launch);
  sim::expect_clean(run);
  return checks.diagnostics();
}

TEST(ClusterOrder, OrdersWhatWasBeforeTheArrival) {
  EXPECT_TRUE(findings(exchange("barrier.cluster.arrive; barrier.cluster.wait;")).empty());
  // Half of the warps work between arrival and wait, so not all of them wait when the phase ends.
  EXPECT_TRUE(findings(exchange("barrier.cluster.arrive; setp.lt.u32 %p1, %r29, 64;"
                                "@%p1 bar.warp.sync -1; barrier.cluster.wait;"))
                  .empty());
}

TEST(ClusterOrder, DoesNotOrderWhatComesBetweenArrivalAndWait) {
  auto launch = exchange("barrier.cluster.arrive;");
  launch.body += "barrier.cluster.wait;";
  const auto found = findings(launch);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(DiagnosticKind::kRace, found[0].kind);
}

TEST(ClusterOrder, ThatIsRelaxedOrdersNothing) {
  const auto found = findings(exchange("barrier.cluster.arrive.relaxed; barrier.cluster.wait;"));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(DiagnosticKind::kRace, found[0].kind);
}

}  // namespace warpgrade::check::cluster_races_test

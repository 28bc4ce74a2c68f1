// SPDX-License-Identifier: Apache-2.0
#include "common/check/checks.h"

#include <gtest/gtest.h>

#include "common/base/finding_text.h"
#include "tests/check/events.h"

namespace warpgrade::check::checks_test {

// Events of a cluster's blocks, rewritten as events of one block. The cluster has two blocks of two
// warps, each with 100 bytes of shared memory, padded to 112.

using run::kClusterStride;
using run::Space;

ClusterEvents events() {
  run::LaunchContext context;
  context.shared_bytes = 100;
  context.warps_per_block = 2;
  context.cluster = {2, 1, 1};
  context.has_clusters = true;
  return ClusterEvents(context);
}

TEST(ClusterEvents, TheClusterHasAllWarpsAndBytes) {
  const auto cluster = events();
  EXPECT_EQ(224U, cluster.context().shared_bytes);
  EXPECT_EQ(4U, cluster.context().warps_per_block);
}

TEST(ClusterEvents, AccessesAreMovedByTheRankOfTheirBlock) {
  auto cluster = events();
  std::uint64_t addresses[run::kWarpSize] = {8, 12};
  run::MemoryEvent event;
  event.warp = 1;
  event.mask = 3;
  event.space = Space::kShared;
  event.bytes = 4;
  event.address = addresses;
  const auto& own = cluster.memory(event, 1);
  EXPECT_EQ(3U, own.warp);
  EXPECT_EQ(112U + 8, own.address[0]);
  EXPECT_EQ(112U + 12, own.address[1]);
  // Rank 1 accesses rank 0.
  addresses[0] = kClusterStride + 20;
  event.space = Space::kCluster;
  event.mask = 1;
  const auto& other = cluster.memory(event, 1);
  EXPECT_EQ(Space::kShared, other.space);
  EXPECT_EQ(20U, other.address[0]);
  event.space = Space::kGlobal;
  EXPECT_EQ(kClusterStride + 20, cluster.memory(event, 1).address[0]);
}

TEST(ClusterEvents, AStrideAcrossBlocksIsNone) {
  auto cluster = events();
  std::uint64_t addresses[run::kWarpSize];
  for (std::uint32_t i = 0; i < run::kWarpSize; ++i) addresses[i] = (i + 1) * kClusterStride;
  run::MemoryEvent event;
  event.mask = run::kFullMask;
  event.space = Space::kCluster;
  event.bytes = 4;
  event.stride = static_cast<std::int64_t>(kClusterStride);
  event.address = addresses;
  EXPECT_EQ(run::kIrregular, cluster.memory(event, 0).stride);
}

TEST(ClusterEvents, ABarrierOfABlockIsOneOfAPart) {
  using Scope = run::BarrierEvent::Scope;
  auto cluster = events();
  const auto of_block = cluster.barrier({Scope::kBlock, 7}, 1);
  ASSERT_TRUE(of_block);
  EXPECT_EQ(Scope::kPart, of_block->scope);
  EXPECT_EQ(0U, of_block->members[1]);
  EXPECT_EQ(run::kFullMask, of_block->members[2]);
  run::BarrierEvent of_all{Scope::kCluster, 7};
  of_all.phase = 1;
  ASSERT_TRUE(cluster.barrier(of_all, 0));
  EXPECT_FALSE(cluster.barrier(of_all, 1));  // the same barrier, reported by the other block
  of_all.phase = 2;
  const auto next = cluster.barrier(of_all, 1);
  ASSERT_TRUE(next);
  EXPECT_EQ(Scope::kBlock, next->scope);
}

TEST(ClusterEvents, ObjectsOfBlocksAreDifferent) {
  auto cluster = events();
  std::uint64_t objects[run::kWarpSize] = {8, run::kNamedBarriers + 1, run::kNamedBarriers + 16,
                                           0x7f00'0000'0000};
  run::OrderEvent event;
  event.mask = 15;
  event.object = objects;
  const auto first = cluster.order(event, 0);
  const std::uint64_t of_first[] = {first.object[0], first.object[1], first.object[2],
                                    first.object[3]};
  const auto second = cluster.order(event, 1);
  EXPECT_EQ(8U, of_first[0]);
  EXPECT_EQ(112U + 8, second.object[0]);
  EXPECT_NE(of_first[1], second.object[1]);
  EXPECT_EQ(of_first[2], second.object[2]);  // the barrier of the cluster
  EXPECT_EQ(of_first[3], second.object[3]);  // global memory
}

TEST(ClusterEvents, TheFirstBlockBeginsAndTheLastOneEnds) {
  auto cluster = events();
  EXPECT_TRUE(cluster.begin());
  EXPECT_FALSE(cluster.begin());
  EXPECT_FALSE(cluster.end());
  EXPECT_TRUE(cluster.end());
}

// All checks together: the order of findings, the merging of observers, and the limit on the number
// of findings.

constexpr auto kFull = run::kFullMask;
constexpr auto kGlobal = run::Space::kGlobal;

// Runs a block with four mistakes: a race, a read of unwritten shared memory, a write to an input,
// and a read of an unwritten output.
void run_wrong_block(run::Observer& observer, std::uint64_t block) {
  observer.on_block_begin(block);
  Warp first(observer, 0), second(observer, 1);
  first.load(0, strided(kIn, 4), kFull, 4, kGlobal);
  first.store(1, strided(0, 4));
  second.load(2, strided(0, 4));
  second.load(3, strided(512, 4));
  sync_block(observer);
  first.store(4, strided(kIn, 4), kFull, 4, kGlobal);
  second.load(5, strided(kOut, 4), kFull, 4, kGlobal);
  observer.on_block_end();
}

TEST(Checks, FindingsComeInTheOrderOfTheEvents) {
  Launch launch;
  Checks checks;
  checks.on_launch(launch.context());
  run_wrong_block(checks, 3);
  const auto diagnostics = checks.diagnostics();
  ASSERT_EQ(4U, diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kRace, diagnostics[0].kind);
  EXPECT_EQ(base::DiagnosticKind::kUninitializedRead, diagnostics[1].kind);
  EXPECT_EQ(13U, diagnostics[1].where.line);
  EXPECT_EQ(base::DiagnosticKind::kInputModified, diagnostics[2].kind);
  EXPECT_EQ(base::DiagnosticKind::kUninitializedRead, diagnostics[3].kind);
  EXPECT_EQ(15U, diagnostics[3].where.line);
}

TEST(Checks, TheResultDoesNotDependOnTheNumberOfObservers) {
  Launch launch;
  std::vector<std::vector<base::Diagnostic>> results;
  for (const std::size_t observers : {1U, 2U, 5U}) {
    Checks checks;
    checks.on_launch(launch.context());
    std::vector<std::unique_ptr<run::Observer>> forks;
    for (std::size_t i = 0; i < observers; ++i) {
      forks.push_back(checks.fork());
      forks.back()->on_launch(launch.context());
    }
    for (std::uint64_t block = 0; block < 8; ++block) {
      run_wrong_block(*forks[(block + 3) % observers], block);
    }
    for (auto& fork : forks) checks.join(*fork);
    results.push_back(checks.diagnostics());
  }
  ASSERT_EQ(4U, results[0].size());
  EXPECT_EQ((base::Dim3{0, 0, 0}), results[0][0].block);
  EXPECT_NE(std::string::npos, base::text(results[0][0]).find("This happened 256 times."));
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Checks, TheForksAloneMayBeToldOfTheLaunch) {
  Launch launch;
  Checks checks;
  const auto fork = checks.fork();
  fork->on_launch(launch.context());
  run_wrong_block(*fork, 0);
  checks.join(*fork);
  EXPECT_EQ(4U, checks.diagnostics().size());
}

TEST(Checks, ANewLaunchStartsAfresh) {
  Launch launch;
  Checks checks;
  checks.on_launch(launch.context());
  run_wrong_block(checks, 0);
  checks.on_launch(launch.context());
  EXPECT_TRUE(checks.diagnostics().empty());
}

TEST(Checks, DiagnosticsOutliveTheLaunch) {
  Checks checks;
  {
    Launch launch;
    checks.on_launch(launch.context());
    run_wrong_block(checks, 0);
  }
  ASSERT_EQ(4U, checks.diagnostics().size());
  EXPECT_NE(std::string::npos, base::text(checks.diagnostics()[3]).find("reads out[0] before"));
}

TEST(Checks, ManyWrongLinesAreCappedAndTheRestIsCounted) {
  Launch launch;
  Checks checks;
  checks.on_launch(launch.context());
  checks.on_block_begin(0);
  Warp warp(checks);
  for (std::uint32_t i = 0; i < 20; ++i) warp.load(i, strided(0, 4), 1);
  const auto diagnostics = checks.diagnostics();
  ASSERT_EQ(16U, diagnostics.size());
  EXPECT_TRUE(
      base::text(diagnostics.back()).ends_with(" 4 more findings at other lines are not shown."));
  EXPECT_FALSE(base::text(diagnostics[0]).ends_with("not shown."));
}

TEST(Checks, AKernelWithoutSharedMemoryAndBuffersIsFine) {
  Launch launch;
  launch.context().shared_bytes = 0;
  launch.context().buffers = nullptr;
  launch.context().shared_variables.clear();
  Checks checks;
  checks.on_launch(launch.context());
  checks.on_block_begin(0);
  Warp(checks).store(0, strided(kOut, 4), kFull, 4, kGlobal);
  sync_block(checks);
  EXPECT_TRUE(checks.diagnostics().empty());
}

}  // namespace warpgrade::check::checks_test

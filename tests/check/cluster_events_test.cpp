// SPDX-License-Identifier: Apache-2.0
// Events of a cluster's blocks, rewritten as events of one block. The cluster has two blocks of two
// warps, each with 100 bytes of shared memory, padded to 112.
#include "common/check/cluster_events.h"

#include <gtest/gtest.h>

namespace warpgrade::check::cluster_events_test {

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

}  // namespace warpgrade::check::cluster_events_test

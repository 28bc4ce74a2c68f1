// SPDX-License-Identifier: Apache-2.0
// Order among the lanes of a warp, established by its barriers.
#include "common/check/warp_order.h"

#include <gtest/gtest.h>

namespace warpgrade::check::warp_order_test {

constexpr std::uint32_t kAll = run::kFullMask;

TEST(WarpOrder, WithoutABarrierOnlyALaneItselfIsInOrder) {
  const WarpOrder order(2);
  EXPECT_EQ(kAll & ~8U, order.unordered(1, kAll, order.stamp(1), 3));
}

TEST(WarpOrder, ABarrierOfAllOrdersWhatCameBeforeIt) {
  WarpOrder order(2);
  const auto before = order.stamp(0);
  order.barrier(0, kAll);
  EXPECT_EQ(0U, order.unordered(0, kAll, before, 3));
  EXPECT_EQ(kAll & ~8U, order.unordered(0, kAll, order.stamp(0), 3));
  EXPECT_EQ(kAll & ~8U, order.unordered(1, kAll, order.stamp(1), 3));  // the other warp
}

TEST(WarpOrder, ABarrierOfAPartOrdersThatPartOnly) {
  WarpOrder order(1);
  const auto before = order.stamp(0);
  order.barrier(0, 0x3);
  EXPECT_EQ(0U, order.unordered(0, 0x3, before, 0));
  EXPECT_EQ(0x4U, order.unordered(0, 0x7, before, 0));
  EXPECT_EQ(0x3U, order.unordered(0, 0x7, before, 2));
}

TEST(WarpOrder, OrderIsHandedOnFromBarrierToBarrier) {
  WarpOrder order(1);
  const auto before = order.stamp(0);
  order.barrier(0, 0x3);  // lanes 0 and 1
  const auto between = order.stamp(0);
  order.barrier(0, 0x6);  // lanes 1 and 2
  EXPECT_EQ(0U, order.unordered(0, 0x1, before, 2));
  EXPECT_EQ(0x1U, order.unordered(0, 0x1, between, 2));  // lane 0 missed the second barrier
}

TEST(WarpOrder, AdvancingTeachesNobody) {
  WarpOrder order(1);
  const auto before = order.stamp(0);
  order.advance(0);
  EXPECT_LT(before, order.stamp(0));
  EXPECT_EQ(0x1U, order.unordered(0, 0x1, before, 2));
}

TEST(WarpOrder, ResetForgetsAllBarriers) {
  WarpOrder order(1);
  order.barrier(0, 0x3);
  order.reset();
  EXPECT_EQ(0x1U, order.unordered(0, 0x1, order.stamp(0), 1));
  EXPECT_EQ(0U, order.known(0, 0, 1));
}

}  // namespace warpgrade::check::warp_order_test

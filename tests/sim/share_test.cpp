// SPDX-License-Identifier: Apache-2.0
// Orders and lists of blocks.
#include "common/sim/share.h"

#include <gtest/gtest.h>

#include <set>

#include "common/base/error.h"

namespace warpgrade::sim::share_test {

TEST(BlockOrder, IsByIndexWithoutASeedAndHasEachBlockOnceWithOne) {
  const BlockOrder plain(10, 0);
  EXPECT_EQ(7U, plain(7));
  const BlockOrder seeded(10, 5);
  std::set<std::uint64_t> blocks;
  for (std::uint64_t i = 0; i < 10; ++i) blocks.insert(seeded(i));
  EXPECT_EQ(10U, blocks.size());
  EXPECT_EQ(9U, *blocks.rbegin());
}

TEST(BlockList, CountsThroughRanges) {
  EXPECT_EQ(6U, BlockList({}, 6).count());
  EXPECT_EQ(4U, BlockList({}, 6).at(4));
  const BlockList list({{1, 3}, {5, 6}}, 6);
  EXPECT_EQ(3U, list.count());
  EXPECT_EQ(2U, list.at(1));
  EXPECT_EQ(5U, list.at(2));
  EXPECT_THROW(BlockList({{3, 2}}, 6), base::UsageError);
  EXPECT_THROW(BlockList({{0, 7}}, 6), base::UsageError);
}

}  // namespace warpgrade::sim::share_test

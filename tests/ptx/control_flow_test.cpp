// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/control_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::ptx::control_flow_test {

using testing::ElementsAre;

// The weak topological order of blocks with these successors.
std::vector<std::uint32_t> order_of(const std::vector<std::vector<std::uint32_t>>& successors) {
  std::vector<BasicBlock> blocks(successors.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i].successors = successors[i];
  return weak_topological_order(blocks);
}

TEST(WeakTopologicalOrder, KeepsStraightCodeAndDropsWhatIsNeverReached) {
  EXPECT_THAT(order_of({{1}, {3}, {3}, {}}), ElementsAre(0, 1, 3));
}

TEST(WeakTopologicalOrder, PutsTheJoinBehindBothSides) {
  EXPECT_THAT(order_of({{2, 1}, {3}, {3}, {}}), ElementsAre(0, 1, 2, 3));
}

TEST(WeakTopologicalOrder, PutsALoopsExitBehindItsBody) {
  // 0 -> 1; 1 loops through 3, which follows the exit 2 in the text.
  EXPECT_THAT(order_of({{1}, {3, 2}, {}, {1}}), ElementsAre(0, 1, 3, 2));
}

TEST(WeakTopologicalOrder, KeepsNestedLoopsTogether) {
  // Outer loop 1..4, inner loop 2..3; 5 is the exit of both.
  EXPECT_THAT(order_of({{1}, {2}, {5, 3}, {2, 4}, {1, 5}, {}}), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(WeakTopologicalOrder, OrdersVeryLongFunctionsWithoutRecursion) {
  std::vector<std::vector<std::uint32_t>> successors(200'000);
  for (std::uint32_t i = 0; i + 1 < successors.size(); ++i) successors[i] = {i + 1};
  EXPECT_EQ(successors.size(), order_of(successors).size());
}

}  // namespace warpgrade::ptx::control_flow_test

// SPDX-License-Identifier: Apache-2.0
#include "common/timing/atomic_sharing.h"

#include <gtest/gtest.h>

namespace warpgrade::timing::atomic_sharing_test {

// Two of the 20 multiprocessors of a chip, four rows; `pieces` by block.
AtomicSharing sharing(const std::vector<std::uint64_t>& pieces) {
  Trace trace;
  for (std::uint64_t i = 0; i < pieces.size(); ++i) {
    BlockTrace block;
    block.linear = i / 2 * 20 + i % 2;
    block.atomic_works.push_back({{pieces[i], 1, 0}, false});
    trace.blocks.push_back(block);
  }
  return {trace, 20, 0.1};
}

TEST(AtomicSharing, ACounterOfAllBlocksIsThatOfTheWholeChip) {
  EXPECT_DOUBLE_EQ(10, sharing({7, 7, 7, 7, 7, 7, 7, 7}).at(7));
}

TEST(AtomicSharing, APieceOfBlocksBesideOneAnotherIsTheirs) {
  const auto found = sharing({1, 1, 2, 2, 3, 3, 4, 4});
  EXPECT_DOUBLE_EQ(1, found.at(1));
  EXPECT_DOUBLE_EQ(1, found.at(4));
  EXPECT_DOUBLE_EQ(1, found.at(99));
}

// Two of four rows go there. By one of them it is known; of the three others a third goes there,
// too, so of the 39 rows that the chip runs meanwhile 13 do: 14 times a row's work, where the
// sample has 2.
TEST(AtomicSharing, APieceOfSomeRowsIsThatOfAsManyElsewhere) {
  EXPECT_DOUBLE_EQ(7, sharing({1, 1, 2, 2, 1, 1, 3, 3}).at(1));
}

}  // namespace warpgrade::timing::atomic_sharing_test

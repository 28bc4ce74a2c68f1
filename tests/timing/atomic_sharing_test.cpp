// SPDX-License-Identifier: Apache-2.0
#include "common/timing/atomic_sharing.h"

#include <gtest/gtest.h>

namespace warpgrade::timing::atomic_sharing_test {

// A trace of four rows of blocks on two of a chip's 20 multiprocessors. `pieces` has the piece that
// each block updates.
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

// Two of the four rows update piece 1. Besides one known row, a third of the other three rows do,
// so 13 of the 39 other rows on the chip do, too: 14 times a row's work. In the sample it is 2.
TEST(AtomicSharing, APieceOfSomeRowsIsThatOfAsManyElsewhere) {
  EXPECT_DOUBLE_EQ(7, sharing({1, 1, 2, 2, 1, 1, 3, 3}).at(1));
}

}  // namespace warpgrade::timing::atomic_sharing_test

// SPDX-License-Identifier: Apache-2.0
#include "common/sim/heap.h"

#include <gtest/gtest.h>

namespace warpgrade::sim {
namespace {

TEST(Heap, GivesPiecesThatDoNotOverlapAtMultiplesOf16) {
  Heap heap;
  EXPECT_EQ(0U, heap.allocate(1));
  EXPECT_EQ(16U, heap.allocate(17));
  EXPECT_EQ(48U, heap.allocate(16));
}

TEST(Heap, FillsGapsAndJoinsThem) {
  Heap heap;
  heap.allocate(32);
  heap.allocate(32);
  heap.allocate(32);
  heap.allocate(32);
  EXPECT_TRUE(heap.release(0));
  EXPECT_TRUE(heap.release(64));
  EXPECT_EQ(128U, heap.allocate(48));  // neither gap is large enough
  EXPECT_TRUE(heap.release(32));
  EXPECT_EQ(0U, heap.allocate(96));  // now the three are one
}

TEST(Heap, HasNoMoreThanItsBytes) {
  Heap heap;
  EXPECT_EQ(std::nullopt, heap.allocate(Heap::kBytes + 1));
  EXPECT_EQ(0U, heap.allocate(Heap::kBytes));
  EXPECT_EQ(std::nullopt, heap.allocate(1));
  EXPECT_TRUE(heap.release(0));
  EXPECT_EQ(0U, heap.allocate(1));
  EXPECT_EQ(std::nullopt, heap.allocate(0));
}

TEST(Heap, TakesBackOnlyWhatItGave) {
  Heap heap;
  heap.allocate(32);
  EXPECT_FALSE(heap.release(16));
  EXPECT_TRUE(heap.release(0));
  EXPECT_FALSE(heap.release(0));
}

}  // namespace
}  // namespace warpgrade::sim

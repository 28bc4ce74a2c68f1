// SPDX-License-Identifier: Apache-2.0
#include "common/sim/heap.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpgrade::sim {
namespace {

TEST(Heap, GivesPiecesThatDoNotOverlapAtMultiplesOf16) {
  Heap heap;
  EXPECT_EQ(0U, heap.allocate(1));
  EXPECT_EQ(80U, heap.allocate(17));
  EXPECT_EQ(176U, heap.allocate(16));
  EXPECT_EQ(256U, heap.allocate(0));
  EXPECT_EQ(320U, heap.allocate(0));  // no two pieces at one place
}

TEST(Heap, FillsGapsAndJoinsThem) {
  Heap heap;
  heap.allocate(32);
  heap.allocate(32);
  heap.allocate(32);
  heap.allocate(32);
  EXPECT_TRUE(heap.release(0));
  EXPECT_TRUE(heap.release(192));
  EXPECT_EQ(384U, heap.allocate(48));  // neither gap is large enough
  EXPECT_TRUE(heap.release(96));
  EXPECT_EQ(0U, heap.allocate(224));  // now the three are one
}

// A search gap by gap would look at 10^10 of them.
TEST(Heap, FindsItsPlaceAmongVeryManyGaps) {
  Heap heap;
  std::vector<std::uint64_t> places;
  while (const auto place = heap.allocate(16)) places.push_back(*place);
  ASSERT_EQ(Heap::kBytes / (16 + Heap::kOverhead), places.size());
  for (std::size_t i = 0; i + 1 < places.size(); i += 2) EXPECT_TRUE(heap.release(places[i]));
  for (int i = 0; i < 100'000; ++i) ASSERT_EQ(std::nullopt, heap.allocate(32));
  EXPECT_TRUE(heap.release(places[1]));
  EXPECT_EQ(0U, heap.allocate(48));
}

TEST(Heap, HasNoMoreThanItsBytes) {
  Heap heap;
  EXPECT_EQ(std::nullopt, heap.allocate(Heap::kBytes));
  EXPECT_EQ(0U, heap.allocate(Heap::kBytes - Heap::kOverhead));
  EXPECT_EQ(std::nullopt, heap.allocate(0));
  EXPECT_TRUE(heap.release(0));
  EXPECT_EQ(0U, heap.allocate(1));
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

// SPDX-License-Identifier: Apache-2.0
// The heap of malloc(): allocation, release, and messages about other addresses.
#include "common/sim/memory/heap.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpgrade::sim::heap_test {

constexpr std::uint64_t kBase = 0x10000;

class HeapTest : public testing::Test {
 protected:
  Heap heap{kBase, std::byte{0xff}};
};

TEST_F(HeapTest, GivesPiecesApartFromEachOtherAtMultiplesOf16) {
  const auto first = heap.allocate(1, 4).value();
  const auto second = heap.allocate(17, 5).value();
  EXPECT_EQ(0U, first % 16);
  EXPECT_EQ(0U, second % 16);
  EXPECT_NE(nullptr, heap.find(first, 1));
  EXPECT_EQ(nullptr, heap.find(first, 2));
  EXPECT_EQ(nullptr, heap.find(first + 1, 1));
  EXPECT_EQ(nullptr, heap.find(first - 1, 1));
  ASSERT_NE(nullptr, heap.find(second + 1, 16));
  EXPECT_EQ(std::byte{0xff}, *heap.find(second + 1, 16)->host);
}

TEST_F(HeapTest, HasNoMoreThanItsBytes) {
  EXPECT_FALSE(heap.allocate(Heap::kBytes, 1));
  const auto all = heap.allocate(Heap::kBytes - Heap::kOverhead, 1);
  ASSERT_TRUE(all);
  EXPECT_FALSE(heap.allocate(0, 1));
  EXPECT_FALSE(heap.release(*all, 2));
  EXPECT_TRUE(heap.allocate(1, 3));
}

TEST_F(HeapTest, NoBytesAreAPieceToo) {
  const auto first = heap.allocate(0, 1);
  ASSERT_TRUE(first);
  EXPECT_NE(first, heap.allocate(0, 1));
  EXPECT_EQ(nullptr, heap.find(*first, 1));
  EXPECT_FALSE(heap.release(*first, 2));
}

TEST_F(HeapTest, GivesNoAddressTwice) {
  const auto first = heap.allocate(32, 1).value();
  heap.release(first, 2);
  EXPECT_NE(first, heap.allocate(32, 3));
  EXPECT_EQ(nullptr, heap.find(first, 1));
}

TEST_F(HeapTest, TakesBackOnlyWhatItGave) {
  const auto piece = heap.allocate(32, 4).value();
  EXPECT_EQ(
      "free() of address 0x10010, which is 16 bytes into the 32 bytes that malloc() returned "
      "in line 4; pass it the pointer that malloc() returned",
      heap.release(piece + 16, 9));
  EXPECT_EQ(
      "free() of address 0x20, which malloc() did not return; pass it the pointer that malloc() "
      "returned",
      heap.release(0x20, 9));
  EXPECT_EQ(std::nullopt, heap.release(piece, 6));
  EXPECT_EQ(
      "frees the 32 bytes that malloc() returned in line 4 a second time, after the first in line "
      "6; free each allocation once",
      heap.release(piece, 9));
}

TEST_F(HeapTest, SaysWhereAnAddressLies) {
  const auto piece = heap.allocate(20, 4).value();
  const auto next = heap.allocate(1, 5).value();
  EXPECT_EQ("at bytes 20 to 23 of the 20 bytes that malloc() returned in line 4",
            heap.describe(piece + 20, 4).where);
  EXPECT_EQ("beginning 8 bytes before the 1 byte that malloc() returned in line 5",
            heap.describe(next - 8, 4).where);
  EXPECT_EQ("beginning 8 bytes before the 20 bytes that malloc() returned in line 4",
            heap.describe(piece - 8, 4).where);
  heap.release(piece, 7);
  EXPECT_EQ("in the 20 bytes that malloc() returned in line 4, after free() in line 7",
            heap.describe(piece + 4, 4).where);
  EXPECT_EQ("do not use memory after freeing it", heap.describe(piece + 4, 4).advice);
}

TEST_F(HeapTest, RemembersOnlySoManyFreedPieces) {
  for (int i = 0; i < 70'000; ++i) heap.release(heap.allocate(8, 1).value(), 2);
  const auto last = heap.allocate(8, 1).value();
  EXPECT_NE(nullptr, heap.find(last, 8));
}

}  // namespace warpgrade::sim::heap_test

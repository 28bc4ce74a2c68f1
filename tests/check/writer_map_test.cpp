// SPDX-License-Identifier: Apache-2.0
// Compares the map with a plain list of cells.
#include "common/check/writer_map.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace warpgrade::check::writer_map_test {

/// One writer per cell, without compression.
class Plain {
 public:
  explicit Plain(std::uint64_t cells) : cells_(cells) {}
  void add(std::uint64_t cell, Writer writer) {
    Writer& known = cells_[cell];
    known = known == kNobody || known == writer ? writer : kSeveral;
  }
  const std::vector<Writer>& cells() const { return cells_; }

 private:
  std::vector<Writer> cells_;
};

void expect_equal(const Plain& plain, const WriterMap& map) {
  for (std::uint64_t cell = 0; cell < plain.cells().size(); ++cell) {
    ASSERT_EQ(plain.cells()[cell], map.writer(cell)) << cell;
  }
}

TEST(WriterMap, IsAListOfCellsInFewerNumbers) {
  constexpr std::uint64_t kCells = 5000;
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    Plain plain(kCells);
    WriterMap left(kCells), right(kCells);
    for (int step = 0; step < 60; ++step) {
      // Mostly rows of 32 cells, as kernels write them; others begin and end anywhere.
      const bool is_row = step % 3 != 0;
      const std::uint64_t first = is_row ? random() % 150 * 32 : random() % (kCells - 100);
      const auto count =
          static_cast<std::uint32_t>(is_row ? 32 * (1 + random() % 4) : 1 + random() % 100);
      const auto writer = static_cast<Writer>(1 + random() % 3);
      WriterMap& map = step % 2 == 0 ? left : right;
      // In some rounds only one map, or neither, is queried before the end.
      const bool is_asked = round % 4 == 0 || (round % 4 == 1 && step % 2 == 0);
      bool any_unwritten = false;
      for (std::uint64_t i = 0; is_asked && i < count; ++i) {
        any_unwritten |= map.writer(first + i) == kNobody;
      }
      ASSERT_EQ(any_unwritten, is_asked && map.any_unwritten(first, count));
      map.write(first, count, writer);
      for (std::uint64_t i = 0; i < count; ++i) plain.add(first + i, writer);
    }
    left.merge(right);
    expect_equal(plain, left);
  }
}

// Rows of 40 cells with different writers. A row can end, and the next one begin, within a group of
// cells.
TEST(WriterMap, RowsThatEndWithinAGroup) {
  constexpr std::uint64_t kCells = 40 * 50;
  Plain plain(kCells);
  WriterMap left(kCells), right(kCells);
  for (std::uint64_t row = 0; row < 50; ++row) {
    const auto writer = static_cast<Writer>(1 + row % 7);
    (row % 4 < 2 ? left : right).write(40 * row, 40, writer);
    for (std::uint64_t i = 0; i < 40; ++i) plain.add(40 * row + i, writer);
  }
  EXPECT_TRUE(left.any_unwritten(80, 40));
  EXPECT_FALSE(left.any_unwritten(0, 80));
  EXPECT_TRUE(left.any_unwritten(79, 2));
  EXPECT_FALSE(left.any_written(80, 40));
  EXPECT_TRUE(left.any_written(79, 2));
  left.merge(right);
  expect_equal(plain, left);
  left.write(35, 10, 9);
  for (std::uint64_t i = 35; i < 45; ++i) plain.add(i, 9);
  expect_equal(plain, left);
}

// More writes than the list has room for.
TEST(WriterMap, CellByCell) {
  constexpr std::uint64_t kCells = 320;
  Plain plain(kCells);
  WriterMap left(kCells), right(kCells);
  for (std::uint64_t i = 0; i < kCells; ++i) {
    const std::uint64_t cell = i * 7 % kCells;
    const auto writer = static_cast<Writer>(1 + cell / 50);
    (i % 16 == 0 ? right : left).write(cell, 1, writer);
    plain.add(cell, writer);
  }
  right.merge(left);
  expect_equal(plain, right);
}

TEST(WriterMap, TheLastCellsMayBeLessThanARow) {
  WriterMap map(33);
  EXPECT_TRUE(map.any_unwritten(32, 1));
  map.write(0, 33, kMostWriters);
  EXPECT_FALSE(map.any_unwritten(0, 33));
  EXPECT_EQ(kMostWriters, map.writer(32));
  map.write(32, 1, 1);
  EXPECT_EQ(kSeveral, map.writer(32));
  EXPECT_EQ(kMostWriters, map.writer(31));
}

}  // namespace warpgrade::check::writer_map_test

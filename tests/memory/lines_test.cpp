// SPDX-License-Identifier: Apache-2.0
// The lines that a request touches, byte by byte.
#include "common/memory/lines.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/memory/patterns.h"

namespace warpgrade::memory::lines_test {

std::map<std::uint64_t, Lines::Bytes> gathered(const Addresses& address, std::uint32_t bytes,
                                               std::uint32_t mask = run::kFullMask) {
  Lines lines;
  gather({address.data(), mask, bytes}, lines);
  std::map<std::uint64_t, Lines::Bytes> all;
  for (std::uint32_t i = 0; i < lines.count; ++i) {
    EXPECT_EQ(sectors_of(lines.bytes[i]), lines.sectors[i]);
    EXPECT_TRUE(all.emplace(lines.index[i], lines.bytes[i]).second) << "a line twice";
  }
  return all;
}

TEST(Lines, ARowOfFloatsIsOneWholeLine) {
  const auto all = gathered(lanes([](auto l) { return 0x1000 + 4 * l; }), 4);
  ASSERT_EQ(1U, all.size());
  EXPECT_EQ((Lines::Bytes{~0ULL, ~0ULL}), all.at(0x1000 / 128));
}

TEST(Lines, InactiveLanesTouchNothing) {
  const auto all = gathered(lanes([](auto l) { return l * 128; }), 4, 0x5);
  ASSERT_EQ(2U, all.size());
  EXPECT_EQ((Lines::Bytes{0xf, 0}), all.at(0));
  EXPECT_EQ((Lines::Bytes{0xf, 0}), all.at(2));
}

TEST(Lines, ALaneThatCrossesALineIsCut) {
  const auto all = gathered(lanes([](auto) { return std::uint64_t{126}; }), 4, 1);
  ASSERT_EQ(2U, all.size());
  EXPECT_EQ((Lines::Bytes{0, 0xc000000000000000}), all.at(0));
  EXPECT_EQ((Lines::Bytes{3, 0}), all.at(1));
}

TEST(Lines, LanesThatComeBackToALineJoinIt) {
  const auto all = gathered(lanes([](auto l) { return l % 2 * 1024 + l / 2; }), 1);
  ASSERT_EQ(2U, all.size());
  EXPECT_EQ((Lines::Bytes{0xffff, 0}), all.at(0));
  EXPECT_EQ((Lines::Bytes{0xffff, 0}), all.at(8));
}

TEST(Lines, LocalMemoryInterleavesTheLanes) {
  Lines lines;
  const auto address = lanes([](auto) { return std::uint64_t{8}; });
  gather_local({address.data(), run::kFullMask, 8}, lines);
  ASSERT_EQ(2U, lines.count);  // words 2 and 3 of all lanes
  EXPECT_EQ(2U, lines.index[0]);
  EXPECT_EQ(3U, lines.index[1]);
  EXPECT_EQ(0xfU, lines.sectors[0]);
}

TEST(Apart, AreLanesWithALineEach) {
  const auto columns = lanes([](auto l) { return l * 512; });
  const auto apart = as_apart({columns.data(), run::kFullMask, 4}, 512);
  ASSERT_TRUE(apart);
  EXPECT_EQ(4, apart->line_step);
  EXPECT_FALSE(as_apart({columns.data(), run::kFullMask, 4}, 64));
  const auto at_an_end = lanes([](auto l) { return l * 512 + 30; });
  EXPECT_FALSE(as_apart({at_an_end.data(), run::kFullMask, 4}, 512));
}

TEST(Apart, AreRecognisedWithoutAStrideNeverWrongly) {
  KeyFilter filter;
  const auto same_line = lanes([](auto l) { return l / 2 * 128; });
  EXPECT_FALSE(as_apart({same_line.data(), run::kFullMask, 4}, filter));
  EXPECT_TRUE(as_apart({same_line.data(), 0x55555555, 4}, filter));
}

TEST(BitRange, IsAsManyBitsFromThere) {
  EXPECT_EQ((Lines::Bytes{0, 0}), bit_range(5, 0));
  EXPECT_EQ((Lines::Bytes{0x1e, 0}), bit_range(1, 4));
  EXPECT_EQ((Lines::Bytes{0x8000000000000000, 1}), bit_range(63, 2));
  EXPECT_EQ((Lines::Bytes{~0ULL, ~0ULL}), bit_range(0, 128));
  EXPECT_EQ((Lines::Bytes{0, 0x8000000000000000}), bit_range(127, 1));
}

TEST(Sectors, AreTouchedOrFull) {
  EXPECT_EQ(0x9U, sectors_of({1, 0x8000000000000000}));
  EXPECT_EQ(0x1U, full_sectors_of({0x1ffffffff, 0}));
  EXPECT_EQ(2U, sector_bit(0x1020));
}

TEST(ForEachLine, CutsARangeAtItsLines) {
  std::map<std::uint64_t, std::uint32_t> found;
  for_each_line({100, 200}, [&](auto line, const auto& bytes) { found[line] = sectors_of(bytes); });
  EXPECT_EQ((std::map<std::uint64_t, std::uint32_t>{{0, 8}, {1, 15}, {2, 3}}), found);
}

}  // namespace warpgrade::memory::lines_test

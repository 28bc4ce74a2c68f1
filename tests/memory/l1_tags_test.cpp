// SPDX-License-Identifier: Apache-2.0
// Which bank of the tag stage looks up which line, by hand.
#include "common/memory/l1_tags.h"

#include <gtest/gtest.h>

#include <array>

namespace warpgrade::memory {
namespace l1_tags_test {

/// Clocks of 4 banks for lanes whose lines are `stride` apart, from line `first` on.
std::uint32_t clocks(std::uint32_t lanes, std::uint64_t stride, std::uint64_t first = 0) {
  std::array<std::uint64_t, 32> address{};
  for (std::uint32_t lane = 0; lane < lanes; ++lane) address[lane] = (first + lane * stride) * 128;
  const std::uint32_t mask = lanes == 32 ? ~0U : (1U << lanes) - 1;
  return tag_clocks({address.data(), mask, 4}, 4);
}

TEST(L1Tags, LinesSideBySideAreSpreadOverAllBanks) {
  EXPECT_EQ(1U, clocks(4, 1));
  EXPECT_EQ(2U, clocks(5, 1));
  EXPECT_EQ(8U, clocks(32, 1));
}

// Four apart, the last digit to the base 4 is always 0; the others choose the bank.
TEST(L1Tags, PowersOfTwoAreSpreadToo) {
  EXPECT_EQ(8U, clocks(32, 2));
  EXPECT_EQ(8U, clocks(32, 4));
  EXPECT_EQ(8U, clocks(32, 256));
}

// Lines 0, 5, 10, 15 are 00, 11, 22, 33 to the base 4: each has digits that cancel.
TEST(L1Tags, LinesWhoseDigitsCancelShareABank) {
  EXPECT_EQ(4U, clocks(4, 5));
  // 0, 3, 6, 9 are 00, 03, 12, 21: banks 0, 3, 3, 3.
  EXPECT_EQ(3U, clocks(4, 3));
}

TEST(L1Tags, ALineThatLanesShareIsLookedUpOnce) {
  EXPECT_EQ(1U, clocks(32, 0));
  std::array<std::uint64_t, 32> address{};
  for (std::uint32_t lane = 0; lane < 32; ++lane) address[lane] = lane % 2 * 5 * 128;
  EXPECT_EQ(2U, tag_clocks({address.data(), ~0U, 4}, 4)) << "lines 0 and 5, in turn";
}

TEST(L1Tags, LanesThatAreOffLookUpNothing) { EXPECT_EQ(0U, clocks(0, 1)); }

TEST(L1Tags, OneBankTakesEveryLineInTurn) {
  std::array<std::uint64_t, 32> address{};
  for (std::uint32_t lane = 0; lane < 32; ++lane) address[lane] = std::uint64_t{lane} * 128;
  EXPECT_EQ(32U, tag_clocks({address.data(), ~0U, 4}, 1));
  EXPECT_EQ(16U, tag_clocks({address.data(), ~0U, 4}, 2));
}

}  // namespace l1_tags_test
}  // namespace warpgrade::memory

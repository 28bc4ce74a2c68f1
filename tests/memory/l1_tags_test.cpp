// SPDX-License-Identifier: Apache-2.0
// The bank of L1's tag stage that looks up each line, calculated by hand.
#include "common/memory/l1_tags.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tests/evidence/golden/csv.h"

namespace warpgrade::memory::l1_tags_test {

using device::TagBanks;

/// Clocks of 4 banks for lanes whose lines are `stride` apart, from line `first` on.
std::uint32_t clocks(std::uint32_t lanes, std::uint64_t stride, std::uint64_t first = 0) {
  std::array<std::uint64_t, 32> address{};
  for (std::uint32_t lane = 0; lane < lanes; ++lane) address[lane] = (first + lane * stride) * 128;
  const std::uint32_t mask = lanes == 32 ? ~0U : (1U << lanes) - 1;
  return tag_clocks({address.data(), mask, 4}, TagBanks::kAmpere);
}

TEST(L1Tags, LinesSideBySideAreSpreadOverAllBanks) {
  EXPECT_EQ(1U, clocks(4, 1));
  EXPECT_EQ(2U, clocks(5, 1));
  EXPECT_EQ(8U, clocks(32, 1));
}

// For lines four apart, the last base-4 digit is always 0. The other digits choose the bank.
TEST(L1Tags, PowersOfTwoAreSpreadToo) {
  EXPECT_EQ(8U, clocks(32, 2));
  EXPECT_EQ(8U, clocks(32, 4));
  EXPECT_EQ(8U, clocks(32, 256));
}

// In base 4, lines 0, 5, 10, 15 are 00, 11, 22, 33: each has digits that cancel.
TEST(L1Tags, LinesWhoseDigitsCancelShareABank) {
  EXPECT_EQ(4U, clocks(4, 5));
  // In base 4, lines 0, 3, 6, 9 are 00, 03, 12, 21: banks 0, 3, 3, 3.
  EXPECT_EQ(3U, clocks(4, 3));
}

TEST(L1Tags, ALineThatLanesShareIsLookedUpOnce) {
  EXPECT_EQ(1U, clocks(32, 0));
  std::array<std::uint64_t, 32> address{};
  for (std::uint32_t lane = 0; lane < 32; ++lane) address[lane] = lane % 2 * 5 * 128;
  EXPECT_EQ(2U, tag_clocks({address.data(), ~0U, 4}, TagBanks::kAmpere))
      << "lines 0 and 5, in turn";
}

TEST(L1Tags, LanesThatAreOffLookUpNothing) { EXPECT_EQ(0U, clocks(0, 1)); }

// Four lines whose numbers differ in two bits. An H200 takes two clocks if both bits select the
// same bank. Bits 22 and 23 are skipped, because their measurement was disturbed.
TEST(L1Tags, TheBitsOfAHopperCountAsMeasured) {
  std::size_t rows = 0;
  for (const auto& row : golden::read_csv(WARPGRADE_L1_STAGES "/h200_tag_bits.csv")) {
    if (std::stoul(row.at("other_bit")) >= 22) continue;
    const auto bank = [&](const char* bit) {
      return tag_bank(std::uint64_t{1} << std::stoul(row.at(bit)), TagBanks::kHopper);
    };
    EXPECT_EQ(std::stod(row.at("clocks")) > 1.9, bank("bit") == bank("other_bit"))
        << row.at("bit") << ", " << row.at("other_bit");
    ++rows;
  }
  EXPECT_EQ(151U, rows);
}

// The bits have the kinds a, b, a, b, c, a, b, c, ...: kind a selects bank 1, b bank 2, and c both
// (bank 3).
TEST(L1Tags, ALineOfAHopperCancelsBitsOfOneKind) {
  EXPECT_EQ(0U, tag_bank(0b00101, TagBanks::kHopper)) << "a and a";
  EXPECT_EQ(0U, tag_bank(0b10011, TagBanks::kHopper)) << "a, b and c";
  EXPECT_EQ(3U, tag_bank(0b10000, TagBanks::kHopper)) << "c";
}

}  // namespace warpgrade::memory::l1_tags_test

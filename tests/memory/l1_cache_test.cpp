// SPDX-License-Identifier: Apache-2.0
#include "common/memory/l1_cache.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "common/device/profile.h"
#include "tests/evidence/golden/csv.h"
#include "tests/memory/patterns.h"

namespace warpgrade::memory::l1_cache_test {

// The bank of L1's tag stage that looks up each line, calculated by hand.

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

// The sizes of shared memory that the driver chooses for blocks of an H200, and 4 KB in flight.
TEST(L1Beside, IsWhatTheDriverLeaves) {
  const device::Profile& h200 = device::find("h200");
  std::size_t rows = 0;
  for (const auto& row : golden::read_csv(std::string(WARPGRADE_L1) + "/carve_outs.csv")) {
    run::LaunchContext context;
    context.warps_per_block = static_cast<std::uint32_t>(std::stoul(row.at("threads")) / 32);
    context.shared_bytes = static_cast<std::uint32_t>(std::stoul(row.at("bytes")));
    const auto left = static_cast<std::int64_t>(h200.l1.bytes) -
                      static_cast<std::int64_t>(std::stoul(row.at("shared"))) - 4096;
    EXPECT_EQ(std::max<std::int64_t>(left, 0), static_cast<std::int64_t>(l1_beside(h200, context)))
        << row.at("threads") << " threads, " << row.at("bytes") << " bytes";
    ++rows;
  }
  EXPECT_EQ(187U, rows);
}

// A table that fits has all its lines in L1 after their first loads; a larger one does not.
TEST(L1Beside, HoldsTheTablesThatFit) {
  const device::Profile& h200 = device::find("h200");
  for (const auto& row : golden::read_csv(std::string(WARPGRADE_L1) + "/tables.csv")) {
    if (row.at("kernel") != "lines") continue;
    run::LaunchContext context;
    context.warps_per_block = static_cast<std::uint32_t>(std::stoul(row.at("threads")) / 32);
    const double all = std::stod(row.at("kilobytes"));
    const double held = std::min(all, static_cast<double>(l1_beside(h200, context)) / 1024);
    const double first_loads = held * 8 / (1 << 15);  // lines, of the loads of an SM's warps
    EXPECT_NEAR(std::stod(row.at("hits")), 100 * held / all * (1 - first_loads), 1.5)
        << row.at("kilobytes") << " KB, " << row.at("threads") << " threads";
  }
}

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

// L1 hits of a block on its own earlier loads, and the size of its share of L1.

TEST(BlockL1, HoldsWhatTheBlockLoadedSectorBySector) {
  BlockL1 l1(4096);
  l1.begin_block();
  EXPECT_EQ(2U, l1.load(Range{0x1000, 64}));
  EXPECT_EQ(0U, l1.load(Range{0x1000, 64}));
  EXPECT_EQ(2U, l1.load(Range{0x1000, 128}));  // the line's other half
  EXPECT_EQ(1U, l1.load(Range{0x1080, 1}));
}

TEST(BlockL1, ANewBlockStartsWithNothing) {
  BlockL1 l1(4096);
  l1.begin_block();
  l1.load(Range{0x1000, 128});
  l1.begin_block();
  EXPECT_EQ(4U, l1.load(Range{0x1000, 128}));
}

TEST(BlockL1, OneSetOfFourReplacesTheOldestLine) {
  BlockL1 l1(0);  // at least one set
  l1.begin_block();
  for (std::uint64_t line = 0; line < 4; ++line) l1.load(Range{line * 128, 32});
  EXPECT_EQ(0U, l1.load(Range{0, 32}));
  l1.load(Range{4 * 128, 32});
  EXPECT_EQ(1U, l1.load(Range{0, 32}));
  EXPECT_EQ(0U, l1.load(Range{3 * 128, 32}));
}

TEST(BlockL1, AllFormsOfARequestMeetTheSameLines) {
  BlockL1 l1(1 << 16);
  l1.begin_block();
  const auto columns = lanes([](auto l) { return l * 256; });
  const Request request{columns.data(), run::kFullMask, 4};
  Lines lines;
  gather(request, lines);
  EXPECT_EQ(32U, l1.load(lines));
  EXPECT_EQ(0U, l1.load(*as_apart(request, 256)));
  EXPECT_EQ(0U, l1.load(Apart{request, 0}));
}

TEST(L1Share, IsWhatSharedMemoryAndTheNeighboursLeave) {
  device::Profile profile;
  profile.l1.bytes = 100'000;
  profile.shared.bytes = 64'000;
  profile.sm.limits.blocks = 4;
  profile.sm.limits.warps = 64;
  run::LaunchContext context;
  context.warps_per_block = 8;
  EXPECT_EQ(25'000U, l1_share(profile, context));
  context.warps_per_block = 32;  // two blocks
  EXPECT_EQ(50'000U, l1_share(profile, context));
  context.shared_bytes = 10'000;
  EXPECT_EQ(40'000U, l1_share(profile, context));
  run::Launch launch;
  context.launch = &launch;
  profile.sm.count = 2;
  launch.grid = {2, 1, 1};  // one block per SM
  EXPECT_EQ(90'000U, l1_share(profile, context));
  launch.grid = {2, 2, 1};
  EXPECT_EQ(40'000U, l1_share(profile, context));
  profile.l1.bytes = 20'000;  // all of it is shared memory
  EXPECT_EQ(0U, l1_share(profile, context));
}

}  // namespace warpgrade::memory::l1_cache_test

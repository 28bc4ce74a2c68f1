// SPDX-License-Identifier: Apache-2.0
// Spilled registers in the caches and in DRAM, by hand calculation.
#include "common/timing/spills.h"

#include <gtest/gtest.h>

namespace warpgrade::timing::spills_test {

constexpr std::uint64_t kLine = 128;

SpillAccess store(std::int32_t offset, std::uint8_t bytes = 4) { return {true, bytes, offset}; }
SpillAccess load(std::int32_t offset, std::uint8_t bytes = 4) { return {false, bytes, offset}; }

/// The requests of one warp, after their replay in a block's caches.
std::vector<TracedAccess> replayed(const std::vector<SpillAccess>& spills, std::uint64_t l1_bytes,
                                   std::uint64_t l2_bytes) {
  std::vector<TouchedLine> lines;
  std::vector<RecordedAccess> warp;
  for (const auto& spill : spills) warp.push_back(spill_request(spill, 0, lines));
  BlockReplay(l1_bytes, l2_bytes).run({&warp}, lines);
  std::vector<TracedAccess> out;
  for (const auto& one : warp) out.push_back(one.access);
  return out;
}

TEST(Spills, WordsOfAWarpAtOnePlaceOfTheStackAreALine) {
  std::vector<TouchedLine> lines;
  const auto narrow = spill_request(store(8), 3, lines);
  const auto wide = spill_request(load(8, 8), 3, lines);
  EXPECT_EQ(1, narrow.access.lines);
  EXPECT_EQ(4, narrow.access.sectors);
  EXPECT_EQ(2, wide.access.lines);
  ASSERT_EQ(3U, lines.size());
  EXPECT_EQ(lines[0].line, lines[1].line);      // at 8
  EXPECT_EQ(lines[0].line + 1, lines[2].line);  // at 12
  const auto other = spill_request(store(8), 4, lines);
  EXPECT_NE(lines[0].line, lines[other.first_line].line);
}

TEST(Spills, L1SendsStoresOnAndAnswersLoads) {
  const auto found = replayed({store(0), store(0), load(0)}, 64 * kLine, 64 * kLine);
  EXPECT_EQ(4, found[0].sectors - found[0].reused);
  EXPECT_EQ(4, found[1].sectors);
  EXPECT_EQ(0, found[2].sectors);
}

// 64 other places are stored in between, more than L1 holds and, in the first case, more than L2.
TEST(Spills, WhatTheCachesHaveLostComesFromDram) {
  std::vector<SpillAccess> spills = {store(0)};
  for (int i = 1; i <= 64; ++i) spills.push_back(store(4 * i));
  spills.push_back(load(0));
  EXPECT_EQ(4, replayed(spills, 8 * kLine, 8 * kLine).back().lost);
  EXPECT_EQ(0, replayed(spills, 8 * kLine, 128 * kLine).back().lost);
  EXPECT_EQ(4, replayed(spills, 8 * kLine, 128 * kLine).back().reused);
}

class SpillsInDram : public testing::Test {
 protected:
  SpillsInDram() {
    profile.l2.dirty_bytes = 1 << 20;
    TracedAccess stored{.kind = TracedAccess::Kind::kStore, .sectors = 100};
    stored.buffer = TracedAccess::kSpills;
    stored.reused = 20;
    TracedAccess loaded{.kind = TracedAccess::Kind::kLoad, .sectors = 60};
    loaded.buffer = TracedAccess::kSpills;
    loaded.lost = 30;
    const TracedAccess other{.kind = TracedAccess::Kind::kLoad, .sectors = 96};
    trace.blocks.resize(2);
    for (auto& block : trace.blocks) block.requests = {stored, loaded, other};
  }
  device::Profile profile;
  Trace trace;
};

// A block accesses 256 sectors, 8,192 bytes. 512 blocks access 4 MiB, of which L2 keeps 1 MiB as
// written.
TEST_F(SpillsInDram, AreWrittenUnlessTheNextBlockComesSoon) {
  EXPECT_DOUBLE_EQ(0.75, spill_rates(profile, trace, 512).written);
  EXPECT_DOUBLE_EQ(0, spill_rates(profile, trace, 128).written);
  EXPECT_DOUBLE_EQ(1, spill_rates(profile, trace, 512).lost);
}

TEST_F(SpillsInDram, CountInTheTrafficOfTheLaunch) {
  DramTraffic traffic{.read = 1000, .read_again = 0, .filled = 0, .written = 2000};
  add_spills(trace, spill_rates(profile, trace, 512), 1024, traffic);
  EXPECT_DOUBLE_EQ(1000 + 1024 * 30 * 32, traffic.read);
  EXPECT_DOUBLE_EQ(1024 * 30 * 32, traffic.read_again);
  EXPECT_DOUBLE_EQ(2000 + 1024 * 80 * 0.75 * 32, traffic.written);
}

}  // namespace warpgrade::timing::spills_test

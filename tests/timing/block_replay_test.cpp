// SPDX-License-Identifier: Apache-2.0
#include "common/timing/block_replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "common/memory/global_access.h"
#include "common/memory/lines.h"
#include "common/run/observer.h"
#include "tests/evidence/golden/csv.h"

namespace warpgrade::timing::block_replay_test {

// Loads of a block in L1 and L2, by hand calculation.

constexpr std::uint64_t kLine = 128;

/// A block whose requests access one line each.
class BlockReplayTest : public testing::Test {
 protected:
  void add(std::size_t warp, std::uint64_t line, std::uint32_t sectors = 0xf,
           TracedAccess::Kind kind = TracedAccess::Kind::kLoad, bool is_in_l1 = true) {
    if (warp >= warps.size()) warps.resize(warp + 1);
    RecordedAccess request;
    request.access.kind = kind;
    request.access.sectors = 4;
    request.first_line = static_cast<std::uint32_t>(lines.size());
    request.lines = 1;
    request.access.is_in_l1 = is_in_l1;
    lines.push_back({line, sectors});
    warps[warp].push_back(request);
  }
  void run(BlockReplay& replay) {
    std::vector<std::vector<RecordedAccess>*> all;
    for (auto& warp : warps) all.push_back(&warp);
    replay.run(all, lines);
  }
  const TracedAccess& at(std::size_t warp, std::size_t k) const { return warps[warp][k].access; }

  std::vector<std::vector<RecordedAccess>> warps;
  std::vector<TouchedLine> lines;
};

TEST_F(BlockReplayTest, WhatWasLoadedBeforeHitsL1) {
  BlockReplay replay(8 * kLine, 64 * kLine);
  add(0, 1, 0x3);
  add(0, 1, 0x6);
  run(replay);
  EXPECT_EQ(2, at(0, 0).sectors);
  EXPECT_EQ(1, at(0, 1).sectors);  // the third sector is new
  EXPECT_EQ(0, at(0, 1).reused + at(0, 1).lost);
  EXPECT_EQ(3, at(0, 1).more);  // counted as four before
}

// The second load of warp 1 finds its line because of the first one of warp 0; another load has
// brought the rest.
TEST_F(BlockReplayTest, ALoadKnowsWhichOneBringsItsLine) {
  BlockReplay replay(8 * kLine, 64 * kLine);
  add(0, 1);
  add(1, 2);
  add(0, 3);
  add(1, 1);
  add(0, 1);
  run(replay);
  EXPECT_EQ(TracedAccess::kNoFetch, at(0, 0).fetching_warp);
  EXPECT_EQ(TracedAccess::kNoFetch, at(0, 1).fetching_warp);
  EXPECT_EQ(0, at(1, 1).fetching_warp);
  EXPECT_EQ(0U, at(1, 1).fetch);
  EXPECT_EQ(0, at(0, 2).fetching_warp);
}

// Two warps read the same 64 lines, which L1 cannot hold. If the warps ran one after the other, the
// second would find nothing. In turns it finds everything.
TEST_F(BlockReplayTest, WarpsTakeTurns) {
  BlockReplay replay(8 * kLine, 1024 * kLine);
  for (std::uint64_t k = 0; k < 64; ++k) {
    add(0, k);
    add(1, k);
  }
  run(replay);
  for (std::size_t k = 0; k < 64; ++k) {
    EXPECT_EQ(4, at(0, k).sectors);
    EXPECT_EQ(0, at(1, k).sectors);
  }
}

// The warps take turns: 4 sectors of the first warp, 4 of the second, and 4 that both request and
// the first loads.
TEST_F(BlockReplayTest, FreshSectorsHaveTheirPlaceInTheOrderOfTurns) {
  BlockReplay replay(8 * kLine, 64 * kLine);
  add(0, 1);
  add(0, 3);
  add(0, 1);  // not fresh
  add(1, 2);
  add(1, 3);
  run(replay);
  const auto place = [&](std::size_t warp, std::size_t k) {
    return std::pair(3 * at(warp, k).fresh_begin, 3 * at(warp, k).fresh_end);
  };
  EXPECT_EQ(std::pair(0.0F, 1.0F), place(0, 0));
  EXPECT_EQ(std::pair(1.0F, 2.0F), place(1, 0));
  EXPECT_EQ(std::pair(2.0F, 3.0F), place(0, 1));
  EXPECT_EQ(std::pair(0.0F, 0.0F), place(0, 2));
  EXPECT_EQ(std::pair(0.0F, 0.0F), place(1, 1));
}

// Two passes over 16 lines with an L1 of 4. L2 holds all lines, or, with room for 8, has lost them.
TEST_F(BlockReplayTest, APassTooLongForL1FindsItsLinesInL2OrHasLostThem) {
  for (int pass = 0; pass < 2; ++pass) {
    for (std::uint64_t k = 0; k < 16; ++k) add(0, 100 + k);
  }
  const auto before = warps;
  BlockReplay large(4 * kLine, 32 * kLine);
  run(large);
  EXPECT_EQ(4, at(0, 15).sectors);
  EXPECT_EQ(0, at(0, 15).reused);
  EXPECT_EQ(4, at(0, 16).reused);
  warps = before;
  BlockReplay small(4 * kLine, 8 * kLine);
  run(small);
  EXPECT_EQ(4, at(0, 16).lost);
  EXPECT_EQ(0, at(0, 16).reused);
}

TEST_F(BlockReplayTest, WhatABlockStoresIsInL2ForIt) {
  BlockReplay replay(4 * kLine, 32 * kLine);
  add(0, 7, 0xf, TracedAccess::Kind::kStore, false);
  add(0, 7);
  run(replay);
  EXPECT_EQ(4, at(0, 0).sectors);
  EXPECT_EQ(4, at(0, 1).reused);
}

// Local memory writes through L1: L2 has the line from the first store on.
TEST_F(BlockReplayTest, EachStoreToLocalMemoryReachesTheSameLineOfL2) {
  BlockReplay replay(4 * kLine, 32 * kLine);
  for (int k = 0; k < 2; ++k) {
    add(0, 7, 0xf, TracedAccess::Kind::kStore);
    warps[0].back().access.buffer = TracedAccess::kLocal;
  }
  run(replay);
  EXPECT_EQ(0, at(0, 0).reused);
  EXPECT_EQ(4, at(0, 1).reused);
}

TEST_F(BlockReplayTest, PastL1EveryLoadGoesToL2) {
  BlockReplay replay(64 * kLine, 64 * kLine);
  add(0, 7, 0xf, TracedAccess::Kind::kLoad, false);
  add(0, 7, 0xf, TracedAccess::Kind::kLoad, false);
  run(replay);
  EXPECT_EQ(4, at(0, 1).sectors);
  EXPECT_EQ(4, at(0, 1).reused);
}

// The block touches more lines than the table's initial size. The next block finds none of them.
TEST_F(BlockReplayTest, ABlockMayTouchManyLinesAndLeavesNone) {
  BlockReplay replay(1 << 20, 1 << 20);
  for (std::uint64_t k = 0; k < 3000; ++k) add(0, k);
  for (std::uint64_t k = 0; k < 3000; ++k) add(0, k);
  const auto before = warps;
  for (int block = 0; block < 2; ++block) {
    warps = before;
    run(replay);
    for (std::size_t k = 0; k < 3000; ++k) {
      ASSERT_EQ(4, at(0, k).sectors);
      ASSERT_EQ(0, at(0, 3000 + k).sectors);
    }
  }
}

// Eight lines of 128 bytes per page of 1 KiB: lines 7 and 8 are in two pages, 8 and 9 in one.
TEST(PagesOf, CountsEachPageOnce) {
  EXPECT_EQ(0U, pages_of({}, 1024));
  const std::vector<TouchedLine> lines = {{7, 0xf}, {8, 0xf}, {9, 0xf}, {9, 0x1}};
  EXPECT_EQ(2U, pages_of(lines, 1024));
}

// Sectors 0 and 1, then 1 and 2 of one line: the second store sends sector 2 alone.
TEST_F(BlockReplayTest, ASectorThatAWarpStoresTwiceIsSentOnce) {
  constexpr auto kStore = TracedAccess::Kind::kStore;
  StoredLines stored;
  add(0, 5, 0x3, kStore);
  add(0, 5, 0x6, kStore);
  warps[0][1].access.sectors = 2;
  for (RecordedAccess& store : warps[0]) stored.add(store, lines);
  EXPECT_EQ(1, at(0, 1).sectors);
  EXPECT_EQ(1, at(0, 1).more);
  add(0, 6, 0xf, kStore);  // Another line comes in between.
  add(0, 5, 0x7, kStore);  // Sector 0 is remembered from the first store.
  warps[0][3].access.sectors = 3;
  stored.add(warps[0][2], lines);
  stored.add(warps[0][3], lines);
  EXPECT_EQ(4, at(0, 2).sectors);
  EXPECT_EQ(0, at(0, 3).sectors);
}

// A warp stores to line 0, to 5, 11 or 15 other lines, and to line 0 again. It uses 6, 12 or 16
// lines in turn, so 62, 12 or 2 % of the four sectors are not sent again: 2.48, 0.48 and 0.08.
TEST_F(BlockReplayTest, LinesBetweenTwoStoresToALineMakeL1SendItAgain) {
  constexpr auto kStore = TracedAccess::Kind::kStore;
  for (const auto& [between, sent] : {std::pair{5, 2}, std::pair{11, 4}, std::pair{15, 4}}) {
    warps.assign(1, {});
    StoredLines stored;
    for (std::uint64_t k = 0; k <= static_cast<std::uint64_t>(between); ++k) add(0, k, 0xf, kStore);
    add(0, 0, 0xf, kStore);
    for (RecordedAccess& store : warps[0]) stored.add(store, lines);
    EXPECT_EQ(sent, warps[0].back().access.sectors) << between;
  }
}

// One warp stores sectors 0 and 1, the next one 1 and 2: L1 sends sector 1 once. Each warp sends
// the sectors that the warp right before it did not store.
TEST_F(BlockReplayTest, ASectorThatTheWarpBeforeStoresIsSentOnce) {
  constexpr auto kStore = TracedAccess::Kind::kStore;
  const std::uint32_t stored[] = {0x3, 0x6, 0x3};
  for (std::size_t warp = 0; warp < 3; ++warp) {
    add(warp, 5, stored[warp], kStore);
    warps[warp][0].access.sectors = 2;
    warps[warp][0].access.lines = 1;
  }
  add(3, 5, 0x3, kStore);
  warps[3][0].access.sectors = 2;
  warps[3][0].access.lines = 1;
  BlockReplay replay(8 * kLine, 64 * kLine);
  run(replay);
  EXPECT_EQ(2, at(0, 0).sectors);
  EXPECT_EQ(1, at(1, 0).sectors);
  EXPECT_EQ(1, at(1, 0).more);
  EXPECT_EQ(1, at(2, 0).sectors);
  EXPECT_EQ(0, at(3, 0).sectors);
  EXPECT_EQ(0, at(3, 0).lines);
}

// A line with one loaded sector occupies a whole line: with room for 8, none of 64 is left.
TEST_F(BlockReplayTest, ALineInPartTakesTheRoomOfAWholeOne) {
  BlockReplay replay(8 * kLine, 1024 * kLine);
  for (int pass = 0; pass < 2; ++pass) {
    for (std::uint64_t k = 0; k < 64; ++k) add(0, k, 0x1);
  }
  run(replay);
  std::uint32_t sectors = 0;
  for (std::size_t k = 64; k < 128; ++k) sectors += at(0, k).sectors;
  EXPECT_EQ(64U, sectors);
}

// A warp whose threads store `words` adjacent words each stores to the same lines `words` times,
// and to at most 32 sectors. Returns 1 if each sector leaves L1 once, and 0 if it leaves each time.
double merged_of(std::uint32_t words) {
  std::vector<TouchedLine> lines;
  std::vector<RecordedAccess> stores(words);
  for (RecordedAccess& store : stores) {
    store.access.kind = TracedAccess::Kind::kStore;
    store.access.sectors = static_cast<std::uint16_t>(4 * words);
    store.first_line = static_cast<std::uint32_t>(lines.size());
    store.lines = words;
    for (std::uint64_t k = 0; k < words; ++k) lines.push_back({k, 0xf});
  }
  StoredLines stored;
  double sent = 0;
  for (RecordedAccess& store : stores) {
    stored.add(store, lines);
    sent += store.access.sectors;
  }
  return 1 - (sent / words - 4) / (4.0 * (words - 1));
}

// By hand: 1 up to 5 words, then 0.62, 0.30, 0.30, 0.12 and 0.02 for 6, 7, 8, 12 and 16 words.
TEST(StoredLines, L1SendsStoresOfThreadsToAdjacentWordsAsAnH200) {
  int rows = 0;
  for (const auto& row : golden::read_csv(WARPGRADE_H200_MEMORY "/merges.csv")) {
    if (row.at("what") != "aos") continue;
    const int words = std::stoi(row.at("words"));
    const double stores = (1 << 24) / 256 / words * 256 * words / 32.0;  // of warps
    const double each_time = stores * std::min(32, 4 * words);
    const double once = stores * 4;
    const double merged = (each_time - std::stod(row.at("sectors"))) / (each_time - once);
    EXPECT_NEAR(merged, merged_of(static_cast<std::uint32_t>(words)), 0.05) << words;
    ++rows;
  }
  EXPECT_EQ(9, rows);
}

// Two stores to the same six lines: of 24 common sectors L1 sends 62 %, 14.9, once.
TEST(StoredLines, ManyLinesAreSentAgainInPart) {
  std::vector<TouchedLine> lines;
  std::vector<RecordedAccess> stores(2);
  StoredLines stored;
  for (RecordedAccess& store : stores) {
    store.access.kind = TracedAccess::Kind::kStore;
    store.access.sectors = store.access.partial = 24;
    store.first_line = static_cast<std::uint32_t>(lines.size());
    store.lines = 6;
    for (std::uint64_t k = 0; k < 6; ++k) lines.push_back({k, 0xf});
    stored.add(store, lines);
  }
  EXPECT_EQ(9, stores[1].access.sectors);
  EXPECT_EQ(15, stores[1].access.more);
  EXPECT_EQ(9, stores[1].access.partial);
}

// A load between two stores to a line changes nothing, and does not count as one.
TEST_F(BlockReplayTest, LoadsAndStoresToOtherLinesAreNotMerged) {
  constexpr auto kStore = TracedAccess::Kind::kStore;
  StoredLines stored;
  add(0, 5, 0x3, kStore);
  add(0, 5, 0x3);
  add(0, 6, 0x3, kStore);
  add(0, 5, 0x3, kStore);
  for (RecordedAccess& access : warps[0]) stored.add(access, lines);
  EXPECT_EQ(4, at(0, 1).sectors);
  EXPECT_EQ(4, at(0, 2).sectors);
  EXPECT_EQ(2, at(0, 3).sectors);
}

}  // namespace warpgrade::timing::block_replay_test

namespace warpgrade::timing::spills_test {

// Spilled registers in the caches and in DRAM, by hand calculation.

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
    profile.l2.bytes = 8 << 20;
    TracedAccess stored{.kind = TracedAccess::Kind::kStore, .sectors = 100};
    stored.buffer = TracedAccess::kLocal;
    stored.reused = 20;
    TracedAccess loaded{.kind = TracedAccess::Kind::kLoad, .sectors = 60};
    loaded.buffer = TracedAccess::kLocal;
    loaded.lost = 30;
    const TracedAccess other{.kind = TracedAccess::Kind::kLoad, .sectors = 116};
    trace.blocks.resize(2);
    for (auto& block : trace.blocks) block.requests = {stored, loaded, other};
  }
  device::Profile profile;
  Trace trace;
};

// A block accesses 256 different sectors, 8,192 bytes: it stores 20 of 100 again. 512 blocks access
// 4 MiB, of which L2 keeps 1 MiB as written.
TEST_F(SpillsInDram, AreWrittenUnlessTheNextBlockComesSoon) {
  EXPECT_DOUBLE_EQ(0.75, local_rates(profile, trace, 512).written);
  EXPECT_DOUBLE_EQ(0, local_rates(profile, trace, 128).written);
  EXPECT_DOUBLE_EQ(1, local_rates(profile, trace, 512).lost);
}

// L2 has 655,360 bytes. 512 blocks store 80 different sectors each, 1.31 MB: twice as much. The
// solution of m = 1 - e^(-2 m) is 0.7968. 256 blocks have as many bytes as L2.
TEST_F(SpillsInDram, StoredAgainAreWrittenIfL2IsTooSmallForAllArrays) {
  profile.l2.bytes = 655360;
  EXPECT_NEAR(0.7968, local_rates(profile, trace, 512).rewritten, 1e-4);
  EXPECT_DOUBLE_EQ(0, local_rates(profile, trace, 256).rewritten);
  DramTraffic traffic;
  add_local(trace, {.written = 0.5, .rewritten = 0.25}, 10, traffic);
  EXPECT_DOUBLE_EQ(10 * (80 * 0.5 + 20 * 0.25) * 32, traffic.written);
}

TEST_F(SpillsInDram, CountInTheTrafficOfTheLaunch) {
  DramTraffic traffic{.read = 1000, .read_again = 0, .filled = 0, .written = 2000};
  add_local(trace, local_rates(profile, trace, 512), 1024, traffic);
  EXPECT_DOUBLE_EQ(1000 + 1024 * 30 * 32, traffic.read);
  EXPECT_DOUBLE_EQ(1024 * 30 * 32, traffic.read_again);
  EXPECT_DOUBLE_EQ(2000 + 1024 * 80 * 0.75 * 32, traffic.written);
}

}  // namespace warpgrade::timing::spills_test

namespace warpgrade::timing::arrays_test {

// Arrays of a thread in local memory, by hand calculation: word w of lane l is at 128 w + 4 l.

constexpr std::uint64_t kLine = 128;

/// Lane `l` of a warp accesses the word `first + step * l` of its array.
RecordedAccess access(run::Operation operation, std::uint32_t warp, std::uint64_t first,
                      std::uint64_t step, std::vector<TouchedLine>& touched) {
  std::array<std::uint64_t, 32> address{};
  for (std::size_t lane = 0; lane < 32; ++lane) address[lane] = 4 * (first + step * lane);
  run::MemoryEvent event;
  event.operation = operation;
  event.space = run::Space::kLocal;
  event.warp = warp;
  event.mask = run::kFullMask;
  event.bytes = 4;
  event.address = address.data();
  memory::Lines lines;
  memory::gather_local({event.address, event.mask, event.bytes}, lines);
  return array_request(event, memory::count_sectors(lines), lines, touched);
}

TEST(LocalArrays, OneIndexIsALineAndEachFurtherIndexIsAnotherOne) {
  std::vector<TouchedLine> lines;
  const auto same = access(run::Operation::kLoad, 0, 3, 0, lines);
  EXPECT_EQ(1, same.access.lines);
  EXPECT_EQ(4, same.access.sectors);
  EXPECT_EQ(1, same.access.wavefronts);
  EXPECT_EQ(TracedAccess::kLocal, same.access.buffer);
  const auto apart = access(run::Operation::kStore, 0, 0, 1, lines);
  EXPECT_EQ(32, apart.access.lines);
  EXPECT_EQ(32, apart.access.sectors);
  EXPECT_EQ(32, apart.access.partial);      // 4 of 32 bytes each
  EXPECT_EQ(1, apart.access.wavefronts);    // each lane has its own bank
  EXPECT_EQ(lines[0].line, lines[4].line);  // word 3 again, now of lane 3 alone
  EXPECT_EQ(0x1U, lines[4].sectors);
}

TEST(LocalArrays, AreNeitherThoseOfOtherWarpsNorSpilledRegisters) {
  std::vector<TouchedLine> lines;
  access(run::Operation::kLoad, 0, 3, 0, lines);
  access(run::Operation::kLoad, 1, 3, 0, lines);
  spill_request({false, 4, 12}, 0, lines);
  EXPECT_NE(lines[0].line, lines[1].line);
  EXPECT_NE(lines[0].line, lines[2].line);
}

// A warp writes 64 words per lane, then reads the first one: 8 KiB, more than L1 has room for. In
// the first case L2 has it, in the second it has gone to DRAM.
TEST(LocalArrays, TooLongForL1AreReadFromL2OrDram) {
  for (const std::uint64_t l2_lines : {128U, 8U}) {
    std::vector<TouchedLine> lines;
    std::vector<RecordedAccess> warp;
    for (std::uint64_t word = 0; word < 64; ++word) {
      warp.push_back(access(run::Operation::kStore, 0, word, 0, lines));
    }
    warp.push_back(access(run::Operation::kLoad, 0, 0, 0, lines));
    warp.push_back(access(run::Operation::kLoad, 0, 0, 0, lines));
    BlockReplay(8 * kLine, l2_lines * kLine).run({&warp}, lines);
    EXPECT_EQ(4, warp[63].access.sectors);
    const TracedAccess& load = warp[64].access;
    EXPECT_EQ(4, load.sectors);
    EXPECT_EQ(l2_lines == 128 ? 4 : 0, load.reused);
    EXPECT_EQ(l2_lines == 128 ? 0 : 4, load.lost);
    EXPECT_EQ(0, warp[65].access.sectors);
  }
}

}  // namespace warpgrade::timing::arrays_test

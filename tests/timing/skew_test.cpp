// SPDX-License-Identifier: Apache-2.0
// Skew of hand-made traces, calculated by hand.
#include "common/timing/skew.h"

#include <gtest/gtest.h>

namespace warpgrade::timing::skew_test {

const Skew kNoSkew;

// An atomic of 32 lanes on global memory, `on_one_word` of them on the same word. The others use
// words of `passes` other sectors.
void add_atomic(BlockTrace& block, std::uint8_t on_one_word, std::uint16_t passes) {
  TracedAccess request;
  request.kind = TracedAccess::Kind::kAtomic;
  request.first_transaction = static_cast<std::uint32_t>(block.atomic_works.size());
  request.atomic_works = 1;
  request.lanes = 32;
  request.on_one_word = on_one_word;
  block.requests.push_back(request);
  block.atomic_works.push_back({{0, passes, on_one_word}, false});
}

void add_shared(BlockTrace& block, std::uint16_t wavefronts, std::uint8_t on_one_word = 0) {
  TracedAccess request;
  request.kind = TracedAccess::Kind::kShared;
  request.wavefronts = wavefronts;
  request.lanes = on_one_word == 0 ? 0 : 32;
  request.on_one_word = on_one_word;
  block.requests.push_back(request);
}

Trace one_block(const BlockTrace& block) {
  Trace trace;
  trace.blocks = {block};
  return trace;
}

TEST(Contention, AllLanesOfEachRequestOnOneBin) {
  BlockTrace block;
  for (int i = 0; i < 4; ++i) add_atomic(block, 32, 0);
  EXPECT_EQ(Skew(Contention{run::Space::kGlobal, 32, 32}),
            skew_of(one_block(block), Bound::kBusiestAtomicUnit, {}, 1));
}

// Half of the lanes use one bin in three requests of four: (3 * 16 + 2) / 4 is 12.5. The passes are
// 3 * (16 + 8) + 2 + 8, of which these lanes cause 50.
TEST(Contention, IsTheMeanOverTheRequests) {
  BlockTrace block;
  for (int i = 0; i < 3; ++i) add_atomic(block, 16, 8);
  add_atomic(block, 2, 8);
  EXPECT_EQ(Skew(Contention{run::Space::kGlobal, 32, 12.5}),
            skew_of(one_block(block), Bound::kBusiestAtomicUnit, {}, 1));
}

// 32 lanes on 256 bins: two lanes share the most used one.
TEST(Contention, ValuesThatAreSpreadEvenlyHaveNone) {
  BlockTrace block;
  for (int i = 0; i < 4; ++i) add_atomic(block, 2, 28);
  EXPECT_EQ(kNoSkew, skew_of(one_block(block), Bound::kBusiestAtomicUnit, {}, 1));
}

// Each lane has a word of its own, of which one unit of L2 does 32 passes.
TEST(Contention, AtomicsOfDifferentWordsHaveNone) {
  BlockTrace block;
  for (int i = 0; i < 4; ++i) add_atomic(block, 1, 31);
  EXPECT_EQ(kNoSkew, skew_of(one_block(block), Bound::kBusiestAtomicUnit, {}, 1));
}

TEST(Contention, IsNoCauseIfAnotherResourceBounds) {
  BlockTrace block;
  add_atomic(block, 32, 0);
  EXPECT_EQ(kNoSkew, skew_of(one_block(block), Bound::kDram, {}, 1));
  EXPECT_EQ(kNoSkew, skew_of(one_block(block), Bound::kSharedWavefronts, {}, 1));
  EXPECT_EQ(kNoSkew, skew_of({}, Bound::kBusiestAtomicUnit, {}, 1));
}

// 32 wavefronts of an atomic, and 32 or 33 of loads: the atomic is half of the work, or less.
TEST(Contention, InSharedMemoryIsHalfOfTheWavefronts) {
  BlockTrace block;
  add_shared(block, 32, 32);
  add_shared(block, 32);
  EXPECT_EQ(Skew(Contention{run::Space::kShared, 32, 32}),
            skew_of(one_block(block), Bound::kSharedWavefronts, {}, 1));
  add_shared(block, 1);
  EXPECT_EQ(kNoSkew, skew_of(one_block(block), Bound::kSharedWavefronts, {}, 1));
}

// 32 warps in four blocks. Each warp processes a row with 7 instructions per entry: one row has
// 1,000 entries and 31 have 10. The mean is (7,000 + 31 * 70) / 32 = 286.5625.
Trace rows(std::uint16_t longest) {
  Trace trace;
  const auto row = [](std::uint16_t entries) {
    // Six instructions and a load for each entry.
    WarpProgram program;
    for (std::uint16_t i = 0; i < entries; ++i) {
      program.push_back({Step::Kind::kCompute, 6, 6});
      program.push_back({Step::Kind::kRequest, 0, i});
      program.push_back({Step::Kind::kWait, 0, i});
    }
    return program;
  };
  trace.programs = {row(10), row(longest)};
  trace.blocks.resize(4);
  for (auto& block : trace.blocks) block.warps.assign(8, WarpTrace{0, 0});
  trace.blocks[2].warps[5].program = 1;
  return trace;
}

TEST(Imbalance, ARowOf1000EntriesAmongRowsOf10) {
  EXPECT_EQ(Skew(Imbalance{7000, 286.5625, 0.5}),
            skew_of(rows(1000), Bound::kLatency, {0.1, 0.5}, 1));
}

TEST(Imbalance, IsNoCauseIfTheLongWarpEndsEarly) {
  EXPECT_EQ(kNoSkew, skew_of(rows(1000), Bound::kLatency, {0.1, 0.49}, 1));
}

// Other warps run as long as the launch, for example because they wait for memory.
TEST(Imbalance, IsNoCauseIfAnotherWarpRunsLong) {
  EXPECT_EQ(kNoSkew, skew_of(rows(1000), Bound::kLatency, {1, 0.3}, 1));
}

TEST(Imbalance, IsNoCauseIfAResourceBounds) {
  EXPECT_EQ(kNoSkew, skew_of(rows(1000), Bound::kDram, {1, 1}, 1));
}

// 4 * (31 * 10 + 44) / 32 is 44.25; with 45 it is 44.375.
TEST(Imbalance, BeginsAtFourTimesTheMean) {
  EXPECT_EQ(kNoSkew, skew_of(rows(44), Bound::kLatency, {1, 1}, 1));
  EXPECT_NE(kNoSkew, skew_of(rows(45), Bound::kLatency, {1, 1}, 1));
  EXPECT_EQ(kNoSkew, skew_of(rows(10), Bound::kLatency, {1, 1}, 1));
  EXPECT_EQ(kNoSkew, skew_of({}, Bound::kLatency, {1, 1}, 1));
}

}  // namespace warpgrade::timing::skew_test

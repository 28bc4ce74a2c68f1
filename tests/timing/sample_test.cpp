// SPDX-License-Identifier: Apache-2.0
#include "common/timing/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "common/device/profile.h"
#include "common/timing/model.h"

namespace warpgrade::timing::sample_test {

// Chooses the blocks that represent a launch.

std::uint64_t traced(const Sample& sample) {
  std::uint64_t sum = 0;
  for (const auto& [begin, end] : sample.ranges) sum += end - begin;
  return sum;
}

TEST(Sample, AFewMultiprocessorsStandForAChipThatHashesAddresses) {
  const Sample sample = choose_sample(device::find("h200"), 8, 65536);
  EXPECT_GT(132U, sample.sms);
  EXPECT_NEAR(sample.sms / 132.0, sample.chip_share, 1e-12);
  EXPECT_NEAR(65536 * sample.chip_share, sample.blocks, sample.sms);
  EXPECT_LT(traced(sample), 1000U);
  EXPECT_LT(60000U, sample.ranges.back().begin);  // all over the grid
}

TEST(Sample, OfAGridWithRowsTheNextRowIsExecutedToo) {
  const auto& h200 = device::find("h200");
  const Sample sample = choose_sample(h200, 8, 65536, 256);
  EXPECT_EQ(sample.neighbours.begin + 256, sample.next_row.begin);
  EXPECT_EQ(sample.neighbours.end + 256, sample.next_row.end);
  const auto executed = sample.executed();
  EXPECT_TRUE(std::any_of(executed.begin(), executed.end(), [&](const auto& range) {
    return range.begin <= sample.next_row.begin && sample.next_row.end <= range.end;
  }));
  EXPECT_EQ(0U, choose_sample(h200, 8, 65536).next_row.end);
}

TEST(Sample, ASmallLaunchIsTracedAsItIs) {
  const Sample sample = choose_sample(device::find("h200"), 8, 100);
  EXPECT_DOUBLE_EQ(sample.blocks, static_cast<double>(traced(sample)));
  EXPECT_DOUBLE_EQ(sample.sms / 100.0, sample.chip_share);  // 32 multiprocessors idle
}

TEST(Sample, NeighboursAreSimulatedTogetherWherePartitionsArePlain) {
  const Sample sample = choose_sample(device::find("gtx280"), 3, 65536);
  EXPECT_EQ(30U, sample.sms);
  EXPECT_DOUBLE_EQ(1, sample.chip_share);
  for (const auto& [begin, end] : sample.ranges) EXPECT_LE(3 * 30 * 3U, end - begin);
  EXPECT_EQ(sample.neighbours.begin, sample.neighbours.end);  // no pages of their own
}

TEST(Sample, HoldsItsRangesAndNoOtherBlock) {
  Sample sample;
  sample.ranges = {{10, 12}, {20, 21}};
  for (std::uint64_t block = 0; block < 30; ++block) {
    EXPECT_EQ(block == 10 || block == 11 || block == 20, sample.contains(block)) << block;
  }
}

TEST(Sample, ExecutedBlocksAreAscendingAndApart) {
  Sample sample;
  sample.ranges = {{0, 4}, {10, 20}, {40, 50}};
  sample.neighbours = {15, 30};
  const auto executed = sample.executed();
  ASSERT_EQ(3U, executed.size());
  EXPECT_EQ(10U, executed[1].begin);
  EXPECT_EQ(30U, executed[1].end);
}

TEST(Sample, EveryBlockOfASampleIsOneOfTheGrid) {
  for (const auto* profile : device::profiles()) {
    for (const std::uint64_t blocks : {1U, 2U, 131U, 132U, 133U, 1000U, 5000U, 100003U}) {
      for (const std::uint32_t resident : {0U, 1U, 3U, 16U, 32U}) {
        std::uint64_t last = 0;
        for (const auto& [begin, end] : choose_sample(*profile, resident, blocks).executed()) {
          EXPECT_LE(last, begin);
          EXPECT_LT(begin, end);
          EXPECT_LE(end, blocks);
          last = end;
        }
        EXPECT_NE(0U, last);
      }
    }
  }
}

TEST(Sample, WhatIsDrawnIsExecutedAndNotTracedAndHasTheLastBlocks) {
  auto sample = choose_sample(device::find("h200"), 4, 100003);
  const auto ranges = sample.ranges.size();
  sample.draw(64, 5, 100003);
  EXPECT_EQ(ranges, sample.ranges.size());
  EXPECT_EQ(65U, sample.drawn.size());
  EXPECT_EQ(100003U, sample.executed().back().end);
  auto other = choose_sample(device::find("h200"), 4, 100003);
  other.draw(64, 6, 100003);
  EXPECT_NE(sample.drawn[0].begin, other.drawn[0].begin);
}

TEST(Sample, MayBeDrawnOfAFewBlocks) {
  auto sample = choose_sample(device::find("h200"), 4, 3);
  sample.draw(64, 5, 3);
  ASSERT_EQ(1U, sample.executed().size());
  EXPECT_EQ(3U, sample.executed()[0].end);
}

// Four of 132 SMs are sampled. 300 blocks fill two rows, and the third has 36 blocks: 1.1 for the
// sampled SMs.
TEST(Sample, OfTheLastRowTheSampledSmsGetTheirPart) {
  const auto sample = choose_sample(device::find("h200"), 4, 300);
  EXPECT_EQ(9, sample.blocks);
  ASSERT_EQ(3U, sample.ranges.size());
  EXPECT_EQ(4U, sample.ranges[1].end - sample.ranges[1].begin);
  EXPECT_EQ(1U, sample.ranges[2].end - sample.ranges[2].begin);
}

// A grid of 64 columns has 2.06 rows of blocks per row of SMs. Four SMs at the same place would see
// each column of four once, from left to right.
TEST(Sample, SeesOtherPlacesInEachRow) {
  const auto sample = choose_sample(device::find("h200"), 8, 4096);
  std::set<std::uint64_t> places;
  for (const auto& range : sample.ranges) places.insert(range.begin % 132);
  EXPECT_LE(20U, places.size());
}

// 44 of 132 SMs, by hand: blocks 0 to 43, 132 to 175, and 264 to 299.
TEST(Sample, AThirdOfTheChipHasAllBlocksOfItsSms) {
  const auto sample = third_of_chip(device::find("h200"), 300);
  EXPECT_EQ(44U, sample.sms);
  EXPECT_DOUBLE_EQ(1.0 / 3, sample.chip_share);
  EXPECT_EQ(124, sample.blocks);
  ASSERT_EQ(3U, sample.ranges.size());
  EXPECT_EQ(132U, sample.ranges[1].begin);
  EXPECT_EQ(176U, sample.ranges[1].end);
  EXPECT_EQ(300U, sample.ranges[2].end);
}

TEST(Sample, AThirdOfAFewSmsIsAllOfThem) {
  EXPECT_EQ(1, third_of_chip(device::find("h200"), 17).chip_share);
}

// Blocks that load 128 bytes each: 4 sectors.
void run_blocks(run::Observer& observer, std::uint64_t begin, std::uint64_t end) {
  std::uint64_t address[32];
  run::MemoryEvent event;
  event.mask = run::kFullMask;
  event.bytes = 4;
  event.address = address;
  for (std::uint64_t block = begin; block < end; ++block) {
    for (std::uint64_t lane = 0; lane < 32; ++lane) {
      address[lane] = (std::uint64_t{1} << 40) + 128 * block + 4 * lane;
    }
    observer.on_block_begin(block);
    observer.on_memory(event);
    observer.on_block_end();
  }
}

std::uint64_t sectors(const SampleCounters& counters) {
  return counters.counters().total(run::Space::kGlobal, run::Operation::kLoad).sectors;
}

TEST(SampleCounters, CountsTheBlocksInItsRangesAlone) {
  SampleCounters counters(device::find("h200"), {{1, 3}, {7, 8}});
  counters.on_launch({});
  run_blocks(counters, 0, 10);
  EXPECT_EQ(12U, sectors(counters));
  EXPECT_EQ(3U, counters.blocks());
}

TEST(SampleCounters, AddsWhatItsForksCounted) {
  SampleCounters counters(device::find("h200"), {{1, 3}, {7, 8}});
  counters.on_launch({});
  for (const std::uint64_t begin : {0, 5}) {
    const auto fork = counters.fork();
    fork->on_launch({});
    run_blocks(*fork, begin, begin + 5);
    counters.join(*fork);
  }
  EXPECT_EQ(12U, sectors(counters));
}

// Block 2 has six requests, and block 7 one.
TEST(SampleCounters, KnowsTheRequestsOfTheLongestBlockOfAllForks) {
  SampleCounters counters(device::find("h200"), {{1, 3}, {7, 8}});
  counters.on_launch({});
  std::uint64_t address[32] = {};
  run::MemoryEvent event;
  event.mask = 1;
  event.bytes = 4;
  event.address = address;
  for (const std::uint64_t block : {2, 4, 7}) {
    const auto fork = counters.fork();
    fork->on_launch({});
    fork->on_block_begin(block);
    for (int i = 0; i < (block == 2 ? 6 : block == 4 ? 50 : 1); ++i) fork->on_memory(event);
    fork->on_block_end();
    counters.join(*fork);
  }
  EXPECT_EQ(6U, counters.most_requests());
}

TEST(LongBlock, HasSixTimesTheRequestsOfEachTracedOne) {
  Trace trace;
  trace.blocks.resize(2);
  trace.blocks[0].requests.resize(3);
  trace.blocks[1].requests.resize(10);
  EXPECT_DOUBLE_EQ(1, long_block(trace, 59));
  EXPECT_DOUBLE_EQ(6, long_block(trace, 60));
  EXPECT_DOUBLE_EQ(26, long_block(trace, 260));
}

// Two traced blocks that execute `instructions` each.
Trace two_blocks(std::uint64_t instructions) {
  Trace trace;
  trace.blocks.resize(2);
  for (auto& block : trace.blocks) block.instructions = instructions;
  return trace;
}

// A launch that executes `warps` warp instructions in all.
run::Result executed(std::uint64_t warps) {
  run::Result result;
  result.instructions = {{warps, 32 * warps}};
  return result;
}

const memory::Counters& nothing_counted() {
  static const memory::Counters kNone(device::find("h200"));
  return kNone;
}

TEST(Evenness, BlocksThatAreAllAlikeAreEven) {
  EXPECT_DOUBLE_EQ(1, sample_bias(two_blocks(10), nothing_counted(), executed(80), 8));
}

TEST(Evenness, OthersThatDoTwiceAsMuchGiveTheRatioOfTheMeans) {
  // (2 * 10 + 6 * 20) / 8 is 17.5.
  EXPECT_DOUBLE_EQ(1.75, sample_bias(two_blocks(10), nothing_counted(), executed(140), 8));
}

TEST(Evenness, TracedBlocksThatDoMoreAreNoReason) {
  EXPECT_DOUBLE_EQ(1, sample_bias(two_blocks(10), nothing_counted(), executed(26), 8));
}

TEST(Evenness, TracedBlocksThatDoNothingCountAsOneInstruction) {
  // Two mean blocks execute 50 instructions, and the two traced ones count as 1.
  EXPECT_DOUBLE_EQ(50, sample_bias(two_blocks(0), nothing_counted(), executed(200), 8));
}

TEST(Evenness, SectorsOfTheTraceThatTheCountersDoNotKnowAreNoReason) {
  auto trace = two_blocks(10);
  trace.blocks[0].requests.push_back({TracedAccess::Kind::kLoad, 0, 1, 4, 4, 0, 0, 0});
  EXPECT_DOUBLE_EQ(1, sample_bias(trace, nothing_counted(), executed(80), 8));
}

TEST(Evenness, NoTraceSaysNothing) {
  EXPECT_DOUBLE_EQ(1, sample_bias({}, nothing_counted(), executed(80), 8));
}

TEST(Lengthen, SaysWhatTheTimeIsOf) {
  TimeEstimate estimate;
  estimate.seconds = 2;
  estimate.bound_by = Bound::kDram;
  estimate.shares = {{Bound::kDram, 1.5}};
  lengthen(estimate, 4);
  EXPECT_DOUBLE_EQ(8, estimate.seconds);
  EXPECT_EQ(Bound::kBlocksNotFollowed, estimate.bound_by);
  EXPECT_EQ(Bound::kBlocksNotFollowed, estimate.shares[0].resource);
  EXPECT_DOUBLE_EQ(6, estimate.shares[0].seconds);
}

Trace trace_of(const std::vector<std::uint64_t>& instructions) {
  Trace out;
  for (const auto count : instructions) out.blocks.emplace_back().instructions = count;
  return out;
}

TEST(IsEven, BlocksOfAboutTheSameWorkAre) {
  EXPECT_TRUE(is_even(trace_of({100, 90, 110, 100})));
  EXPECT_TRUE(is_even(trace_of({100, 100, 100, 10})));  // One block at the edge of a matrix, say.
}

TEST(IsEven, OneWithFourTimesTheMeanIsNot) {
  EXPECT_TRUE(is_even(trace_of({380, 100, 100, 100, 100, 100, 100, 100})));   // 2.8 times
  EXPECT_FALSE(is_even(trace_of({700, 100, 100, 100, 100, 100, 100, 100})));  // exactly 4 times
}

TEST(IsEven, OneWithFourTimesTheMeanSectorsIsNot) {
  auto trace = trace_of({100, 100, 100, 100, 100, 100, 100, 100});
  for (auto& block : trace.blocks) {
    block.requests.push_back({TracedAccess::Kind::kLoad, 0, 1, 4});
  }
  EXPECT_TRUE(is_even(trace));
  trace.blocks[3].requests[0].sectors = 28;  // of 56 in all: 4 times
  EXPECT_FALSE(is_even(trace));
}

TEST(IsEven, AFewThatDoAllTheWorkAreNot) {
  EXPECT_FALSE(is_even(trace_of({1000, 1, 1, 1, 1, 1, 1, 1})));
  EXPECT_FALSE(is_even(trace_of({100, 1, 100, 1})));
}

}  // namespace warpgrade::timing::sample_test

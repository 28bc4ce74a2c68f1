// SPDX-License-Identifier: Apache-2.0
// Chooses the blocks that represent a launch.
#include "common/timing/sample.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warpgrade::timing::sample_test {

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

}  // namespace warpgrade::timing::sample_test

// SPDX-License-Identifier: Apache-2.0
#include "common/timing/sample_bias.h"

#include <gtest/gtest.h>

#include <array>

#include "common/device/profile.h"
#include "common/timing/model.h"

namespace warpgrade::timing::sample_bias_test {

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

}  // namespace warpgrade::timing::sample_bias_test

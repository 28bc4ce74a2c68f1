// SPDX-License-Identifier: Apache-2.0
// The parts of an estimate. calibration_h200_test.cpp and calibration_older_test.cpp compare its
// times with cards.
#include "common/timing/model.h"

#include <gtest/gtest.h>

namespace warpgrade::timing::model_test {

Trace loads(std::size_t blocks, std::size_t warps, std::uint16_t lines, bool waits) {
  Trace trace;
  trace.programs.push_back({{Step::Kind::kRequest, 0, 0}});
  if (waits) trace.programs[0].push_back({Step::Kind::kWait, 0, 0});
  TracedAccess request;
  request.kind = TracedAccess::Kind::kLoad;
  request.lines = lines;
  request.sectors = 4;
  for (std::size_t b = 0; b < blocks; ++b) {
    BlockTrace block;
    block.linear = b;
    block.warps.assign(warps, {});
    block.requests = {request};
    trace.blocks.push_back(block);
  }
  return trace;
}

TimeEstimate estimate_of(const Trace& trace, const Sample& sample) {
  const device::Profile& h200 = device::find("h200");
  return estimate(h200, sample, trace, DramPageLocality(h200, {}), memory::Counters(h200), {},
                  {8, 64, Limit::kWarps});
}

TEST(TimeModel, AKernelThatDoesNotFitHasNoTime) {
  const device::Profile& k40 = device::find("k40");
  const auto got = estimate(k40, choose_sample(k40, 0, 10), {}, DramPageLocality(k40, {}),
                            memory::Counters(k40), {}, Occupancy{0, 0, Limit::kShared});
  EXPECT_EQ(Bound::kOccupancy, got.bound_by);
  EXPECT_EQ(0, got.seconds);
}

TEST(TimeModel, ALaunchOfNearlyNothingIsBoundByItsOverhead) {
  const device::Profile& h200 = device::find("h200");
  const auto got = estimate_of(loads(1, 1, 1, true), choose_sample(h200, 8, 1));
  EXPECT_EQ(Bound::kLaunchOverhead, got.bound_by);
  EXPECT_LT(h200.launch.overhead_seconds, got.seconds);
}

TEST(TimeModel, NamesTheResourceThatWorksAllTheTime) {
  const device::Profile& h200 = device::find("h200");
  const auto got = estimate_of(loads(4, 32, 1024, false), choose_sample(h200, 8, 4));
  // 32 warps look up 1024 lines each: the first in a clock, the others four per clock.
  EXPECT_EQ(Bound::kTagLookups, got.bound_by);
  EXPECT_NEAR(32 * (1 + 1023 / 4.0) / 1.98e9, got.seconds - h200.launch.overhead_seconds, 1e-6);
}

// A block with 1,000 of the `accesses` and few other instructions, and the seconds that the launch
// of 132 such blocks, one per multiprocessor, can take longer because of `part`.
double longer_by(Unmodelled part, const std::vector<TracedAccess>& accesses,
                 BlockTrace block = {}) {
  Trace trace;
  trace.programs.resize(1);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    trace.programs[0].push_back({Step::Kind::kRequest, 0, i});
    block.requests.push_back(accesses[i % accesses.size()]);
  }
  block.warps.resize(1);
  trace.blocks = {block};
  Sample sample = choose_sample(device::find("h200"), 8, 132);
  const auto got = estimate_of(trace, sample).unmodelled;
  return got.has(part) ? got.longer() : 0;
}

constexpr TracedAccess kStore{.kind = TracedAccess::Kind::kStore, .lines = 1, .sectors = 4};
constexpr TracedAccess kDeviceFence{.kind = TracedAccess::Kind::kFence,
                                    .fence = FenceScope::kDevice};
constexpr double kClock = 1.98e9;

// 29,000 clocks for a fence of each of 64 warps (tests/evidence/golden/h200_waits).
TEST(TimeModel, FencesBehindFencesCanTakeLonger) {
  EXPECT_NEAR(999 * 29'000 / 64 / kClock, longer_by(Unmodelled::kFences, {kDeviceFence}), 1e-9);
  EXPECT_EQ(0, longer_by(Unmodelled::kFences, {kStore, kDeviceFence}));
  const TracedAccess of_block{.kind = TracedAccess::Kind::kFence, .fence = FenceScope::kBlock};
  EXPECT_EQ(0, longer_by(Unmodelled::kFences, {of_block}));
}

// 200 lines, and 300 loads that miss: 100 clocks each.
TEST(TimeModel, ConstantsThatMissCanTakeLonger) {
  BlockTrace block;
  block.constant_lines = 200;
  block.constant_misses = 300;
  EXPECT_NEAR(500 * 100 / kClock, longer_by(Unmodelled::kColdConstants, {kStore}, block), 1e-9);
  block.constant_lines = 2;
  block.constant_misses = 0;
  EXPECT_EQ(0, longer_by(Unmodelled::kColdConstants, {kStore}, block));
}

TEST(TimeModel, TheNetworkOfAClusterHasNoBound) {
  TracedAccess access{.kind = TracedAccess::Kind::kShared, .wavefronts = 32};
  EXPECT_EQ(0, longer_by(Unmodelled::kOtherBlocksMemory, {access}));
  access.is_remote = true;
  EXPECT_EQ(UnmodelledSet::kUnknown, longer_by(Unmodelled::kOtherBlocksMemory, {access}));
}

TEST(TimeModel, BulkCopiesMakeTheLoadUnitTooSlow) {
  auto trace = loads(4, 32, 1024, false);
  const auto sample = choose_sample(device::find("h200"), 8, 4);
  EXPECT_TRUE(estimate_of(trace, sample).unmodelled.empty());
  for (auto& block : trace.blocks) block.requests[0].copy = TracedAccess::Copy::kBulkIn;
  const auto got = estimate_of(trace, sample);
  EXPECT_EQ(0, got.unmodelled.longer());
  EXPECT_EQ(got.seconds, got.unmodelled.shorter());
}

TEST(TimeModel, SharesComeLongestFirstAndHoldLatencyAndOverhead) {
  const auto got = estimate_of(loads(8, 32, 4, true), choose_sample(device::find("h200"), 8, 8));
  bool latency = false;
  bool overhead = false;
  for (std::size_t i = 0; i < got.shares.size(); ++i) {
    if (i != 0) {
      EXPECT_GE(got.shares[i - 1].seconds, got.shares[i].seconds);
    }
    latency |= got.shares[i].resource == Bound::kLatency;
    overhead |= got.shares[i].resource == Bound::kLaunchOverhead;
  }
  EXPECT_TRUE(latency);
  EXPECT_TRUE(overhead);
}

}  // namespace warpgrade::timing::model_test

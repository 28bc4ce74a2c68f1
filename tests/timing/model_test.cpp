// SPDX-License-Identifier: Apache-2.0
#include "common/timing/model.h"

#include <gtest/gtest.h>

namespace warpgrade::timing::model_test {

// Skew of hand-made traces, calculated by hand.

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
  block.atomic_works.push_back({0, 0, passes, on_one_word});
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

// Blocks that load these sectors of buffer 0 in turn.
Trace loads(const std::vector<std::vector<std::uint32_t>>& sectors) {
  Trace trace;
  for (const auto& of_block : sectors) {
    BlockTrace block;
    for (std::size_t i = 0; i < of_block.size(); ++i) {
      TracedAccess load;
      load.kind = TracedAccess::Kind::kLoad;
      load.buffer = 0;
      load.sectors = 1;
      load.granule = of_block[i];
      load.fresh_begin = static_cast<float>(i) / static_cast<float>(of_block.size());
      block.requests.push_back(load);
    }
    trace.blocks.push_back(block);
  }
  return trace;
}

TEST(LoadsTogether, OfTheSameSectorsInTheSameOrder) {
  EXPECT_EQ(1, loads_together(loads({{1, 2, 3, 4}, {1, 2, 3, 4}, {5, 6, 3, 7}}), 0));
}

TEST(LoadsTogether, NoneInTheOppositeOrder) {
  EXPECT_EQ(0, loads_together(loads({{1, 2, 3, 4}, {4, 3, 2, 1}}), 0));
}

// Two of four are at the same place, and an eighth would be by chance.
TEST(LoadsTogether, WithoutThoseByChance) {
  EXPECT_NEAR((0.5 - 0.125) / 0.875, loads_together(loads({{1, 2, 3, 4}, {1, 2, 4, 3}}), 0), 1e-9);
}

TEST(LoadsTogether, AllIfNoSectorIsShared) {
  EXPECT_EQ(1, loads_together(loads({{1, 2}, {3, 4}}), 0));
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

// The parts of an estimate. calibration_h200_test.cpp and calibration_older_test.cpp compare its
// times with cards.

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
  return estimate(h200, sample, std::make_shared<const Trace>(trace), DramPageLocality(h200, {}),
                  memory::Counters(h200), {}, {8, 64, Limit::kWarps});
}

TEST(TimeModel, AKernelThatDoesNotFitHasNoTime) {
  const device::Profile& k40 = device::find("k40");
  const auto got = estimate(k40, choose_sample(k40, 0, 10), std::make_shared<const Trace>(),
                            DramPageLocality(k40, {}), memory::Counters(k40), {},
                            Occupancy{0, 0, Limit::kShared});
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
  EXPECT_DOUBLE_EQ(got.seconds, got.parts.total());
  EXPECT_TRUE(overhead);
}

}  // namespace warpgrade::timing::model_test

namespace warpgrade::timing::sequence_time_test {

// Times of launches add up if the host launches fast enough.

TimeEstimate estimate_of(double seconds, Bound bound_by, std::vector<Share> shares) {
  TimeEstimate out;
  out.seconds = seconds;
  out.bound_by = bound_by;
  out.shares = std::move(shares);
  return out;
}

class SequenceTimeTest : public testing::Test {
 protected:
  SequenceTimeTest() {
    profile_.launch.overhead_seconds = 4;
    profile_.launch.gap_seconds = 2;
    profile_.launch.issue_seconds = 5;
  }
  device::Profile profile_;
  SequenceTime time_{profile_};
};

TEST_F(SequenceTimeTest, OfOneLaunchIsThatLaunchs) {
  EXPECT_EQ(LaunchPlace::kFirst, time_.place());
  EXPECT_EQ(5,
            time_.add(estimate_of(5, Bound::kLatency, {{Bound::kLatency, 1}, {Bound::kDram, 3}})));
  EXPECT_EQ(LaunchPlace::kBehindAnother, time_.place());
  const auto total = time_.total();
  EXPECT_EQ(5, total.seconds);
  EXPECT_EQ(Bound::kLatency, total.bound_by);
  ASSERT_EQ(2U, total.shares.size());
  EXPECT_EQ(Bound::kLatency, total.shares[0].resource);  // in the launch's own order
}

TEST_F(SequenceTimeTest, LongLaunchesWaitForOneAnotherAlone) {
  time_.add(estimate_of(104, Bound::kDram, {{Bound::kDram, 100}, {Bound::kLaunchOverhead, 4}}));
  EXPECT_EQ(12, time_.add(estimate_of(12, Bound::kIssue,
                                      {{Bound::kIssue, 10}, {Bound::kLaunchOverhead, 2}})));
  EXPECT_EQ(12, time_.add(estimate_of(12, Bound::kIssue,
                                      {{Bound::kIssue, 10}, {Bound::kLaunchOverhead, 2}})));
  const auto total = time_.total();
  EXPECT_EQ(128, total.seconds);
  EXPECT_EQ(Bound::kDram, total.bound_by);
  ASSERT_EQ(3U, total.shares.size());
  EXPECT_EQ(Bound::kIssue, total.shares[1].resource);
  EXPECT_EQ(20, total.shares[1].seconds);
  EXPECT_EQ(8, total.shares[2].seconds);
}

// The launches bound by latency take longest together, and the longer one of them is uneven.
TEST_F(SequenceTimeTest, SkewIsThatOfTheLongestLaunchWithTheBound) {
  auto even = estimate_of(60, Bound::kLatency, {{Bound::kLatency, 58}});
  auto uneven = estimate_of(70, Bound::kLatency, {{Bound::kLatency, 68}});
  uneven.skew = Imbalance{700, 100, 65};
  time_.add(even);
  time_.add(uneven);
  time_.add(estimate_of(100, Bound::kDram, {{Bound::kDram, 98}}));
  EXPECT_EQ(uneven.skew, time_.total().skew);
  time_.add(estimate_of(100, Bound::kDram, {{Bound::kDram, 98}}));
  EXPECT_EQ(Skew(), time_.total().skew);
}

// The first ends at 5. The second is launched at 4 + 5 = 9 and executes for 1, so it ends at 10;
// the third is launched at 14 and ends at 15.
TEST_F(SequenceTimeTest, SmallLaunchesWaitForTheHost) {
  time_.add(
      estimate_of(5, Bound::kLaunchOverhead, {{Bound::kLaunchOverhead, 4}, {Bound::kLatency, 1}}));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(5, time_.add(estimate_of(3, Bound::kLatency,
                                       {{Bound::kLaunchOverhead, 2}, {Bound::kLatency, 1}})));
  }
  const auto total = time_.total();
  EXPECT_EQ(15, total.seconds);
  EXPECT_EQ(Bound::kLaunchOverhead, total.bound_by);
  EXPECT_EQ(12, total.shares[0].seconds);
  EXPECT_EQ(3, total.shares[1].seconds);
}

}  // namespace warpgrade::timing::sequence_time_test

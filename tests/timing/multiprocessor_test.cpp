// SPDX-License-Identifier: Apache-2.0
#include "common/timing/multiprocessor.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "tests/evidence/golden/csv.h"

namespace warpgrade::timing::multiprocessor_test {

// The queue must return events in the order of a sorted list.

TEST(EventQueue, HoldsNothingAtFirst) {
  EXPECT_TRUE(EventQueue().empty());
  EXPECT_EQ(Event::kNever, EventQueue().front().time);
}

TEST(EventQueue, TheEarliestComesFirstWhateverItsRank) {
  EventQueue queue;
  queue.push({3.0, 5, 0});
  queue.push({4.0, 0, 1});
  queue.push({2.0, 9, 2});
  EXPECT_EQ(2.0, queue.front().time);
  EXPECT_EQ(9U, queue.front().rank);
  EXPECT_EQ(2U, queue.front().subject);
}

TEST(EventQueue, OfEventsAtOneTimeThatOfTheLowerRankComesFirst) {
  EventQueue queue;
  for (const std::uint32_t rank : {6U, 2U, 3U, 7U}) queue.push({1.5, rank, 0});
  for (const std::uint32_t rank : {2U, 3U, 6U, 7U}) {
    EXPECT_EQ(rank, queue.front().rank);
    queue.pop();
  }
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, FollowsASortedListWhileItGrowsAndShrinks) {
  EventQueue queue;
  std::set<std::pair<double, std::uint32_t>> sorted;
  std::mt19937 random(1);
  for (std::uint32_t i = 0; i < 20000; ++i) {
    // Few distinct times, so many are equal. At first more events are pushed than popped.
    if (random() % 5 < (i < 10000 ? 3U : 2U)) {
      const double time = static_cast<double>(random() % 64);
      sorted.insert({time, i});
      queue.push({time, i, 0});
    } else if (!sorted.empty()) {
      sorted.erase(sorted.begin());
      queue.pop();
    }
    ASSERT_EQ(sorted.empty(), queue.empty());
    if (sorted.empty()) continue;
    ASSERT_EQ(sorted.begin()->first, queue.front().time);
    ASSERT_EQ(sorted.begin()->second, queue.front().rank);
  }
}

// One multiprocessor alone: its own work, and its requests to the chip.

// A clock takes one second, and one scheduler issues an instruction per clock.
device::Profile machine() {
  device::Profile p;
  p.sm.clock_hz = 1;
  p.sm.schedulers = 1;
  p.sm.warp_instructions_per_clock = 1;
  p.shared.wavefronts_per_clock = 1;
  p.l1.tag_lookups_per_clock = 1;
  p.shared.latency_seconds = 20;
  p.sm.barrier_clocks = 10;
  p.sm.barrier_clocks_per_warp = 2;
  return p;
}

constexpr Step compute(std::uint16_t slots, std::uint32_t clocks) {
  return {Step::Kind::kCompute, slots, clocks};
}

class MultiprocessorTest : public testing::Test {
 protected:
  // Begins a block of `warps` warps that run `program` and share `requests`.
  void begin(std::uint32_t warps, const WarpProgram& program,
             std::vector<TracedAccess> requests = {}, double start = 0) {
    programs = {program};
    block.warps.assign(warps, WarpTrace{0, 0});
    block.requests = std::move(requests);
    sm.begin(block, programs, start, numbers);
  }

  device::Profile profile = machine();
  Multiprocessor sm{profile};
  Numbers numbers;
  BlockTrace block;
  std::vector<WarpProgram> programs;
};

TEST_F(MultiprocessorTest, WithoutABlockNothingHappens) {
  EXPECT_EQ(Event::kNever, sm.run_ahead().time);
}

TEST_F(MultiprocessorTest, AWarpIssuesOneSlotAfterTheOther) {
  begin(1, {compute(8, 8)}, {}, 5);
  const auto end = sm.run_ahead();
  EXPECT_EQ(13, end.time);
  EXPECT_EQ(nullptr, sm.request(end));
  EXPECT_TRUE(sm.end(end, numbers));
  EXPECT_EQ(std::vector<double>{8}, sm.busiest_warps);
  EXPECT_EQ(Event::kNever, sm.run_ahead().time);
}

// Each of four warps has one instruction, which occupies its pipe for eight clocks.
TEST_F(MultiprocessorTest, WarpsWaitForAPipeThatIsNarrowerThanTheirSlots) {
  begin(4, {{Step::Kind::kCompute, 1, 4, {0, 8, 0, 0}}});
  double last = 0;
  for (int warp = 0; warp < 4; ++warp) {
    const auto end = sm.run_ahead();
    last = end.time;
    sm.end(end, numbers);
  }
  EXPECT_EQ(32, last);
  EXPECT_EQ(32, sm.busy(kXuPipe));
  EXPECT_EQ(0, sm.busy(kAluPipe));
}

// An instruction that holds the scheduler for two more clocks: 4 warps of 8 need 3 x 32 clocks.
TEST_F(MultiprocessorTest, AnInstructionMayHoldTheScheduler) {
  Step step = compute(8, 8);
  step.pipes[kHeld] = 16;
  begin(4, {step});
  double last = 0;
  for (int i = 0; i < 4; ++i) {
    const auto end = sm.run_ahead();
    last = end.time;
    sm.end(end, numbers);
  }
  EXPECT_EQ(96 - 2, last);  // nobody waits for the last hold
  EXPECT_EQ(96, sm.schedulers()[0].busy);
  EXPECT_EQ(32, sm.activity().issued);
}

// Blocks of one warp: each of four schedulers serves one of them.
TEST(Multiprocessor, WarpsOfSmallBlocksSpreadOverTheSchedulers) {
  device::Profile profile = machine();
  profile.sm.schedulers = 4;
  profile.sm.warp_instructions_per_clock = 4;
  Multiprocessor sm(profile);
  Numbers numbers;
  BlockTrace block;
  block.warps = {WarpTrace{0, 0}};
  const std::vector<WarpProgram> programs = {{compute(8, 8)}};
  for (int b = 0; b < 4; ++b) sm.begin(block, programs, 0, numbers);
  for (int b = 0; b < 4; ++b) {
    const auto end = sm.run_ahead();
    EXPECT_EQ(8, end.time);
    sm.end(end, numbers);
  }
  for (const Server& scheduler : sm.schedulers()) EXPECT_EQ(8, scheduler.busy);
}

TEST_F(MultiprocessorTest, WarpsShareTheirScheduler) {
  begin(4, {compute(8, 8)});
  double last = 0;
  for (int i = 0; i < 4; ++i) {
    const auto end = sm.run_ahead();
    last = end.time;
    EXPECT_EQ(i == 3, sm.end(end, numbers));
  }
  EXPECT_EQ(32, last);
  EXPECT_EQ(32, sm.schedulers()[0].busy);
}

TEST_F(MultiprocessorTest, ARequestThatL1DoesNotHoldNeedsTheChip) {
  TracedAccess load;
  load.kind = TracedAccess::Kind::kLoad;
  load.lines = 1;
  load.sectors = 4;
  begin(1, {compute(1, 1), {Step::Kind::kRequest, 0, 0}, {Step::Kind::kWait, 0, 0}}, {load});
  const auto event = sm.run_ahead();
  ASSERT_NE(nullptr, sm.request(event));
  EXPECT_EQ(4U, sm.request(event)->sectors);
  sm.pass(event);
  sm.answer(event, 500);
  const auto end = sm.run_ahead();
  EXPECT_EQ(500, end.time);
  EXPECT_EQ(nullptr, sm.request(end));
  EXPECT_EQ(1, sm.tags);
}

TEST_F(MultiprocessorTest, OneThatL1HoldsDoesNot) {
  TracedAccess load;
  load.kind = TracedAccess::Kind::kLoad;
  load.lines = 1;
  begin(1, {{Step::Kind::kRequest, 0, 0}, {Step::Kind::kWait, 0, 0}}, {load});
  const auto end = sm.run_ahead();
  EXPECT_EQ(nullptr, sm.request(end));
  EXPECT_EQ(21, end.time);  // a look-up and the latency
}

TEST_F(MultiprocessorTest, SharedMemoryTakesItsWavefronts) {
  TracedAccess shared;
  shared.kind = TracedAccess::Kind::kShared;
  shared.wavefronts = 32;
  begin(1, {{Step::Kind::kRequest, 0, 0}, {Step::Kind::kWait, 0, 0}}, {shared});
  EXPECT_EQ(52, sm.run_ahead().time);
  EXPECT_EQ(32, sm.shared);
}

TEST_F(MultiprocessorTest, WhatIsTurnedOffPassesTheSharedStageAndNothingWaits) {
  TracedAccess shared;
  shared.kind = TracedAccess::Kind::kShared;
  shared.wavefronts = 1;
  begin(1, {{Step::Kind::kPass, 0, 5}, {Step::Kind::kRequest, 0, 0}, {Step::Kind::kWait, 0, 0}},
        {shared});
  EXPECT_EQ(26, sm.run_ahead().time);  // after the five: one clock and the latency
  EXPECT_EQ(6, sm.shared);
}

TEST_F(MultiprocessorTest, WarpsMeetAtABarrier) {
  begin(2, {compute(4, 4), {Step::Kind::kBarrier, 0, 0}});
  const auto first = sm.run_ahead();
  sm.end(first, numbers);
  const auto second = sm.run_ahead();
  EXPECT_EQ(first.time, second.time);
  EXPECT_GE(first.time, 8 + 10);  // both have issued, then the barrier
}

TEST_F(MultiprocessorTest, AWarpThatEndsIsNotAwaited) {
  programs = {{compute(1, 1)}, {compute(2, 2), {Step::Kind::kBarrier, 0, 0}}};
  block.warps = {{0, 0}, {1, 0}};
  sm.begin(block, programs, 0, numbers);
  EXPECT_FALSE(sm.end(sm.run_ahead(), numbers));
  const auto last = sm.run_ahead();
  EXPECT_NE(Event::kNever, last.time);
  EXPECT_TRUE(sm.end(last, numbers));
}

TEST_F(MultiprocessorTest, ThreadsThatNeverMeetCanBeReleased) {
  programs = {{{Step::Kind::kBarrier, 0, 0}}, {{Step::Kind::kRequest, 0, 0}}};
  block.warps = {{0, 0}, {1, 0}};
  TracedAccess load;
  load.kind = TracedAccess::Kind::kLoad;
  load.sectors = 1;
  block.requests = {load};
  sm.begin(block, programs, 0, numbers);
  EXPECT_NE(nullptr, sm.request(sm.run_ahead()));  // not answered, so the other warp waits forever
  sm.release_all(100);
  EXPECT_EQ(110, sm.run_ahead().time);
}

TEST(Numbers, GivenBackAreTakenAgainTheLastFirst) {
  Numbers numbers;
  EXPECT_EQ(0U, numbers.take());
  EXPECT_EQ(1U, numbers.take());
  EXPECT_EQ(2U, numbers.take());
  numbers.give_back(0);
  numbers.give_back(2);
  EXPECT_EQ(2U, numbers.take());
  EXPECT_EQ(0U, numbers.take());
  EXPECT_EQ(3U, numbers.take());
}

// One warp loads a line, and another one the same line some clocks later.
TEST_F(MultiprocessorTest, ALineOnItsWayToL1ArrivesForAllAsOnAnH200) {
  constexpr double kHit = 51;  // the time of a load that finds its line in L1
  int rows = 0;
  for (const auto& row : golden::read_csv(WARPGRADE_H200_MEMORY "/in_flight.csv")) {
    const auto clocks = [&](const char* what) { return std::stod(row.at(what)); };
    profile.shared.latency_seconds = kHit - 1;  // and one in the stage of its tags
    profile.sm.schedulers = 2;
    profile.sm.warp_instructions_per_clock = 2;
    Multiprocessor one(profile);
    Numbers ranks;
    const auto start = [&](const char* what) {
      return compute(1, static_cast<std::uint32_t>(clocks(what)));
    };
    const Step ask{Step::Kind::kRequest, 0, 0};
    const Step wait{Step::Kind::kWait, 0, 0};
    programs = {{start("first_asks"), ask, wait}, {start("second_asks"), ask, wait}};
    block.warps = {{0, 0}, {1, 1}};
    block.requests = {
        {.kind = TracedAccess::Kind::kLoad, .lines = 1, .sectors = 4},
        {.kind = TracedAccess::Kind::kLoad, .lines = 1, .fetch = 0, .fetching_warp = 0}};
    one.begin(block, programs, 0, ranks);
    const auto asks = one.run_ahead();
    EXPECT_EQ(clocks("first_asks"), asks.time);
    one.pass(asks);
    one.answer(asks, clocks("first_has"));
    std::map<double, double> ends;
    for (int warp = 0; warp < 2; ++warp) {
      const auto end = one.run_ahead();
      ends[end.rank] = end.time;
      one.end(end, ranks);
    }
    EXPECT_NEAR(clocks("second_has"), ends.rbegin()->second, 2) << row.at("second_asks");
    ++rows;
  }
  EXPECT_EQ(9, rows);
}

// The wait of a load behind many requests, divided by the clocks that each of them adds.
TEST(RequestQueue, IsAsDeepAsThatOfAnH200) {
  std::map<std::pair<std::string, std::string>, std::map<int, std::pair<double, double>>> all;
  for (const auto& row : golden::read_csv(WARPGRADE_H200_MEMORY "/queue.csv")) {
    if (row.at("warps") != "1") continue;
    all[{row.at("kind"), row.at("blocks")}][std::stoi(row.at("times"))] = {
        std::stod(row.at("issue_clocks")), std::stod(row.at("load_clocks"))};
  }
  EXPECT_EQ(10U, all.size());
  for (auto& [key, of] : all) {
    if (key.first == "store") continue;  // L2 keeps up
    const double clocks = (of.at(256).first - of.at(64).first) / (256 - 64);
    const double depth = (of.at(256).second - of.at(1).second) / clocks;
    EXPECT_NEAR(RequestQueue::kDepth, depth, 5) << key.first << ' ' << key.second;
  }
}

TEST(RequestQueue, HasRoomOnceTheOldestIsAccepted) {
  RequestQueue queue;
  for (std::size_t i = 1; i <= RequestQueue::kDepth; ++i) {
    EXPECT_EQ(0, queue.room());
    queue.add(10 * static_cast<double>(i));
  }
  EXPECT_EQ(10, queue.room());
  queue.add(5);  // in order
  EXPECT_EQ(20, queue.room());
  EXPECT_EQ(240, queue.last());
}

TEST(Server, ServesOneAfterTheOther) {
  Server server;
  EXPECT_EQ(8, server.serve(5, 3));
  EXPECT_EQ(10, server.serve(0, 2));
  EXPECT_EQ(5, server.busy);
}

}  // namespace warpgrade::timing::multiprocessor_test

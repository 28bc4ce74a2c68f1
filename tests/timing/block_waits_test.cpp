// SPDX-License-Identifier: Apache-2.0
#include "common/timing/block_waits.h"

#include <gtest/gtest.h>

#include <array>

#include "common/ptx/module.h"
#include "common/timing/multiprocessor.h"
#include "common/timing/tracer.h"

namespace warpgrade::timing::block_waits_test {

// Finds the warps that are in each other's way. issue_test.cpp compares how often warps try again
// with a card.

// Lanes of the other side of a branch come back to instruction 1, which is predicated. Its request
// precedes that of instruction 3.
TEST(WarpRecord, OtherLanesResumeWhatIsOff) {
  const auto request = [](std::uint16_t lines) {
    TracedAccess access;
    access.lines = lines;
    return RecordedAccess{access};
  };
  WarpRecord record;
  record.append(0);
  record.add(request(10));
  record.stretch.push_back({1, 0, true});
  record.stretch.push_back({2, 0, true});
  record.append(3);
  record.add(request(13));
  EXPECT_FALSE(record.resume(4));  // not yet there
  EXPECT_FALSE(record.resume(0));  // executed
  ASSERT_TRUE(record.resume(1));
  record.add(request(11));
  EXPECT_EQ((Executed{1, 1, false}), record.stretch[1]);
  EXPECT_TRUE(record.stretch[2].is_off);
  ASSERT_EQ(3U, record.stretch_requests.size());
  EXPECT_EQ(11, record.stretch_requests[1].access.lines);
  EXPECT_EQ(13, record.stretch_requests[2].access.lines);
}

class SwapContentionTest : public testing::Test {
 protected:
  SwapContentionTest() { contention_.begin_block(); }

  /// Adds a warp whose lanes of `mask` add to words that are `apart` bytes apart, from `first` on.
  std::uint32_t add(std::uint32_t warp, std::uint64_t first, std::uint64_t apart,
                    std::uint32_t mask = ~0U) {
    std::array<std::uint64_t, 32> address{};
    for (std::uint64_t lane = 0; lane < 32; ++lane) address[lane] = first + lane * apart;
    run::MemoryEvent event{};
    event.warp = warp;
    event.mask = mask;
    event.address = address.data();
    return contention_.add(event);
  }

  static device::Profile profile() {
    device::Profile profile;
    profile.shared.swap_round_clocks = 100;
    profile.shared.swap_window_clocks = 40;
    return profile;
  }
  device::Profile profile_ = profile();
  SwapContention contention_{profile_};
};

TEST_F(SwapContentionTest, AWarpAloneOnItsWordsNeverTriesAgain) {
  const auto mine = add(0, 0, 4);
  const auto theirs = add(1, 128, 4);
  add(0, 128, 4);  // after the other warp is done
  EXPECT_EQ(1, contention_.tries(mine));
  EXPECT_EQ(1, contention_.tries(theirs));
}

// A lane whose word no other warp uses succeeds at once.
TEST_F(SwapContentionTest, TheMeanOfTheWordsCounts) {
  const auto mine = add(0, 0, 4);
  for (std::uint32_t w = 1; w < 8; ++w) add(w, 124, 0);
  EXPECT_NEAR((31 + 1 + 8 * 0.4) / 32, contention_.tries(mine), 1e-9);
}

TEST_F(SwapContentionTest, OneOfThemSucceedsEachRound) {
  const auto mine = add(0, 0, 0);
  add(1, 0, 0);
  EXPECT_NEAR(1.8, contention_.tries(mine), 1e-9);
  profile_.shared.swap_window_clocks = 80;
  contention_ = SwapContention(profile_);
  add(0, 0, 0);
  add(1, 0, 0);
  EXPECT_EQ(2, contention_.tries(mine));
}

TEST_F(SwapContentionTest, ANewBlockHasItsOwnWords) {
  add(0, 0, 0);
  contention_.begin_block();
  EXPECT_EQ(1, contention_.tries(add(1, 0, 0)));
}

TEST_F(SwapContentionTest, WhereNothingIsKnownNobodyTriesAgain) {
  const device::Profile unknown;
  SwapContention contention(unknown);
  EXPECT_EQ(1, contention.tries(0));
}

// Waits of a warp for its copies, its fences, other warps of its block, sleeps and constant memory,
// calculated by hand.

using Kind = TracedAccess::Kind;
using Copy = TracedAccess::Copy;

// A clock takes one second, and one scheduler issues an instruction per clock.
device::Profile machine() {
  device::Profile p;
  p.sm.clock_hz = 1;
  p.sm.schedulers = 1;
  p.sm.warp_instructions_per_clock = 1;
  p.shared.wavefronts_per_clock = 1;
  p.l1.tag_lookups_per_clock = 1;
  p.shared.latency_seconds = 20;
  p.l2.latency_seconds = 100;
  return p;
}

TracedAccess global(Kind kind, Copy copy = Copy::kNone) {
  return {.kind = kind, .lines = 1, .sectors = 4, .copy = copy};
}
TracedAccess await_groups(std::uint32_t left) {
  return {.kind = Kind::kAwaitGroups, .place = left, .copy = Copy::kAsync};
}
constexpr TracedAccess kClose = {.kind = Kind::kCloseGroup, .copy = Copy::kAsync};

class WaitsTest : public testing::Test {
 protected:
  /// Adds a warp that makes `requests` one after the other, `delay` clocks after the start.
  void add_warp(const std::vector<TracedAccess>& requests, std::uint32_t delay = 0) {
    WarpProgram program;
    if (delay != 0) program.push_back({Step::Kind::kCompute, 1, delay});
    for (std::uint32_t i = 0; i < requests.size(); ++i) {
      program.push_back({Step::Kind::kRequest, 0, i});
    }
    block.warps.push_back({static_cast<std::uint32_t>(programs.size()),
                           static_cast<std::uint32_t>(block.requests.size())});
    programs.push_back(std::move(program));
    block.requests.insert(block.requests.end(), requests.begin(), requests.end());
  }
  /// Runs the block; requests to the chip are answered at `answers`. Returns the warps' ends.
  std::vector<double> run(const std::vector<double>& answers = {}) {
    sm.begin(block, programs, 0, numbers);
    std::vector<double> ends;
    std::size_t next = 0;
    for (auto event = sm.run_ahead(); event.time != Event::kNever; event = sm.run_ahead()) {
      if (sm.request(event) == nullptr) {
        ends.push_back(event.time);
        sm.end(event, numbers);
        continue;
      }
      sm.pass(event);
      sm.answer(event, answers.at(next++));
    }
    return ends;
  }

  device::Profile profile = machine();
  Multiprocessor sm{profile};
  Numbers numbers;
  BlockTrace block;
  std::vector<WarpProgram> programs;
};

TEST_F(WaitsTest, OfTwoGroupsInFlightAWarpWaitsForTheOlder) {
  const auto copy = global(Kind::kLoad, Copy::kAsync);
  add_warp({copy, kClose, copy, kClose, await_groups(1)});
  EXPECT_EQ(std::vector<double>{500}, run({500, 900}));
}

TEST_F(WaitsTest, WithNoneLeftItWaitsForBoth) {
  const auto copy = global(Kind::kLoad, Copy::kAsync);
  add_warp({copy, kClose, copy, kClose, await_groups(0)});
  EXPECT_EQ(std::vector<double>{900}, run({500, 900}));
}

TEST_F(WaitsTest, GroupsEndInOrder) {
  const auto copy = global(Kind::kLoad, Copy::kAsync);
  add_warp({copy, kClose, copy, kClose, await_groups(0)});
  EXPECT_EQ(std::vector<double>{900}, run({900, 500}));
}

TEST_F(WaitsTest, ACopyOutsideAGroupIsNotAwaited) {
  const auto copy = global(Kind::kLoad, Copy::kAsync);
  add_warp({copy, kClose, copy, await_groups(0)});
  EXPECT_EQ(std::vector<double>{500}, run({500, 900}));
}

TEST_F(WaitsTest, AFenceWaitsUntilL2HasConfirmedTheStore) {
  add_warp({global(Kind::kStore), {.kind = Kind::kFence, .fence = FenceScope::kDevice}});
  EXPECT_EQ(std::vector<double>{900 + 100 + kFenceAfterClocks}, run({900}));
}

TEST_F(WaitsTest, AFenceOfTheBlockWaitsForNoStore) {
  add_warp({global(Kind::kStore), {.kind = Kind::kFence, .fence = FenceScope::kBlock}});
  EXPECT_EQ(std::vector<double>{1 + kBlockFenceClocks}, run({900}));
}

// Ticks of 8,192 ns wake it; the first one comes after half of that.
TEST_F(WaitsTest, ASleepEndsAtTheNextTick) {
  profile.sm.clock_hz = 1e9;
  const TracedAccess sleep{.kind = Kind::kSleep, .place = 5'000};
  add_warp({sleep, sleep});
  EXPECT_NEAR(4'096 + 8'192, run().at(0), 1e-6);
  EXPECT_NEAR(0, sm.busiest_warps.at(0), 1e-6);  // it does nothing else
}

TEST_F(WaitsTest, TheMemoryOfAnotherBlockAnswersLater) {
  TracedAccess access{.kind = Kind::kShared, .wavefronts = 1};
  add_warp({access});
  programs[0].push_back({Step::Kind::kWait, 0, 0});
  const double own = run().at(0);
  block.requests[0].is_remote = true;
  EXPECT_NEAR(own + kRemoteSharedClocks, run().at(0), 1);
}

TEST_F(WaitsTest, WarpsThatMeetWaitForTheLastArrival) {
  block.arrivals = {2};
  const TracedAccess arrive{.kind = Kind::kArrive};
  const TracedAccess meet{.kind = Kind::kMeet};
  add_warp({arrive, meet});
  add_warp({arrive, meet}, 50);
  EXPECT_EQ((std::vector<double>{50 + kArrivalClocks, 50 + kArrivalClocks}), run());
}

// The first warp only arrives, like a producer.
TEST_F(WaitsTest, AnArrivalBehindCopiesCountsWhenTheyAreDone) {
  block.arrivals = {1};
  add_warp({global(Kind::kLoad, Copy::kAsync), {.kind = Kind::kArrive, .copy = Copy::kAsync}});
  add_warp({{.kind = Kind::kMeet}});
  EXPECT_EQ((std::vector<double>{1, 700 + kArrivalClocks}), run({700}));
}

TEST_F(WaitsTest, DifferentConstantsAreServedOneByOne) {
  const TracedAccess constants{.kind = Kind::kConstant, .values = 32};
  add_warp({constants});
  add_warp({constants});
  programs[0].push_back({Step::Kind::kWait, 0, 0});
  programs[1].push_back({Step::Kind::kWait, 0, 0});
  EXPECT_EQ((std::vector<double>{384, 384}), run());  // 32 + 11 * 32, as one warp alone
  EXPECT_EQ(128, sm.constants.busy);
}

class WaitsTraceTest : public testing::Test {
 protected:
  WaitsTraceTest() {
    sample.ranges = {{0, 1}};
    launch.block.x = 64;
    context.launch = &launch;
    context.module = &module;
    context.function = &module.functions.at(0);
    context.warps_per_block = 2;
    tracer.on_launch(context);
    tracer.on_block_begin(0);
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) address[lane] = 0;
  }
  const std::vector<TracedAccess>& requests() {
    tracer.on_block_end();
    return tracer.trace().blocks.at(0).requests;
  }
  void order(run::OrderEvent::Kind kind, std::uint32_t warp, std::uint32_t instruction,
             std::uint64_t phase) {
    tracer.on_instruction(warp, instruction);
    const std::uint64_t phases[run::kWarpSize] = {phase};
    tracer.on_order({kind, false, instruction, warp, 1, address, phases});
  }
  void load_constants(std::uint32_t words) {
    run::MemoryEvent event;
    event.space = run::Space::kConstant;
    event.mask = run::kFullMask;
    event.bytes = 4;
    event.address = address;
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) address[lane] = lane % words * 4;
    tracer.on_instruction(0, 0);
    tracer.on_memory(event);
  }

  ptx::Module module = ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n.reg .pred %p<2>;\n"
      ".reg .b32 %r<3>;\n.reg .b64 %rd<4>;\nld.const.u32 %r1, [%rd1]; nanosleep.u32 %r1;\n"
      "mbarrier.arrive.shared.b64 %rd2, [%r1];\n"
      "mbarrier.try_wait.shared.b64 %p1, [%r1], %rd2; }\n",
      "k.cu");
  run::Launch launch;
  run::LaunchContext context;
  Sample sample;
  Tracer tracer{device::find("h200"), sample};
  std::uint64_t address[run::kWarpSize];
};

TEST_F(WaitsTraceTest, ALoadOfOneWordForAllLanesIsNoRequest) {
  load_constants(1);
  EXPECT_TRUE(requests().empty());
}

TEST_F(WaitsTraceTest, OneOfEightWordsIsARequestOfEight) {
  load_constants(8);
  ASSERT_EQ(1U, requests().size());
  EXPECT_EQ((TracedAccess{.kind = Kind::kConstant, .values = 8}),
            tracer.trace().blocks[0].requests[0]);
}

TEST_F(WaitsTraceTest, ASleepLastsAMillisecondAtMost) {
  tracer.on_instruction(0, 1);
  tracer.on_sleep(0, 1, 4'000'000);
  ASSERT_EQ(1U, requests().size());
  EXPECT_EQ(1'000'000U, tracer.trace().blocks[0].requests[0].place);
}

// Warp 1 arrives for the next phase before warp 0 waits for the first one.
TEST_F(WaitsTraceTest, AWarpMeetsOnlyThePhaseThatItWaitsFor) {
  using enum run::OrderEvent::Kind;
  order(kRelease, 0, 2, 0);
  order(kRelease, 1, 2, 0);
  order(kAcquire, 1, 3, 1);
  order(kRelease, 1, 2, 1);
  order(kAcquire, 0, 3, 1);
  const auto& all = requests();
  ASSERT_EQ(5U, all.size());
  EXPECT_EQ(Kind::kArrive, all[0].kind);
  EXPECT_EQ(Kind::kMeet, all[1].kind);
  EXPECT_EQ(all[0].place, all[1].place);
  EXPECT_NE(all[0].place, all[4].place);
  EXPECT_EQ((std::vector<std::uint32_t>{2, 1}), tracer.trace().blocks[0].arrivals);
}

}  // namespace warpgrade::timing::block_waits_test

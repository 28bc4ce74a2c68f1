// SPDX-License-Identifier: Apache-2.0
// Blocks that repeat one another are checked once. The findings must equal those of checkers that
// receive every event.
#include "common/check/shared_trace.h"

#include <gtest/gtest.h>

#include <random>

#include "common/base/finding_text.h"
#include "common/check/checks.h"
#include "tests/check/events.h"

namespace warpgrade::check::shared_trace_test {

// The checkers of shared memory alone, without a trace.
class Plain final : public run::Observer {
 public:
  std::unique_ptr<run::Observer> fork() const override { return nullptr; }
  void join(run::Observer& /*other*/) override {}
  void on_launch(const run::LaunchContext& context) override {
    race_.on_launch(context);
    uninitialized_.on_launch(context);
  }
  void on_block_begin(std::uint64_t linear_block) override {
    race_.on_block_begin(linear_block);
    uninitialized_.on_block_begin(linear_block);
  }
  void on_memory(const run::MemoryEvent& event) override {
    race_.on_memory(event);
    uninitialized_.on_memory(event);
  }
  void on_barrier(const run::BarrierEvent& event) override {
    race_.on_barrier(event);
    uninitialized_.on_barrier(event);
  }
  std::vector<base::Diagnostic> diagnostics() const {
    Findings all;
    all.merge(uninitialized_.findings());
    all.merge(race_.findings());
    return to_diagnostics(all.all(), Checks::kMostDiagnostics);
  }

 private:
  SharedRace race_;
  SharedUninitialized uninitialized_;
};

std::vector<std::string> texts(const std::vector<base::Diagnostic>& diagnostics) {
  std::vector<std::string> lines;
  for (const auto& found : diagnostics) lines.push_back(base::render(found, ""));
  return lines;
}

// One action of a warp. A block is a list of actions.
struct Act {
  enum class What { kLoad, kStore, kAtomic, kSyncWarp, kSyncBlock } what{};
  std::uint32_t instruction = 0;
  std::uint32_t warp = 0;
  std::uint32_t row = 0;
  std::int64_t stride = 4;
  std::uint32_t mask = run::kFullMask;
  std::uint32_t value = 0;  // stored by every lane; 0: each lane stores its own
};

void perform(run::Observer& observer, const Act& act) {
  Warp warp(observer, act.warp);
  const auto address = [&](std::uint32_t lane) {
    const auto word = act.stride == 0 ? lane * 7 % 32 : lane;  // 0: scattered over the row
    const auto step = act.stride == 0 ? 4U : static_cast<std::uint32_t>(act.stride);
    return std::uint64_t{128} * act.row + std::uint64_t{word} * step;
  };
  switch (act.what) {
    case Act::What::kLoad:
      return warp.load(act.instruction, address, act.mask);
    case Act::What::kStore:
      return warp.store(act.instruction, address, act.mask, 4, run::Space::kShared,
                        [&](std::uint32_t lane) { return act.value != 0 ? act.value : lane + 1; });
    case Act::What::kAtomic:
      return warp.atomic(act.instruction, address, act.mask);
    case Act::What::kSyncWarp:
      return warp.sync(act.mask);
    case Act::What::kSyncBlock:
      return sync_block(observer);
  }
}

constexpr std::uint32_t kWarps = 4;

// Each warp stores rows of its own, then all warps load any of these rows. Unless `careful`, some
// accesses are wrong.
std::vector<Act> random_block(std::mt19937& random, bool careful) {
  std::vector<Act> acts;
  const auto pick = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random()) % n; };
  for (std::uint32_t phase = 0; phase < 4; ++phase) {
    for (std::uint32_t i = 0; i < 6; ++i) {
      Act act;
      act.instruction = phase * 8 + i;
      act.warp = pick(kWarps);
      act.what = phase % 2 == 0 ? Act::What::kStore : Act::What::kLoad;
      act.row = phase % 2 == 0 ? act.warp : pick(kWarps);
      if (phase == 0 && i < kWarps) act.warp = act.row = i;  // All rows are written.
      if (phase > 0 && pick(3) == 0) act.mask = 0x0000ffffU << pick(17);
      if (pick(3) == 0) act.stride = 0;
      if (!careful && pick(8) == 0) act.row = pick(6);
      if (!careful && pick(8) == 0) act.value = 9;
      if (!careful && pick(16) == 0) act.what = Act::What::kAtomic;
      acts.push_back(act);
      if (phase % 2 == 0) {
        act.what = Act::What::kSyncWarp;
        act.mask = run::kFullMask;
        acts.push_back(act);
      }
    }
    acts.push_back({.what = Act::What::kSyncBlock});
  }
  return acts;
}

// The same block with its warps in another order, or with one action changed, removed or repeated.
std::vector<Act> changed(std::vector<Act> acts, std::mt19937& random) {
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  switch (pick(5)) {
    case 0:  // Warps take turns in another order.
      for (std::size_t i = 0; i + 1 < acts.size(); ++i) {
        const bool barrier =
            acts[i].what == Act::What::kSyncBlock || acts[i + 1].what == Act::What::kSyncBlock;
        if (!barrier && acts[i].warp > acts[i + 1].warp) std::swap(acts[i], acts[i + 1]);
      }
      break;
    case 1:
      acts[pick(acts.size())].row = static_cast<std::uint32_t>(pick(6));
      break;
    case 2:
      acts[pick(acts.size())].mask = 0xff;
      break;
    case 3:
      acts.erase(acts.begin() + static_cast<std::ptrdiff_t>(pick(acts.size())));
      break;
    default:
      acts.push_back(acts[pick(acts.size())]);
      break;
  }
  return acts;
}

TEST(SharedTrace, ChecksFindTheSameAsWithoutIt) {
  std::mt19937 random(17);
  std::size_t with_findings = 0;
  for (int round = 0; round < 400; ++round) {
    Launch launch({32 * kWarps, 1, 1});
    Checks checks;
    Plain plain;
    const auto usual = random_block(random, /*careful=*/round % 4 != 0);
    checks.on_launch(launch.context());
    plain.on_launch(launch.context());
    for (std::uint64_t block = 0; block < 8; ++block) {
      const auto acts = block % 3 == 2 ? changed(usual, random) : usual;
      for (run::Observer* observer :
           {static_cast<run::Observer*>(&checks), static_cast<run::Observer*>(&plain)}) {
        observer->on_block_begin(block);
        for (const auto& act : acts) perform(*observer, act);
        if (block != 5 || round % 2 == 0) observer->on_block_end();  // Otherwise a fault ended it.
      }
    }
    ASSERT_EQ(texts(plain.diagnostics()), texts(checks.diagnostics())) << round;
    if (!checks.diagnostics().empty()) ++with_findings;
  }
  EXPECT_LT(100U, with_findings);
  EXPECT_GT(350U, with_findings);
}

TEST(SharedTrace, ABlockThatWroteEqualValuesIsNoModelForOthers) {
  Launch launch({64, 1, 1});
  Checks checks;
  checks.on_launch(launch.context());
  for (std::uint64_t block = 0; block < 3; ++block) {
    checks.on_block_begin(block);
    for (const std::uint32_t warp : {0U, 1U}) {
      const auto value = [&](std::uint32_t) { return block < 2 ? 7 : warp; };
      Warp(checks, warp).store(0, strided(0, 4), run::kFullMask, 4, run::Space::kShared, value);
    }
    checks.on_block_end();
  }
  ASSERT_EQ(1U, checks.diagnostics().size());
  EXPECT_EQ(base::DiagnosticKind::kRace, checks.diagnostics()[0].kind);
}

class Following : public testing::Test {
 protected:
  // Plays a block of two warps: each stores, the block meets at a barrier, and each loads; warp 1
  // loads row `row`. Returns whether the block repeats the recorded one.
  bool block(std::uint32_t row, std::uint32_t first_warp = 0) {
    bool repeats = true;
    const auto tell = [&](const auto& event) {
      repeats = trace_.repeats(event, 1) && repeats;
      if (trace_.must_play_back()) trace_.play_back([](const auto&, std::uint64_t) {});
    };
    trace_.begin_block();
    for (const std::uint32_t warp : {first_warp, 1 - first_warp}) {
      event_.operation = run::Operation::kStore;
      address_[0] = 128 * warp;
      event_.warp = warp;
      tell(event_);
    }
    tell(run::BarrierEvent{run::BarrierEvent::Scope::kBlock, 3, 0, 0});
    for (const std::uint32_t warp : {0U, 1U}) {
      event_.operation = run::Operation::kLoad;
      address_[0] = warp == 0 ? 128 : 128 * row;
      event_.warp = warp;
      tell(event_);
    }
    trace_.end_block(/*clean=*/true);
    return repeats;
  }

  SharedTrace trace_{2};
  std::array<std::uint64_t, run::kWarpSize> address_{};
  run::MemoryEvent event_{.mask = run::kFullMask,
                          .space = run::Space::kShared,
                          .bytes = 4,
                          .stride = 4,
                          .address = address_.data()};
};

TEST_F(Following, ABlockRepeatsTheOneBefore) {
  EXPECT_FALSE(block(0));  // Recorded.
  EXPECT_TRUE(block(0));
  EXPECT_TRUE(block(0, /*first_warp=*/1));
  EXPECT_FALSE(block(2));
  EXPECT_TRUE(block(0));
}

TEST_F(Following, AnotherTraceIsTakenWhereTheFirstIsNotRepeated) {
  block(0);
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(block(1));
  EXPECT_FALSE(block(1));  // Recorded.
  EXPECT_TRUE(block(1));
}

TEST_F(Following, PlaysBackWhatCameBeforeTheDifference) {
  std::array<std::byte, 128> data{std::byte{42}};
  event_.data = data.data();
  block(0);
  trace_.begin_block();
  event_.operation = run::Operation::kStore;
  event_.warp = 0;
  address_[0] = 0;
  EXPECT_TRUE(trace_.repeats(event_, 5));
  EXPECT_FALSE(trace_.must_play_back());
  address_[0] = 4;
  EXPECT_FALSE(trace_.repeats(event_, 6));
  ASSERT_TRUE(trace_.must_play_back());
  std::vector<run::MemoryEvent> played;
  trace_.play_back([&](const auto& event, std::uint64_t moment) {
    EXPECT_EQ(5U, moment);
    if constexpr (std::is_same_v<std::decay_t<decltype(event)>, run::MemoryEvent>) {
      EXPECT_EQ(124U, event.address[31]);
      EXPECT_EQ(std::byte{42}, event.data[0]);
      played.push_back(event);
    }
  });
  ASSERT_EQ(1U, played.size());
  EXPECT_EQ(run::Operation::kStore, played[0].operation);
  EXPECT_FALSE(trace_.must_play_back());
  EXPECT_FALSE(trace_.repeats(event_, 7));
}

}  // namespace warpgrade::check::shared_trace_test

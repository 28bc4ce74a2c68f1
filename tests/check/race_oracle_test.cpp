// SPDX-License-Identifier: Apache-2.0
// Compares the race checker with the definition of a race, on short random programs of two warps.
// The oracle keeps one vector clock per thread and compares every pair of accesses to every byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "common/check/shared_race.h"
#include "tests/check/events.h"
#include "tests/sanitized.h"

namespace warpgrade::check::race_oracle_test {

constexpr std::uint32_t kThreads = 64;

/// Happens-before by definition: clock_[t][u] is the number of u's accesses that happen before t's
/// next one.
class Oracle {
 public:
  void access(std::uint32_t thread, std::uint64_t begin, std::uint32_t bytes, bool is_write,
              bool is_atomic, std::uint32_t value) {
    const std::uint32_t time = ++clock_[thread][thread];
    for (std::uint32_t i = 0; i < bytes; ++i) {
      const auto byte = static_cast<std::uint8_t>(value >> (8 * (i % 4)));
      for (const auto& old : past_[begin + i]) {
        if (old.thread == thread || old.time <= clock_[thread][old.thread]) continue;
        if (!old.is_write && !is_write) continue;
        if (old.is_atomic && is_atomic) continue;
        if (old.is_write && is_write && !old.is_atomic && !is_atomic && old.byte == byte) continue;
        race_ = true;
      }
      past_[begin + i].push_back({thread, time, is_write, is_atomic, byte});
    }
  }
  void barrier(std::uint32_t first_thread, std::uint64_t mask) {
    std::array<std::uint32_t, kThreads> merged{};
    for (std::uint32_t i = 0; i < 64; ++i) {
      if ((mask >> i & 1) == 0) continue;
      for (std::uint32_t u = 0; u < kThreads; ++u) {
        merged[u] = std::max(merged[u], clock_[first_thread + i][u]);
      }
    }
    for (std::uint32_t i = 0; i < 64; ++i) {
      if ((mask >> i & 1) != 0) clock_[first_thread + i] = merged;
    }
  }
  /// A barrier of part of the block (kPart): lanes of both warps meet.
  void meet(const std::array<std::uint32_t, 2>& members) {
    std::array<std::uint32_t, kThreads> merged{};
    const auto each = [&](const auto& visit) {
      for (std::uint32_t t = 0; t < kThreads; ++t) {
        if ((members.at(t / 32) >> (t % 32) & 1) != 0) visit(clock_[t]);
      }
    };
    each([&](auto& clock) {
      for (std::uint32_t u = 0; u < kThreads; ++u) merged[u] = std::max(merged[u], clock[u]);
    });
    each([&](auto& clock) { clock = merged; });
  }
  void hand_over(std::uint32_t thread, std::uint64_t object, bool release) {
    auto& handed_on = objects_[object];
    auto& from = release ? clock_[thread] : handed_on;
    auto& to = release ? handed_on : clock_[thread];
    for (std::uint32_t u = 0; u < kThreads; ++u) to[u] = std::max(to[u], from[u]);
  }
  bool race() const { return race_; }

 private:
  struct Past {
    std::uint32_t thread, time;
    bool is_write, is_atomic;
    std::uint8_t byte;
  };
  std::array<std::array<std::uint32_t, kThreads>, kThreads> clock_{};
  std::map<std::uint64_t, std::array<std::uint32_t, kThreads>> objects_;
  std::array<std::vector<Past>, 256> past_;
  bool race_ = false;
};

struct Outcome {
  bool expected = false;
  bool found = false;
};

/// Every random program has loads, stores, and barriers of the block and of warps. kMild adds
/// atomics and often stores equal values; kOrdered adds order across warps; kAtomics adds both
/// atomics and order across warps. Programs with atomics access only 4-byte words.
enum class Kind { kPlain, kMild, kOrdered, kAtomics };

/// Makes a random step with a named barrier or a synchronization object. Returns false if it made
/// none; the caller then makes another step.
bool order_step(std::mt19937& random, SharedRace& checker, Oracle& oracle) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  const std::uint32_t step = below(8);
  if (step == 0) {
    const std::array<std::uint32_t, 2> members = {1U << below(3) | 1U << below(32),
                                                  1U << below(3) | 1U << below(32)};
    run::BarrierEvent event{run::BarrierEvent::Scope::kPart, 0, 0, 0, members.data()};
    checker.on_barrier(event);
    oracle.meet(members);
    return true;
  }
  if (step > 3) return false;
  const bool release = step < 2;
  const std::uint32_t warp = below(2);
  const std::uint32_t mask = below(2) == 0 ? 1U << below(4) : below(15) + 1;
  std::array<std::uint64_t, 32> objects{};
  for (auto& object : objects) object = below(2);
  checker.on_order({release ? run::OrderEvent::Kind::kRelease : run::OrderEvent::Kind::kAcquire,
                    false, 0, warp, mask, objects.data()});
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0) oracle.hand_over(32 * warp + lane, objects.at(lane), release);
  }
  return true;
}

/// Plays one random program on the checker and on the oracle.
Outcome play(std::mt19937& random, Launch& launch, Kind program) {
  const bool mild = program == Kind::kMild;
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  SharedRace checker;
  checker.on_launch(launch.context());
  checker.on_block_begin(0);
  Oracle oracle;
  const std::uint32_t space = 8U << below(4);  // Bytes in play: 8 to 64.
  std::uint32_t unique = 1;
  for (std::uint32_t step = 2 + below(program == Kind::kPlain ? 6 : 12); step > 0; --step) {
    const bool is_ordered = program == Kind::kOrdered || program == Kind::kAtomics;
    if (is_ordered && order_step(random, checker, oracle)) continue;
    const std::uint32_t w = below(4) == 0 ? 1 : 0;
    Warp warp(checker, w);
    const auto random_mask = [&] {
      const std::uint32_t masks[] = {run::kFullMask, 0xffffU, 1U << below(4), below(15) + 1,
                                     static_cast<std::uint32_t>(random())};
      return std::max(masks[below(5)], 1U);
    };
    const std::uint32_t mask = random_mask();
    const std::uint32_t kind = below(10);
    if (kind == 0) {
      sync_block(checker);
      oracle.barrier(0, ~std::uint64_t{0});
      continue;
    }
    if (kind <= 3) {
      warp.sync(mask);
      oracle.barrier(32 * w, mask);
      continue;
    }
    const bool atomics = mild || program == Kind::kAtomics;
    const auto bytes = static_cast<std::uint8_t>(atomics ? 4 : 1U << below(4));
    const std::uint32_t stride = below(3) == 0 ? 0 : bytes;
    const std::uint32_t first = below(space / bytes) * bytes;
    const auto address = [=](std::uint32_t lane) {
      return std::uint64_t{(first + lane * stride) % 256 / bytes * bytes};
    };
    const bool equal_values = mild && below(2) == 0;
    const std::uint32_t salt = unique;
    unique += 32;
    const auto value = [=](std::uint32_t lane) {
      // The bytes of a unique value differ from those of every other value.
      return equal_values ? 5 : 0x01010101U * ((salt + lane) % 251);
    };
    const std::uint32_t what = below(atomics ? 3 : 2);
    const std::uint32_t instruction = 10 * what + below(10);  // Each instruction has one operation.
    if (what == 0) warp.load(instruction, address, mask, bytes);
    if (what == 1) warp.store(instruction, address, mask, bytes, run::Space::kShared, value);
    if (what == 2) warp.atomic(instruction, address, mask);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      oracle.access(32 * w + lane, address(lane), bytes, what != 0, what == 2, value(lane));
    }
  }
  return {oracle.race(), !checker.findings().all().empty()};
}

constexpr int kRounds = kIsSanitized ? 4000 : 20000;

TEST(RaceOracle, FindsARaceWhereThereIsOneAndOnlyThere) {
  Launch launch;
  std::mt19937 random(1);
  int races = 0, wrong = 0;
  for (int i = 0; i < kRounds / 2; ++i) {
    const auto [expected, found] = play(random, launch, Kind::kPlain);
    races += expected ? 1 : 0;
    wrong += expected != found ? 1 : 0;
  }
  EXPECT_EQ(0, wrong);
  EXPECT_GT(races, kRounds * 3 / 40);
  EXPECT_LT(races, kRounds * 17 / 40);
}

// The checker reports a race in exactly the programs in which the oracle finds one.
void expect_exact(unsigned seed, Kind kind) {
  Launch launch;
  std::mt19937 random(seed);
  int races = 0, false_alarms = 0, missed = 0;
  for (int i = 0; i < kRounds; ++i) {
    const auto [expected, found] = play(random, launch, kind);
    races += expected ? 1 : 0;
    false_alarms += found && !expected ? 1 : 0;
    missed += expected && !found ? 1 : 0;
  }
  EXPECT_EQ(0, false_alarms);
  EXPECT_EQ(0, missed);
  EXPECT_GT(races, kRounds * 3 / 20);
  EXPECT_LT(races, kRounds * 17 / 20);
}

TEST(RaceOracle, KnowsOrderAcrossWarps) { expect_exact(3, Kind::kOrdered); }

// A later atomic does not hide a plain access, even if the atomic is by the same thread or ordered
// after it.
TEST(RaceOracle, KnowsPlainAccessesBehindAtomics) { expect_exact(4, Kind::kAtomics); }

TEST(RaceOracle, RaisesNoFalseAlarmWithAtomicsAndEqualValues) {
  Launch launch;
  std::mt19937 random(2);
  int false_alarms = 0, missed = 0, races = 0;
  for (int i = 0; i < 10000; ++i) {
    const auto [expected, found] = play(random, launch, Kind::kMild);
    races += expected ? 1 : 0;
    false_alarms += found && !expected ? 1 : 0;
    missed += expected && !found ? 1 : 0;
  }
  EXPECT_EQ(0, false_alarms);
  // A benign pair on the same byte can hide a race (see the head of shared_race.h).
  EXPECT_LT(missed, races / 100);
}

}  // namespace warpgrade::check::race_oracle_test

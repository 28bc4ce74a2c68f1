// SPDX-License-Identifier: Apache-2.0
// Chains of accesses: what a cell remembers, and what it may forget.
#include "common/check/access_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/check/events.h"

namespace warpgrade::check::access_log_test {

class AccessLogTest : public testing::Test {
 protected:
  AccessLogTest() { order.begin_launch(launch.context()); }

  std::uint32_t number(std::uint32_t instruction, std::uint32_t warp,
                       Strength strength = Strength::kPlain) {
    return log.number_of(instruction, warp, order.stamp(warp), strength, false);
  }
  // The (warp, lane) of every access that `reference` leads to.
  std::set<std::pair<std::uint32_t, std::uint32_t>> threads(Reference reference) const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> all;
    for (auto at = static_cast<std::uint32_t>(reference) >> 5; at != 0; at = log.entry(at).next) {
      const auto& entry = log.entry(at);
      for (auto left = AccessLog::lanes(entry, reference); left != 0; left &= left - 1) {
        all.insert({entry.warp, static_cast<std::uint32_t>(std::countr_zero(left))});
      }
    }
    return all;
  }
  using Threads = std::set<std::pair<std::uint32_t, std::uint32_t>>;

  Launch launch{{128, 1, 1}};
  HappensBefore order;
  AccessLog log{kInstructions, 4, false};
};

TEST_F(AccessLogTest, EqualAccessesShareANumberWithinAnInterval) {
  const auto first = number(3, 1);
  EXPECT_EQ(first, number(3, 1));
  EXPECT_NE(first, number(4, 1));
  EXPECT_NE(first, number(3, 2));
  order.barrier({run::BarrierEvent::Scope::kWarp, 0, 1, run::kFullMask});
  EXPECT_NE(first, number(3, 1));  // a later stamp
}

TEST_F(AccessLogTest, AnIntervalLeavesOlderReferencesBehind) {
  const auto old = log.only({number(3, 1), 1U << 7});
  EXPECT_GE(old, log.first());
  EXPECT_FALSE(log.begin_interval());
  EXPECT_LT(old, log.first());
  EXPECT_GE(log.only({number(3, 1), 1U << 7}), log.first());
}

TEST_F(AccessLogTest, OneLaneNeedsNoEntryOfItsOwn) {
  const auto entry = number(3, 1);
  const auto before = log.size();
  EXPECT_EQ(AccessLog::reference(entry, 7), log.only({entry, 1U << 7}));
  EXPECT_EQ(before, log.size());
  EXPECT_TRUE(log.is_of_thread(AccessLog::reference(entry, 7), 1, 7));
  EXPECT_FALSE(log.is_of_thread(AccessLog::reference(entry, 7), 1, 8));
}

TEST_F(AccessLogTest, LanesAndWarpsAddUp) {
  auto cell = log.only({number(3, 1), 0x3});
  EXPECT_EQ((Threads{{1, 0}, {1, 1}}), threads(cell));
  cell = log.with(cell, {number(3, 1), 0x8}, order);
  EXPECT_EQ((Threads{{1, 0}, {1, 1}, {1, 3}}), threads(cell));
  cell = log.with(cell, {number(5, 2), 0x1}, order);
  EXPECT_EQ((Threads{{1, 0}, {1, 1}, {1, 3}, {2, 0}}), threads(cell));
}

TEST_F(AccessLogTest, TwoWarpsOfOneStrengthAreEnough) {
  auto cell = log.only({number(3, 0), 1});
  cell = log.with(cell, {number(3, 1), 1}, order);
  EXPECT_TRUE(log.is_full(cell, Strength::kPlain));
  EXPECT_EQ(cell, log.with(cell, {number(3, 2), 1}, order));
  EXPECT_EQ((Threads{{0, 0}, {1, 0}}), threads(cell));
}

TEST_F(AccessLogTest, WhereRacesMayBeNoneAllWarpsAreKept) {
  AccessLog all(kInstructions, 4, true);
  auto cell = all.only({all.number_of(3, 0, 0, Strength::kPlain, false), 1});
  for (std::uint32_t warp = 1; warp < 4; ++warp) {
    cell = all.with(cell, {all.number_of(3, warp, 0, Strength::kPlain, false), 1}, order);
  }
  std::uint32_t entries = 0;
  for (auto at = static_cast<std::uint32_t>(cell) >> 5; at != 0; at = all.entry(at).next) ++entries;
  EXPECT_EQ(4U, entries);
}

TEST_F(AccessLogTest, AThreadsLaterAccessTakesThePlaceOfItsEarlierOne) {
  auto cell = log.only({number(3, 1), 1U << 7});
  cell = log.with(cell, {number(9, 1), 1U << 7}, order);
  EXPECT_EQ((Threads{{1, 7}}), threads(cell));
  EXPECT_EQ(9U, log.entry(cell).instruction);
}

TEST_F(AccessLogTest, AnAtomicDoesNotCoverThePlainAccessBeforeIt) {
  auto cell = log.only({number(3, 1), 1U << 7});
  cell = log.with(cell, {number(9, 1, Strength::kStrong), 1U << 7}, order);
  std::set<std::uint32_t> instructions;
  for (auto at = static_cast<std::uint32_t>(cell) >> 5; at != 0; at = log.entry(at).next) {
    instructions.insert(log.entry(at).instruction);
  }
  EXPECT_EQ((std::set<std::uint32_t>{3, 9}), instructions);
}

TEST_F(AccessLogTest, OneThreadsAccessesCanBeTakenOut) {
  auto cell = log.only({number(3, 1), 0x3});
  cell = log.with(cell, {number(5, 2), 0x1}, order);
  cell = log.without(cell, 1, 0);
  EXPECT_EQ((Threads{{1, 1}, {2, 0}}), threads(cell));
  EXPECT_EQ(0, log.without(log.only({number(3, 1), 1}), 1, 0));
}

TEST_F(AccessLogTest, ACopyIsAChainOfItsOwn) {
  const auto cell = log.only({number(3, 1), 0x3});
  const auto copy = log.copy(cell);
  EXPECT_NE(cell, copy);
  const auto grown = log.with(copy, {number(3, 1), 0x8}, order);
  EXPECT_EQ(3U, threads(grown).size());
  EXPECT_EQ(2U, threads(cell).size());
}

}  // namespace warpgrade::check::access_log_test

// SPDX-License-Identifier: Apache-2.0
// The queue must return events in the order of a sorted list.
#include "common/timing/event_queue.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>

namespace warpgrade::timing::event_queue_test {

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

}  // namespace warpgrade::timing::event_queue_test

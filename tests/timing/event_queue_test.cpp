// SPDX-License-Identifier: Apache-2.0
// The queue must hand out events in the order in which a sorted list has them.
#include "common/timing/event_queue.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>

namespace warpgrade::timing {
namespace {

TEST(EventQueue, HoldsNothingAtFirst) { EXPECT_TRUE(EventQueue().empty()); }

TEST(EventQueue, TheEarliestComesFirstWhateverItsNumber) {
  EventQueue queue;
  queue.set(5, 3.0);
  queue.set(0, 4.0);
  queue.set(9, 2.0);
  EXPECT_EQ(9U, queue.top().warp);
  EXPECT_EQ(2.0, queue.top().time);
}

TEST(EventQueue, OfEventsAtOneTimeThatOfTheLowerNumberComesFirst) {
  EventQueue queue;
  for (const std::uint32_t warp : {6U, 2U, 3U, 7U}) queue.set(warp, 1.5);
  EXPECT_EQ(2U, queue.top().warp);
  queue.set(2, EventQueue::kNever);
  EXPECT_EQ(3U, queue.top().warp);
}

TEST(EventQueue, ALaterTimeReplacesTheEarlierOne) {
  EventQueue queue;
  queue.set(1, 1.0);
  queue.set(2, 2.0);
  queue.set(1, 3.0);
  EXPECT_EQ(2U, queue.top().warp);
  queue.set(2, EventQueue::kNever);
  EXPECT_EQ(1U, queue.top().warp);
  queue.set(1, EventQueue::kNever);
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, FollowsASortedListWhileItGrows) {
  EventQueue queue;
  std::set<std::pair<double, std::uint32_t>> sorted;
  std::vector<double> time_of(300, EventQueue::kNever);
  std::mt19937 random(1);
  for (std::uint32_t i = 0; i < 20000; ++i) {
    // Few different times, so that many are equal; numbers from a range that grows.
    const auto warp = static_cast<std::uint32_t>(random() % (1 + i * 299 / 20000));
    const double time = random() % 4 == 0 ? EventQueue::kNever : static_cast<double>(random() % 64);
    sorted.erase({time_of[warp], warp});
    time_of[warp] = time;
    if (time != EventQueue::kNever) sorted.insert({time, warp});
    queue.set(warp, time);
    ASSERT_EQ(sorted.empty(), queue.empty());
    if (sorted.empty()) continue;
    ASSERT_EQ(sorted.begin()->first, queue.top().time);
    ASSERT_EQ(sorted.begin()->second, queue.top().warp);
  }
}

}  // namespace
}  // namespace warpgrade::timing

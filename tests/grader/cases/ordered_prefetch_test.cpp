// SPDX-License-Identifier: Apache-2.0
// Concurrent results: their number, their order, and failures.
#include "grader/cases/ordered_prefetch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <latch>
#include <mutex>
#include <set>
#include <stdexcept>

namespace warpgrade::grader::cases::ordered_prefetch_test {

TEST(OrderedPrefetch, SeveralAreMadeAtATime) {
  std::latch both(2);  // neither ends before the other has begun
  OrderedPrefetch<std::size_t> squares(2, 2, [&](std::size_t i) {
    both.arrive_and_wait();
    return i * i;
  });
  EXPECT_EQ(0U, squares.take(0));
  EXPECT_EQ(1U, squares.take(1));
}

TEST(OrderedPrefetch, NoMoreThanThatAreMadeAtATime) {
  std::mutex mutex;
  std::set<std::size_t> running;
  std::size_t most = 0;
  OrderedPrefetch<bool> all(500, 3, [&](std::size_t i) {
    {
      const std::lock_guard lock(mutex);
      running.insert(i);
      most = std::max(most, running.size());
    }
    std::this_thread::yield();
    const std::lock_guard lock(mutex);
    running.erase(i);
    return true;
  });
  for (std::size_t i = 0; i < 500; ++i) EXPECT_TRUE(all.take(i));
  EXPECT_GE(3U, most);
}

TEST(OrderedPrefetch, OneAtATimeIsMadeWhenItIsTaken) {
  std::size_t made = 0;
  OrderedPrefetch<std::size_t> numbers(3, 1, [&](std::size_t i) {
    ++made;
    return i;
  });
  EXPECT_EQ(0U, made);
  EXPECT_EQ(1U, numbers.take(1));
  EXPECT_EQ(1U, made);
}

TEST(OrderedPrefetch, AFailureIsThatOfTheOneWhoTakesTheResult) {
  OrderedPrefetch<std::size_t> numbers(3, 2, [](std::size_t i) {
    if (i == 1) throw std::runtime_error("the second");
    return i;
  });
  EXPECT_EQ(0U, numbers.take(0));
  EXPECT_THROW(numbers.take(1), std::runtime_error);
  EXPECT_EQ(2U, numbers.take(2));
}

TEST(OrderedPrefetch, WhatHasBegunWhenNobodyAsksAnyMoreComesToItsEnd) {
  std::atomic<int> begun{0};
  std::atomic<int> ended{0};
  {
    OrderedPrefetch<bool> all(1000, 2, [&](std::size_t) {
      ++begun;
      std::this_thread::yield();
      ++ended;
      return true;
    });
    all.take(0);
  }
  EXPECT_LE(1, begun);
  EXPECT_EQ(begun, ended);
}

}  // namespace warpgrade::grader::cases::ordered_prefetch_test

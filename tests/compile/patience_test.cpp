// SPDX-License-Identifier: Apache-2.0
#include "common/compile/patience.h"

#include <gtest/gtest.h>

namespace warpgrade::compile::patience_test {

using namespace std::chrono_literals;
using std::chrono::microseconds;
using std::chrono::milliseconds;

class PatienceTest : public testing::Test {
 protected:
  // The time limit that the patience gives to a wait that lasts `time`.
  milliseconds wait(microseconds time) {
    return patience_.wait([&](milliseconds most) {
      now_ += time;
      return most;
    });
  }

  microseconds now_{0};
  Patience patience_{250ms, [this] { return Clock::result_type(now_); }};
};

TEST_F(PatienceTest, IsOverWhenItsTimeHasBeenWaited) {
  EXPECT_EQ(Patience::kTurn, wait(100ms));
  EXPECT_EQ(Patience::kTurn, wait(100ms));
  EXPECT_FALSE(patience_.is_over());
  EXPECT_EQ(50ms, wait(50ms));
  EXPECT_TRUE(patience_.is_over());
  EXPECT_EQ(0ms, wait(10ms));
  EXPECT_EQ(0ms, wait(0ms));
}

TEST_F(PatienceTest, CountsAWaitForATurnAtMost) {
  wait(10h);
  EXPECT_FALSE(patience_.is_over());
  wait(10h);
  EXPECT_FALSE(patience_.is_over());
  wait(10h);
  EXPECT_TRUE(patience_.is_over());
}

TEST_F(PatienceTest, CountsShortWaitsForAMillisecond) {
  for (int i = 0; i < 249; ++i) wait(1us);
  EXPECT_FALSE(patience_.is_over());
  wait(1us);
  EXPECT_TRUE(patience_.is_over());
}

TEST_F(PatienceTest, DoesNotCountWhatPassesBetweenWaits) {
  now_ += 10h;
  wait(100ms);
  now_ += 10h;
  EXPECT_FALSE(patience_.is_over());
}

}  // namespace warpgrade::compile::patience_test

// SPDX-License-Identifier: Apache-2.0
// Times of launches add up if the host launches fast enough.
#include "common/timing/sequence_time.h"

#include <gtest/gtest.h>

namespace warpgrade::timing::sequence_time_test {

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

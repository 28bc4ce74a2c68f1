// SPDX-License-Identifier: Apache-2.0
// The loop over samples, with hand-made samples and a fake clock.
#include "common/measure/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::measure::comparison_test {

using ::testing::HasSubstr;

AbbaSample sample(double fraction) { return {1, 1 / fraction, 1 / fraction, 1}; }

StoppingOptions bounded(double bound) {
  StoppingOptions options;
  options.bounds = {bound};
  return options;
}

std::function<double()> standing() {
  return [] { return 0.0; };
}

TEST(CompareWithCopy, EndsWhereTheRuleHasEnough) {
  const auto found = compare_with_copy(
      bounded(0.5),
      [] {
        return AbbaTaken{sample(0.9), {}, false};
      },
      standing());
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->decided);
  EXPECT_EQ(14U, found->samples.size());
  EXPECT_NEAR(0.9, found->estimate->value, 1e-12);
  EXPECT_EQ("", found->warning);
}

TEST(CompareWithCopy, ADisturbedSampleIsMeasuredAgainAndTold) {
  int taken = 0;
  const auto found = compare_with_copy(
      bounded(0.5),
      [&] {
        if (++taken == 3) return AbbaTaken{{}, "the card was slowed down: it is too hot", false};
        return AbbaTaken{sample(0.9), {}, false};
      },
      standing());
  EXPECT_EQ(15, taken);
  EXPECT_EQ(14U, found->samples.size());
  EXPECT_EQ("1 sample was measured again: the card was slowed down: it is too hot", found->warning);
}

TEST(CompareWithCopy, ACardThatIsAlwaysDisturbedIsNotDecided) {
  int taken = 0;
  const auto found = compare_with_copy(
      bounded(0.5),
      [&] {
        ++taken;
        return AbbaTaken{{}, "the card was slowed down", false};
      },
      standing());
  EXPECT_EQ(11, taken);
  EXPECT_FALSE(found->decided);
  EXPECT_FALSE(found->estimate);
  EXPECT_EQ("11 samples were measured again: the card was slowed down; every sample was disturbed",
            found->warning);
}

TEST(CompareWithCopy, AWrongKernelEndsIt) {
  int taken = 0;
  const auto found = compare_with_copy(
      bounded(0.5),
      [&] {
        return ++taken == 5 ? AbbaTaken{{}, {}, true} : AbbaTaken{sample(0.9), {}, false};
      },
      standing());
  EXPECT_FALSE(found);
  EXPECT_EQ(5, taken);
}

TEST(CompareWithCopy, TimeThatIsUpLeavesItUndecidedAndSaysSo) {
  double time = 0;
  const auto found = compare_with_copy(
      bounded(0.9),
      [] {
        return AbbaTaken{sample(0.9), {}, false};
      },
      [&] { return time += 0.5; });
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->decided);
  EXPECT_EQ(39U,
            found->samples.size());  // 20 s at half a second each; the start takes one reading.
  EXPECT_THAT(found->warning, HasSubstr("after 39 samples the fraction is between 0.891 and "
                                        "0.909, which does not decide the gate"));
}

TEST(CompareWithCopy, TooFewSamplesAreTold) {
  double time = 0;
  const auto found = compare_with_copy(
      bounded(0.5),
      [] {
        return AbbaTaken{sample(0.9), {}, false};
      },
      [&] { return time += 4; });
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->decided);
  EXPECT_EQ("time ran out after 4 samples, which are too few", found->warning);
}

// 512 MiB at 4.8 TB/s, less the 60 MiB that stay in L2: (536870912 - 62914560) / 4.8e12 s.
TEST(LeastSeconds, WhatStaysInTheCacheNeedNotMove) {
  EXPECT_NEAR(98.74e-6, least_seconds(536870912, 62914560, 4.8e12), 0.01e-6);
  EXPECT_EQ(0, least_seconds(1e6, 6e7, 4.8e12));
}

}  // namespace warpgrade::measure::comparison_test

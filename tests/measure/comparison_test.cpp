// SPDX-License-Identifier: Apache-2.0
#include "common/measure/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "common/base/error.h"

namespace warpgrade::measure::comparison_test {

TEST(Median, OddCountIsTheMiddleValue) {
  EXPECT_EQ(3, median(std::vector<double>{9, 1, 3}));
  EXPECT_EQ(7, median(std::vector<double>{7}));
}

TEST(Median, EvenCountIsTheMeanOfTheTwoMiddleValues) {
  EXPECT_EQ(2.5, median(std::vector<double>{4, 1, 3, 2}));
}

TEST(Median, OneOutlierDoesNotMoveIt) {
  EXPECT_EQ(2, median(std::vector<double>{2, 2, 2, 2, 1e9}));
}

TEST(Median, NoSamplesIsAnError) { EXPECT_THROW(median(std::vector<double>{}), base::UsageError); }

std::vector<double> one_to(int count) {
  std::vector<double> out;
  for (int i = count; i > 0; --i) out.push_back(i);
  return out;
}

// Ranks of the sign test. With 8 samples, the interval from the least to the greatest misses the
// median with probability 2 / 2^8 = 0.0078. For 20 samples at 0.05, tables of nonparametric
// statistics give rank 6.
TEST(MedianInterval, RanksAreThoseOfTheSignTest) {
  const auto eight = median_interval(one_to(8), 0.01);
  ASSERT_TRUE(eight);
  EXPECT_EQ(1, eight->low);
  EXPECT_EQ(8, eight->high);
  const auto twenty = median_interval(one_to(20), 0.05);
  ASSERT_TRUE(twenty);
  EXPECT_EQ(6, twenty->low);
  EXPECT_EQ(15, twenty->high);
}

TEST(MedianInterval, TooFewSamplesHaveNone) {
  EXPECT_FALSE(median_interval(one_to(13), 2e-4));
  EXPECT_TRUE(median_interval(one_to(14), 2e-4));
  EXPECT_FALSE(median_interval({}, 0.5));
}

TEST(StandardDeviation, IsThatOfThePopulation) {
  EXPECT_DOUBLE_EQ(2, standard_deviation(std::vector<double>{1, 3, 5}));
  EXPECT_EQ(0, standard_deviation(std::vector<double>{7}));
}

// The rule that ends a comparison, with hand-made samples and on simulated noisy machines.

// A sample whose fraction is `fraction`, without noise.
AbbaSample sample(double fraction) { return {1, 1 / fraction, 1 / fraction, 1}; }

StoppingOptions bounded(double bound) {
  StoppingOptions options;
  options.bounds = {bound};
  return options;
}

TEST(AbbaSample, FractionIsTheTimeOfTheCopyOverThatOfTheKernel) {
  EXPECT_DOUBLE_EQ(std::log(3.0 / 4.0), (AbbaSample{1, 1.5, 2.5, 2}.log_ratio()));
}

// A card that slows down by 0.1 s from launch to launch: 10, 20.1, 20.2, 10.3 instead of 10, 20,
// 20, 10.
TEST(AbbaSample, LinearDriftCancels) {
  const AbbaSample steady{10, 20, 20, 10};
  const AbbaSample drifting{10 + 0 * 0.1, 20 + 1 * 0.1, 20 + 2 * 0.1, 10 + 3 * 0.1};
  EXPECT_NEAR(steady.log_ratio(), drifting.log_ratio(), 0.008);  // (20.3 / 40.3) / 0.5
  EXPECT_DOUBLE_EQ(std::log(20.3 / 40.3), drifting.log_ratio());
}

TEST(SideOf, TheWholeIntervalMustLieOnOneSide) {
  EXPECT_EQ(Side::kAbove, side_of({0.95, 0.9, 1.0}, 0.9));
  EXPECT_EQ(Side::kBelow, side_of({0.8, 0.7, 0.89}, 0.9));
  EXPECT_EQ(Side::kOpen, side_of({0.9, 0.89, 0.91}, 0.9));
  EXPECT_EQ(Side::kOpen, side_of({0.85, 0.8, 0.9}, 0.9));
}

TEST(StoppingRule, NoSamplesHaveNoEstimate) {
  const StoppingRule rule(bounded(0.5));
  EXPECT_THROW(rule.estimate(), base::UsageError);
  EXPECT_FALSE(rule.is_done(0));
}

TEST(StoppingRule, AFewEqualSamplesDecideNothing) {
  StoppingRule rule(bounded(0.5));
  for (int i = 0; i < 13; ++i) {
    rule.add(sample(0.9));
    EXPECT_FALSE(rule.is_decided());
    EXPECT_FALSE(rule.is_done(1));
  }
  rule.add(sample(0.9));
  EXPECT_TRUE(rule.is_done(1));
}

TEST(StoppingRule, TheFloorIsAddedToBothSides) {
  auto options = bounded(0.5);
  options.floor = 0.02;
  StoppingRule rule(options);
  for (int i = 0; i < 14; ++i) rule.add(sample(0.9));
  EXPECT_NEAR(0.9, rule.estimate().value, 1e-12);
  EXPECT_NEAR(0.9 / 1.02, rule.estimate().low, 1e-12);
  EXPECT_NEAR(0.9 * 1.02, rule.estimate().high, 1e-12);
}

TEST(StoppingRule, AKernelOnItsBoundIsNeverDecided) {
  StoppingRule rule(bounded(0.9));
  while (!rule.is_done(1)) rule.add(sample(0.9));
  EXPECT_EQ(160U, rule.samples().size());
  EXPECT_FALSE(rule.is_decided());
}

TEST(StoppingRule, EveryBoundMustBeDecided) {
  auto options = bounded(0.5);
  options.bounds.push_back(0.9);
  StoppingRule rule(options);
  for (int i = 0; i < 14; ++i) rule.add(sample(0.9));
  EXPECT_FALSE(rule.is_done(1));
}

TEST(StoppingRule, TimeIsUpAtTheLimitOfSeconds) {
  StoppingRule rule(bounded(0.9));
  rule.add(sample(0.9));
  EXPECT_FALSE(rule.is_done(19.9));
  EXPECT_TRUE(rule.is_done(20));
  EXPECT_FALSE(rule.is_decided());
}

TEST(StoppingRule, OneOutlierDoesNotMoveTheEstimateAndNoVerdictFollowsFromIt) {
  StoppingRule rule(bounded(0.85));
  for (int i = 0; i < 13; ++i) rule.add(sample(0.9));
  rule.add(sample(0.4));
  EXPECT_NEAR(0.9, rule.estimate().value, 1e-12);
  EXPECT_FALSE(
      rule.is_done(1));  // The interval of 14 samples reaches from the least to the greatest.
  while (!rule.is_done(1)) rule.add(sample(0.9));
  EXPECT_EQ(21U, rule.samples().size());  // The interval of 21 omits the least and the greatest.
  EXPECT_EQ(Side::kAbove, side_of(rule.estimate(), 0.85));
}

TEST(StoppingRule, HalvesThatDisagreeWidenTheInterval) {
  auto options = bounded(0.5);
  options.floor = 0;
  StoppingRule rule(options);
  for (int i = 0; i < 50; ++i) rule.add(sample(0.90));
  for (int i = 0; i < 50; ++i) rule.add(sample(0.94));
  EXPECT_LE(rule.estimate().low, 0.9 + 1e-12);
  EXPECT_GE(rule.estimate().high, 0.94 - 1e-12);
}

TEST(StoppingRule, WithoutBoundsTheWidthDecides) {
  StoppingRule rule({});
  for (int i = 0; i < 14; ++i) rule.add(sample(i % 2 == 0 ? 0.90 : 0.95));
  EXPECT_FALSE(rule.is_done(1));
  StoppingRule steady({});
  for (int i = 0; i < 14; ++i) steady.add(sample(i % 2 == 0 ? 0.90 : 0.905));
  EXPECT_TRUE(steady.is_done(1));
}

TEST(StoppingRule, ADecidedKernelIsMeasuredOnUntilItIsNarrowOrEnough) {
  StoppingRule wide(bounded(0.5));
  while (!wide.is_done(1)) wide.add(sample(wide.samples().size() % 2 == 0 ? 0.90 : 0.95));
  EXPECT_EQ(31U, wide.samples().size());
  StoppingRule narrow(bounded(0.5));
  while (!narrow.is_done(1)) narrow.add(sample(narrow.samples().size() % 2 == 0 ? 0.90 : 0.905));
  EXPECT_EQ(14U, narrow.samples().size());
}

TEST(StoppingRule, ATimeOfZeroIsOurs) {
  StoppingRule rule(bounded(0.5));
  EXPECT_THROW(rule.add({1, 0, 1, 1}), base::ToolError);
}

// The noise of a machine's samples, all in fractions of the time.
struct Noise {
  double between = 0.002;  ///< Standard deviation of a process's own factor.
  double within = 0.01;    ///< Standard deviation of a sample.
  double outliers = 0;     ///< Probability that a sample takes up to 50 % longer.
  double wander = 0;       ///< Standard deviation of a step of the card's speed, sample to sample.
};

class Machine {
 public:
  Machine(double fraction, const Noise& noise, std::uint64_t seed)
      : noise_(noise), random_(seed), kernel_(1 / fraction * (1 + normal() * noise.between)) {}

  AbbaSample sample() {
    const double a1 = sample(1);
    const double b1 = sample(kernel_);
    const double b2 = sample(kernel_);
    return {a1, b1, b2, sample(1)};
  }

 private:
  double normal() { return std::normal_distribution<double>()(random_); }
  double uniform() { return std::uniform_real_distribution<double>()(random_); }
  double sample(double seconds) {
    speed_ *= 1 + normal() * noise_.wander;
    const double late = uniform() < noise_.outliers ? 1 + 0.5 * uniform() : 1;
    return seconds * speed_ * late * std::max(0.5, 1 + normal() * noise_.within);
  }

  Noise noise_;
  std::mt19937_64 random_;
  double kernel_;
  double speed_ = 1;
};

struct Tally {
  int above = 0;
  int below = 0;
  int open = 0;
  std::size_t most_samples = 0;
};

// Verdicts on a kernel that reaches `fraction`, each from its own process, with the bound 0.9.
Tally grades(double fraction, const Noise& noise, int count) {
  Tally tally;
  for (int i = 0; i < count; ++i) {
    Machine machine(fraction, noise, static_cast<std::uint64_t>(i) + 1);
    StoppingRule rule(bounded(0.9));
    while (!rule.is_done(1)) rule.add(machine.sample());
    const auto side = side_of(rule.estimate(), 0.9);
    ++(side == Side::kAbove ? tally.above : side == Side::kBelow ? tally.below : tally.open);
    tally.most_samples = std::max(tally.most_samples, rule.samples().size());
  }
  return tally;
}

constexpr int kGrades = 400;
const std::vector<Noise> kMachines = {
    {0.002, 0.003, 0, 0},          // An undisturbed card.
    {0.002, 0.02, 0, 0},           // A noisy card.
    {0.002, 0.005, 0.1, 0},        // A card that is disturbed now and then.
    {0.002, 0.005, 0.02, 0.003}};  // A card whose clock drifts.

TEST(NoisyMachine, AKernelOnItsBoundNeverFlips) {
  for (const auto& noise : kMachines) {
    const auto tally = grades(0.9, noise, kGrades);
    EXPECT_EQ(0, std::min(tally.above, tally.below)) << tally.above << " " << tally.below;
    EXPECT_GE(tally.open, kGrades * 99 / 100);
  }
}

TEST(NoisyMachine, AKernelJustBesideItsBoundIsNeverOnTheWrongSide) {
  for (const auto& noise : kMachines) {
    for (const double beside : {0.002, 0.005, 0.01, 0.02}) {
      EXPECT_EQ(0, grades(0.9 * (1 + beside), noise, kGrades).below) << beside;
      EXPECT_EQ(0, grades(0.9 * (1 - beside), noise, kGrades).above) << beside;
    }
  }
}

TEST(NoisyMachine, FivePercentBesideTheBoundIsAlwaysDecided) {
  for (const auto& noise : kMachines) {
    EXPECT_EQ(kGrades, grades(0.9 * 1.05, noise, kGrades).above);
    EXPECT_EQ(kGrades, grades(0.9 * 0.95, noise, kGrades).below);
  }
}

TEST(NoisyMachine, FivePercentBesideTheBoundIsQuickOnAQuietCard) {
  EXPECT_EQ(14U, grades(0.9 * 1.05, kMachines[0], kGrades).most_samples);
  EXPECT_EQ(14U, grades(0.9 * 0.95, kMachines[0], kGrades).most_samples);
}

}  // namespace warpgrade::measure::comparison_test

namespace warpgrade::measure::comparison_test_too {

// The loop over samples, with hand-made samples and a fake clock.

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

}  // namespace warpgrade::measure::comparison_test_too

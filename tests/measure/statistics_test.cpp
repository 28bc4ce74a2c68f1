// SPDX-License-Identifier: Apache-2.0
#include "common/measure/statistics.h"

#include <gtest/gtest.h>

#include <vector>

#include "common/base/error.h"

namespace warpgrade::measure::statistics_test {

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

}  // namespace warpgrade::measure::statistics_test

// SPDX-License-Identifier: Apache-2.0
#include "common/measure/statistics.h"

#include <gtest/gtest.h>

#include <vector>

#include "common/base/error.h"

namespace warpgrade::measure {
namespace {

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

}  // namespace
}  // namespace warpgrade::measure

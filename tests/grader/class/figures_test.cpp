// SPDX-License-Identifier: Apache-2.0
#include "grader/class/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::figures_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t kHour = 3600;

TEST(PointsHistogram, ATenthHasItsUpperEnd) {
  // A tenth of 20 points is 2: 0 | 0 < x <= 2 | 2 < x <= 4 | ... | 18 < x < 20 | 20.
  EXPECT_THAT(points_histogram({0, 0, 0.5, 2, 2.5, 18, 18.5, 19.9, 20}, 20),
              ElementsAre(2, 2, 1, 0, 0, 0, 0, 0, 0, 1, 2, 1));
}

TEST(PointsHistogram, AnExerciseWithoutPointsHasNone) {
  EXPECT_EQ(12U, points_histogram({}, 0).size());
  EXPECT_EQ(1, points_histogram({0}, 0).front());
}

TEST(PointsFigure, SaysInWordsWhatItShows) {
  EXPECT_THAT(points_figure({0, 5, 7, 10, 10, 10}, 10),
              HasSubstr("1 with no points, 3 with all 10 points, 2 between"));
}

TEST(AttemptBins, AreOfHoursWhereAllCameWithinTwoDays) {
  const auto bins =
      attempt_bins({{10 * kHour + 1, false}, {10 * kHour + 2, true}, {12 * kHour, true}}, 0);
  ASSERT_EQ(3U, bins.size());
  EXPECT_EQ(10 * kHour, bins[0].begin);
  EXPECT_EQ(1, bins[0].on_time);
  EXPECT_EQ(1, bins[0].late);
  EXPECT_EQ(0, bins[1].late);
  EXPECT_EQ(1, bins[2].late);
}

TEST(AttemptBins, AreLongerWhereTheyWouldBeMoreThanSixty) {
  EXPECT_EQ(60U, attempt_bins({{0, false}, {59 * kHour, false}}, 0).size());
  // 61 hours need 11 bins of six hours, 0 to 10.
  EXPECT_EQ(11U, attempt_bins({{0, false}, {60 * kHour, false}}, 0).size());
}

TEST(AttemptBins, ATimeThatIsCenturiesOffIsInTheFirst) {
  const std::int64_t now = 500'000 * kHour;
  const auto bins = attempt_bins({{-9'000'000 * kHour, false}, {now, false}}, 0);
  ASSERT_EQ(60U, bins.size());
  EXPECT_EQ(1, bins.front().on_time);
  EXPECT_EQ(1, bins.back().on_time);
}

TEST(AttemptBins, OfDaysBeginAtLocalMidnight) {
  // One hour ahead of UTC, 23:30 UTC on the first day is already the second day.
  const std::int64_t day = 24 * kHour;
  const auto bins =
      attempt_bins({{day / 2, false}, {day - kHour / 2, false}, {21 * day, false}}, kHour);
  ASSERT_EQ(22U, bins.size());
  EXPECT_EQ(-kHour, bins[0].begin);
  EXPECT_EQ(1, bins[0].on_time);
  EXPECT_EQ(1, bins[1].on_time);
}

TEST(AttemptsFigure, TimesAreLocal) {
  const auto zone = TimeZone::called("Europe/Berlin");
  ASSERT_TRUE(zone);
  EXPECT_THAT(attempts_figure({{1795215540, false}}, *zone),
              HasSubstr("1 attempt from 2026-11-20 23:59 CET to 2026-11-20 23:59 CET"));
}

TEST(AttemptsFigure, SaysInWordsWhatItShowsAndIsEmptyWithoutAny) {
  EXPECT_EQ("", attempts_figure({}, TimeZone()));
  EXPECT_THAT(
      attempts_figure({{0, false}, {kHour, true}}, TimeZone()),
      HasSubstr("2 attempts from 1970-01-01 00:00 UTC to 1970-01-01 01:00 UTC, 1 of them late"));
}

}  // namespace
}  // namespace warpgrade::grader::class_book::figures_test

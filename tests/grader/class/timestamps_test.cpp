// SPDX-License-Identifier: Apache-2.0
#include "grader/class/timestamps.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::timestamps_test {

// The expected seconds come from `date -u -d ... +%s`.

constexpr std::int64_t kTime = 1795219140;  // 2026-11-20T23:59:00Z

TEST(UtcTime, IsWrittenAndReadAsIso8601) {
  EXPECT_EQ("2026-11-20T23:59:00Z", utc_text(kTime));
  EXPECT_EQ(kTime, parse_utc("2026-11-20T23:59:00Z"));
  for (const auto* text : {"", "late", "2026-11-20", "2026-11-20T23:59:00"}) {
    EXPECT_FALSE(parse_utc(text).has_value()) << text;
  }
}

// Times as people and platforms write them. Expected seconds come from `TZ=ZONE date -d ... +%s`.

constexpr std::int64_t kHour = 3600;

TimeZone berlin() { return TimeZone::called("Europe/Berlin").value(); }

TEST(ClassTime, IsReadInTheFormsOfPlatforms) {
  for (const auto* text :
       {"2026-11-20T23:59:00Z", "2026-11-20 23:59", "2026-11-20-23-59-00", "20261120235900",
        "20261120_2359", "1795219140", "2026-11-20 11:59 PM", "Nov 20, 2026 1159 PM",
        "Friday, November 20, 2026 11:59:00 PM", "2026-11-20 23:59:00.123456 UTC",
        "2026-11-21T00:59:00+01:00", "2026-11-20T18:29:00-0530", "2026-11-21 00:59 CET",
        "2026-11-21 00:59 [Europe/Berlin]"}) {
    const bool has_word = std::string(text).find("CET") != std::string::npos;
    EXPECT_EQ(kTime, parse_time(text, has_word ? berlin() : TimeZone()).value_or(0)) << text;
  }
}

TEST(ClassTime, IsLocalIfNothingElseIsSaid) {
  EXPECT_EQ(kTime - kHour, parse_time("2026-11-20 23:59", berlin()).value_or(0));
  EXPECT_EQ(1784671140, parse_time("2026-07-21 23:59", berlin()).value_or(0));
}

TEST(ClassTime, ADateAloneIsTheEndOfThatDay) {
  EXPECT_EQ(kTime + 59, parse_time("2026-11-20", {}).value_or(0));
}

TEST(ClassTime, WhatIsNotATimeAsAWholeIsNone) {
  for (const auto* text :
       {"", "late", "2026-13-01", "2026-02-30", "2026-11-20T25:00", "12", "2026-11-20 23:59 CEST",
        "2026-11-20 23:59 tonight", "2026-11-20 13:00 PM", "2026-11-20 23:59 [Europe/Nowhere]",
        "2026-11-20 0:30 AM", "1795219140 or so", "2026-11-20 PM"}) {
    EXPECT_FALSE(parse_time(text, {}).has_value()) << text;
  }
  EXPECT_FALSE(TimeZone::called("Europe/Nowhere"));
  EXPECT_FALSE(TimeZone::called("../../../etc/passwd"));
}

TEST(ClassTime, AFormatHasToMatchTheWholeText) {
  const std::string format = "%b %d, %Y %I%M %p";
  EXPECT_EQ(kTime, parse_time(std::string("Nov 20, 2026 1159 PM"), format, {}).value_or(0));
  // 1:05 PM, which strptime() alone reads as ten o'clock.
  EXPECT_EQ(kTime - 39240, parse_time(std::string("Nov 20, 2026 105 PM"), format, {}).value_or(0));
  EXPECT_FALSE(parse_time(std::string("Nov 20, 2026 1159 PM CET"), format, {}));
}

// Clocks go back at 3:00 on 2026-10-25 and forward at 2:00 on 2026-03-29.
TEST(ClassTime, ADayIsACalendarDayWhenTheClocksChange) {
  const auto autumn = parse_time("2026-10-24 23:59", berlin()).value();
  const auto next = parse_time("2026-10-25 23:59", berlin()).value();
  EXPECT_EQ(25 * kHour, next - autumn);
  // A deadline lasts through its minute.
  EXPECT_EQ(0, days_late(autumn, autumn + 59, 0, berlin()));
  EXPECT_EQ(1, days_late(autumn, autumn + 60, 0, berlin()));
  EXPECT_EQ(1, days_late(autumn, next + 59, 0, berlin()));
  EXPECT_EQ(2, days_late(autumn, next + 60, 0, berlin()));
  EXPECT_EQ(2, days_late(autumn, next, 0, {}));
  const auto spring = parse_time("2026-03-28 23:59", berlin()).value();
  EXPECT_EQ(1, days_late(spring, spring + 23 * kHour, 0, berlin()));
  EXPECT_EQ(2, days_late(spring, spring + 23 * kHour + 60, 0, berlin()));
  // Across the end of a year.
  const auto year = parse_time("2026-12-31 23:59", berlin()).value();
  EXPECT_EQ(2, days_late(year, year + 30 * kHour, 0, berlin()));
}

TEST(ClassTime, EachDayHasTheGraceOfTheDeadline) {
  EXPECT_EQ(0, days_late(kTime, kTime + 659, 600, {}));
  EXPECT_EQ(1, days_late(kTime, kTime + 660, 600, {}));
  EXPECT_EQ(1, days_late(kTime, kTime + 24 * kHour + 659, 600, {}));
  EXPECT_EQ(2, days_late(kTime, kTime + 24 * kHour + 660, 600, {}));
  // One with seconds ends with its second.
  EXPECT_EQ(1, days_late(kTime + 30, kTime + 31, 0, {}));
}

TEST(ClassTime, AnHourThatComesTwiceIsTheLaterOneAndOneThatIsLeftOutExists) {
  EXPECT_EQ(1792891800, parse_time("2026-10-25 02:30", berlin()).value_or(0));
  EXPECT_EQ(1792888200, parse_time("2026-10-25 02:30 CEST", berlin()).value_or(0));
  EXPECT_EQ(1774747800, parse_time("2026-03-29 02:30", berlin()).value_or(0));
}

TEST(ClassTime, PeopleReadLocalTimes) {
  const auto zone = TimeZone::called("Europe/Berlin");
  ASSERT_TRUE(zone);
  // date -u -d 2026-11-20T22:59:30Z +%s, and 2026-07-01T10:00:00Z
  EXPECT_EQ("2026-11-20 23:59 CET", local_text(1795215570, *zone));
  EXPECT_EQ("2026-07-01 12:00 CEST", local_text(1782900000, *zone));
  EXPECT_EQ("2026-07-01 10:00 UTC", local_text(1782900000, TimeZone()));
}

}  // namespace warpgrade::grader::class_book::timestamps_test

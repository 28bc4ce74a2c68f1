// SPDX-License-Identifier: Apache-2.0
// Times in file names; the expected seconds come from `date -u -d ... +%s`.
#include "grader/class/utc_time.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::utc_time_test {

constexpr std::int64_t kTime = 1795219140;  // 2026-11-20T23:59:00Z

TEST(UtcTime, IsReadInTheFormsOfFileNames) {
  for (const auto* text : {"2026-11-20T23:59:00Z", "2026-11-20 23:59", "2026-11-20-23-59-00",
                           "20261120235900", "20261120_2359", "1795219140"}) {
    EXPECT_EQ(kTime, parse_utc(text).value_or(0)) << text;
  }
}

TEST(UtcTime, AnOffsetCounts) {
  EXPECT_EQ(kTime - 3600, parse_utc("2026-11-20T23:59:00+01:00").value_or(0));
  EXPECT_EQ(kTime + 19800, parse_utc("2026-11-20T23:59:00-0530").value_or(0));
}

TEST(UtcTime, WhatIsNoTimeIsNone) {
  for (const auto* text : {"", "late", "2026-13-01", "2026-02-30", "2026-11-20T25:00", "12"}) {
    EXPECT_FALSE(parse_utc(text).has_value()) << text;
  }
}

TEST(UtcTime, IsWrittenAsIso8601) { EXPECT_EQ("2026-11-20T23:59:00Z", utc_text(kTime)); }

}  // namespace warpgrade::grader::class_book::utc_time_test

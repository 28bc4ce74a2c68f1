// SPDX-License-Identifier: Apache-2.0
// Seeds of further orders, and what is said of a finding in one of them.
#include "grader/cases/schedules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader {
namespace schedules_test {

TEST(Schedules, ALaunchThatIsShortRunsInFurtherOrders) {
  measure::Measurement measured;
  measured.result.instructions = {{4, 100}};
  const auto seeds = schedule_seeds(7, measured, 100);
  ASSERT_FALSE(seeds.empty());
  for (const auto seed : seeds) EXPECT_NE(0U, seed);
  EXPECT_EQ(seeds, schedule_seeds(7, measured, 100));
  EXPECT_NE(seeds, schedule_seeds(8, measured, 100));
  EXPECT_TRUE(schedule_seeds(7, measured, 99).empty());
}

TEST(Schedules, WhatIsFoundSaysHowToSeeItAgainButForRaces) {
  std::vector<base::Diagnostic> found(2);
  found[0].kind = base::DiagnosticKind::kRace;
  found[0].message = "a race";
  found[1].kind = base::DiagnosticKind::kDeadlock;
  found[1].message = "a deadlock";
  add_replay(found, "warpgrade grade x");
  EXPECT_EQ("a race", found[0].message);
  EXPECT_THAT(found[1].message, testing::StartsWith("a deadlock ("));
  EXPECT_THAT(found[1].message, testing::HasSubstr(schedule_text("warpgrade grade x")));
}

}  // namespace schedules_test
}  // namespace warpgrade::grader

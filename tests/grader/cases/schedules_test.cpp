// SPDX-License-Identifier: Apache-2.0
// Seeds of other orders of warps and blocks, and the command that reproduces a finding.
#include "grader/cases/schedules.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::cases::schedules_test {

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
  found[1].kind = base::DiagnosticKind::kDeadlock;
  add_replay(found, "warpgrade grade x");
  EXPECT_EQ("", found[0].seen.replay);
  EXPECT_EQ("warpgrade grade x", found[1].seen.replay);
}

}  // namespace warpgrade::grader::cases::schedules_test

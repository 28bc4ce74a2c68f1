// SPDX-License-Identifier: Apache-2.0
// The right results of a case, and the inputs that a launch borrows from them.
#include "grader/grade/execute/whole_case.h"

#include <gtest/gtest.h>

#include "tests/grader/grade/stage_fixture.h"

namespace warpgrade::grader::grade::whole_case_test {
namespace {

class WholeCase : public Stage {
 protected:
  CaseJob job(bool is_shared) {
    return {.place = place("h200", "ragged"), .is_shared = is_shared, .work = 1'000'000};
  }
};

TEST_F(WholeCase, ALaunchHasTheInputsAndGivesThemBack) {
  begin(right);
  for (const bool is_shared : {false, true}) {
    const auto job = this->job(is_shared);
    RightResults results(*plan_, job, *job.place.sized);
    const auto inputs = floats(results.before(/*inputs_too=*/true)[1]);
    for (int launch = 0; launch < 2; ++launch) {
      RightResults::Lent lent(results);
      EXPECT_EQ(inputs, floats(lent.buffers()[1]));
      EXPECT_NE(is_shared, results.expected().before[1].bytes.empty());
    }
    EXPECT_EQ(inputs, floats(results.expected().before[1])) << "back without a comparison, too";
  }
}

TEST_F(WholeCase, WhatALaunchLeavesIsComparedWithTheReference) {
  begin(right);
  const auto job = this->job(/*is_shared=*/false);
  RightResults results(*plan_, job, *job.place.sized);
  RightResults::Lent well(results);
  twice(well.buffers());
  EXPECT_FALSE(well.difference());
  RightResults::Lent badly(results);
  const auto difference = badly.difference();
  ASSERT_TRUE(difference);
  EXPECT_EQ("out[0]", difference->element);
  EXPECT_FALSE(results.expected().before[1].bytes.empty()) << "has its inputs back";
}

TEST_F(WholeCase, OnlyARunForItsTimeAsksTheModel) {
  begin(right);
  const auto job = this->job(/*is_shared=*/false);
  RightResults results(*plan_, job, *job.place.sized);
  EXPECT_EQ(0, run_whole(job, *job.place.sized, results, Timing::kNone).measured.seconds);
  EXPECT_EQ(1e-6, run_whole(job, *job.place.sized, results, Timing::kModelled).measured.seconds);
}

}  // namespace
}  // namespace warpgrade::grader::grade::whole_case_test

// SPDX-License-Identifier: Apache-2.0
// Classifies endings of a case: right or wrong, and whether further cases run.
#include "grader/grade/execute/case_outcome.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::grade::case_outcome_test {

TEST(CaseOutcome, OnlyARightResultIsRight) {
  EXPECT_TRUE(is_right(ended_by(RightResult{})));
  EXPECT_FALSE(is_right(ended_by(WrongResult{})));
  EXPECT_FALSE(is_right(ended_by(FoundFaults{})));
  EXPECT_FALSE(is_right(ended_by(NotLaunchable{"too many threads"})));
  EXPECT_FALSE(is_right(ended_by(NotSimulated{"clusters"})));
  EXPECT_FALSE(is_right(ended_by(NotChecked{"too large"})));
  EXPECT_FALSE(is_right(ended_by(GpuTrouble{"lost"})));
  EXPECT_FALSE(is_right(ended_by(ImpossibleTime{"faster than DRAM"})));
}

TEST(CaseOutcome, AWrongResultIsFollowedByOtherCasesAndAFaultIsNot) {
  EXPECT_FALSE(ends_grading(ended_by(RightResult{})));
  EXPECT_FALSE(ends_grading(ended_by(WrongResult{})));
  EXPECT_FALSE(ends_grading(ended_by(NotChecked{})));
  EXPECT_TRUE(ends_grading(ended_by(FoundFaults{})));
  EXPECT_TRUE(ends_grading(ended_by(NotLaunchable{})));
  EXPECT_TRUE(ends_grading(ended_by(NotSimulated{})));
  EXPECT_TRUE(ends_grading(ended_by(GpuTrouble{})));
  EXPECT_TRUE(ends_grading(ended_by(ImpossibleTime{})));
}

}  // namespace warpgrade::grader::grade::case_outcome_test

// SPDX-License-Identifier: Apache-2.0
// Findings, gates and points of a submission on fake devices.
#include "grader/grade/judge/judged.h"

#include <gtest/gtest.h>

#include "tests/grader/grade/stage_fixture.h"

namespace warpgrade::grader::grade::judged_test {
namespace {

class JudgedTest : public Stage {
 protected:
  Judged judged() { return judge_runs(*plan_, time_cases(*plan_, execute(*plan_))); }
};

TEST_F(JudgedTest, ARightAndFastSubmissionHasAllPoints) {
  begin(right);
  const auto out = judged();
  EXPECT_EQ(report::Verdict::kPass, out.judgement.verdict);
  EXPECT_EQ(6U, out.judgement.points);
  EXPECT_EQ(6U, out.found.cases.size());
  EXPECT_TRUE(out.found.gates[1].has_passed());
}

TEST_F(JudgedTest, CasesBehindAFaultHaveNotRun) {
  begin(race_at(300));
  const auto out = judged();
  EXPECT_EQ(0U, out.judgement.points);
  ASSERT_EQ(6U, out.found.cases.size());
  EXPECT_EQ(report::CaseResult::State::kPassed, out.found.cases[0].state);
  EXPECT_EQ(report::CaseResult::State::kDiagnostic, out.found.cases[1].state);
  EXPECT_EQ(report::CaseResult::State::kNotRun, out.found.cases[5].state);
}

TEST_F(JudgedTest, WhatCannotBeCompiledIsNoVerdictOnTheSubmission) {
  compile_ = [](const auto&) -> compile::Result { throw base::ToolError("no compiler"); };
  begin(right);
  const auto out = judged();
  EXPECT_EQ("no compiler", out.found.tool_trouble);
  EXPECT_EQ(report::Verdict::kError, out.judgement.verdict);
}

}  // namespace
}  // namespace warpgrade::grader::grade::judged_test

// SPDX-License-Identifier: Apache-2.0
// The small cases of a submission, on fake devices.
#include "grader/grade/execute/execution.h"

#include <gtest/gtest.h>

#include "tests/grader/grade/stage_fixture.h"

namespace warpgrade::grader::grade::execution_test {
namespace {

class ExecutionTest : public Stage {};

TEST_F(ExecutionTest, OnlySmallCasesRun) {
  begin(right);
  const auto done = execute(*plan_);
  EXPECT_EQ(4U, done.small.size());
  EXPECT_EQ(2U, done.compiled.measured.size());
  EXPECT_TRUE(done.is_right());
  EXPECT_EQ(2U, h200_->launches.size());
}

TEST_F(ExecutionTest, ItIsRightIfAllOfThemAre) {
  begin(wrong_at(1));
  const auto wrong = execute(*plan_);
  EXPECT_EQ(4U, wrong.small.size());
  EXPECT_FALSE(wrong.is_right());
  begin(race_at(300));
  EXPECT_FALSE(execute(*plan_).is_right()) << "cases behind a fault have not run";
}

TEST_F(ExecutionTest, WhatDoesNotCompileDoesNotRun) {
  compile_ = [](const auto&) { return std::vector{base::Diagnostic{}}; };
  begin(right);
  const auto done = execute(*plan_);
  EXPECT_TRUE(done.small.empty());
  EXPECT_EQ(1U, done.compiled.diagnostics.size());
  EXPECT_TRUE(h200_->launches.empty());
}

TEST_F(ExecutionTest, ACardChecksItsOwnCases) {
  FakeGpuBench card("k40", "sm_75", right);
  begin(right, &card);
  EXPECT_TRUE(execute(*plan_).is_right());
  EXPECT_EQ(2U, card.launches.size());
}

}  // namespace
}  // namespace warpgrade::grader::grade::execution_test

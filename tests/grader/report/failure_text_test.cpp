// SPDX-License-Identifier: Apache-2.0
#include "grader/report/failure_text.h"

#include <gtest/gtest.h>

#include "tests/grader/report/reports.h"

namespace warpgrade::grader::report::failure_text_test {

ExerciseReport slow() { return slow_copy().exercises[0]; }

TEST(FailureText, AGateHasItsValueItsBoundAndTheLine) {
  EXPECT_EQ("loads on h200: 4, needed >= 28 (global load in line 2)", failure_text(slow()));
}

TEST(FailureText, TheLineIsTheOneThatCostsMost) {
  auto item = slow();
  auto& lines = item.lines[0].lines;
  lines.push_back(lines[0]);
  lines[1].line = 7;
  lines[1].sectors = 321;
  EXPECT_EQ("loads on h200: 4, needed >= 28 (global load in line 7)", failure_text(item));
}

TEST(FailureText, ABoundOnACountIsWhole) {
  auto item = slow();
  item.gates[0].bounds = {1024.2, 4096.8};
  EXPECT_EQ("loads on h200: 4, needed 1,025 to 4,096 (global load in line 2)", failure_text(item));
}

TEST(FailureText, ASlowKernelHasTheResourceThatLimitsIt) {
  auto item = slow();
  item.reason = Reason::kPerformance;
  EXPECT_EQ("speed on h200: 0.1, needed >= 0.6", failure_text(item));
  item.lines[0].gate = "speed";
  item.lines[0].bound_by = timing::Bound::kDram;
  EXPECT_EQ("speed on h200: 0.1, needed >= 0.6 (bound by dram)", failure_text(item));
}

TEST(FailureText, AWrongResultHasItsFirstElement) {
  auto item = slow();
  item.reason = Reason::kIncorrect;
  item.cases[1].state = CaseResult::State::kIncorrect;
  item.cases[1].difference.emplace().text = "out[0]: expected 1, got 2";
  EXPECT_EQ("out[0]: expected 1, got 2", failure_text(item));
}

TEST(FailureText, AnswersHaveTheirNumberAndTheFirst) {
  auto item = slow();
  item.reason = Reason::kIncorrect;
  item.wrong_answers = {{"stride", "stride 3", 4, "Count."}, {"stride", "stride 5", 9, "Count."}};
  EXPECT_EQ("2 wrong answers; the first is stride, stride 3: 4 is wrong", failure_text(item));
  item.wrong_answers.resize(1);
  EXPECT_EQ("1 wrong answer: stride, stride 3: 4 is wrong", failure_text(item));
}

TEST(FailureText, APassAndAToolsFailureHaveNone) {
  auto item = slow();
  for (const auto reason : {Reason::kNone, Reason::kTool, Reason::kCompile, Reason::kDiagnostic}) {
    item.reason = reason;
    EXPECT_EQ("", failure_text(item));
  }
}

}  // namespace warpgrade::grader::report::failure_text_test

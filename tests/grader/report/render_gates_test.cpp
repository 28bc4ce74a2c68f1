// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_gates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/report/reports.h"

namespace warpgrade::grader::report::render_gates_test {

ExerciseReport slow() { return slow_copy().exercises[0]; }

TEST(FailureText, IsTheSentenceOfTheCause) {
  auto item = slow();
  item.cause = Cause{course::CauseId::kUncoalescedLoad, 2, 0, "Line 2 uses 4 bytes.", ""};
  EXPECT_EQ("Line 2 uses 4 bytes.", failure_text(item));
  item.cause->why = "out\x1b[0] is wrong";
  EXPECT_EQ("out\\x1b[0] is wrong", failure_text(item));
}

// The compiler's message and the grader's own trouble say it themselves.
TEST(FailureText, IsEmptyIfAnotherTextNamesTheFault) {
  auto item = slow();
  item.cause = Cause{course::CauseId::kCompileError, 2, 0, "The file does not compile.", ""};
  for (const auto reason : {Reason::kTool, Reason::kCompile}) {
    item.reason = reason;
    EXPECT_EQ("", failure_text(item));
  }
}

TEST(FailureText, AnswersHaveTheirNumberAndTheFirst) {
  auto item = slow();
  item.reason = Reason::kIncorrect;
  item.cause.reset();
  item.wrong_answers = {{"stride", "stride 3", 4, "Count."}, {"stride", "stride 5", 9, "Count."}};
  EXPECT_EQ("2 wrong answers; the first is stride, stride 3: 4 is wrong", failure_text(item));
  item.wrong_answers.resize(1);
  EXPECT_EQ("1 wrong answer: stride, stride 3: 4 is wrong", failure_text(item));
}

TEST(FailureText, APassAndAToolsFailureHaveNone) {
  auto item = slow();
  item.cause.reset();
  for (const auto reason : {Reason::kNone, Reason::kTool, Reason::kCompile, Reason::kDiagnostic}) {
    item.reason = reason;
    EXPECT_EQ("", failure_text(item));
  }
}

// The summary at the end of a report, and the failure that each line names.

using testing::HasSubstr;
using testing::Not;

Report two_exercises() {
  auto report = slow_copy();
  auto passed = report.exercises[0];
  passed.exercise = "transpose";
  passed.verdict = Verdict::kPass;
  passed.reason = Reason::kNone;
  passed.points = 7;
  report.exercises.push_back(passed);
  return report;
}

TEST(RenderSummary, ALineAnExerciseThenTheTotal) {
  EXPECT_EQ(
      "FAIL  coalescing/copy       3/7  ####......  loads is 4, needs >= 28\n"
      "PASS  coalescing/transpose  7/7  ##########\n"
      "\n"
      "10 of 14 points, 1 of 2 exercises passed\n",
      render_summary(two_exercises(), text::Style()));
}

TEST(RenderSummary, OneExerciseHasTheTotalAlone) {
  EXPECT_EQ("3 of 7 points, 0 of 1 exercise passed\n", render_summary(slow_copy(), text::Style()));
}

TEST(RenderSummary, BriefIsTheLinesAlone) {
  EXPECT_EQ("FAIL  coalescing/copy  3/7  ####......  loads is 4, needs >= 28\n",
            render_brief(slow_copy(), text::Style()));
  EXPECT_THAT(render_brief(two_exercises(), text::Style()), Not(HasSubstr("of 14 points")));
}

TEST(RenderSummary, ALongTroubleIsCutToTheWidth) {
  auto report = two_exercises();
  report.exercises[0].gates[0].definition.id = std::string(80, 'g');
  const auto text = render_brief(report, text::Style(false, 80));
  EXPECT_EQ(80U, text.find('\n'));
  EXPECT_THAT(text, HasSubstr("ggg...\n"));
}

TEST(RenderSummary, ColoursDoNotChangeTheText) {
  EXPECT_THAT(render_brief(two_exercises(), text::Style(true)),
              HasSubstr("\x1b[31mFAIL\x1b[0m  coalescing/copy     "));
}

TEST(Bar, IsFullOnlyWithAllPoints) {
  EXPECT_EQ("..........", bar(0, 10));
  EXPECT_EQ("#########.", bar(99, 100));
  EXPECT_EQ("##########", bar(10, 10));
  EXPECT_EQ("..........", bar(0, 0));
}

TEST(FirstTrouble, IsTheReasonInSomeWords) {
  auto item = slow_copy().exercises[0];
  item.reason = Reason::kPerformance;
  EXPECT_EQ("speed is 0.1, needs >= 0.6", first_trouble(item));
  item.cases[1].state = Case::State::kIncorrect;
  EXPECT_EQ("wrong result in case ragged", first_trouble(item));
  item.wrong_answers = {{"q", "", 1, "r"}};
  EXPECT_EQ("1 wrong answer", first_trouble(item));
  base::Diagnostic race;
  race.kind = base::DiagnosticKind::kRace;
  race.where = {"a.cu", 14, 2};
  item.diagnostics = {race};
  EXPECT_EQ("race, line 14", first_trouble(item));
  item.diagnostics[0].kind = base::DiagnosticKind::kCompileError;
  item.diagnostics[0].where.line = 0;
  EXPECT_EQ("does not compile", first_trouble(item));
}

TEST(FirstTrouble, WhatCouldNotBeJudgedSaysSo) {
  auto item = slow_copy().exercises[0];
  item.verdict = Verdict::kError;
  item.tool_trouble = "the card fell out";
  EXPECT_EQ("the card fell out", first_trouble(item));
  item.tool_trouble.clear();
  EXPECT_EQ("could not be judged", first_trouble(item));
  item.verdict = Verdict::kInconclusive;
  EXPECT_EQ("right, but its speed could not be decided", first_trouble(item));
  item.verdict = Verdict::kPass;
  EXPECT_EQ("", first_trouble(item));
}

}  // namespace warpgrade::grader::report::render_gates_test

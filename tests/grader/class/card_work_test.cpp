// SPDX-License-Identifier: Apache-2.0
#include "grader/class/card_work.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::card_work_test {
namespace {

Outcome simulated(const char* verdict, const char* reason, const char* trouble = "") {
  Outcome out;
  out.verdict = verdict;
  out.reason = reason;
  out.trouble = trouble;
  return out;
}

bool without_card(const Outcome& outcome) { return needs_no_card(outcome, {}, "lab", "copy"); }

TEST(CardWork, WhatDoesNotCompileOrIsWrongGetsNoCard) {
  for (const auto* reason : {"compile", "diagnostic", "incorrect"}) {
    EXPECT_TRUE(without_card(simulated("fail", reason))) << reason;
  }
}

TEST(CardWork, WhatIsRightIsJudgedOnTheCard) {
  EXPECT_FALSE(without_card(simulated("pass", "none")));
  EXPECT_FALSE(without_card(simulated("fail", "mechanism")));
  EXPECT_FALSE(without_card(simulated("fail", "performance")));
}

TEST(CardWork, WhatTheSimulatorCannotJudgeTheCardMay) {
  EXPECT_FALSE(without_card(simulated("error", "tool", "an instruction that it lacks")));
  EXPECT_FALSE(without_card(simulated("", "", "ended without a grade")));
}

TEST(CardWork, AnswersNeedNone) {
  Lab lab;
  lab.id = "lab";
  Exercise exercise;
  exercise.id = "predict";
  exercise.questions.emplace_back();
  const std::vector<Selected> exercises = {{&lab, &exercise}};
  EXPECT_TRUE(needs_no_card(simulated("pass", "none"), exercises, "lab", "predict"));
  EXPECT_FALSE(needs_no_card(simulated("pass", "none"), exercises, "lab", "copy"));
}

TEST(CardWork, EachWorkerHasACardOfItsOwn) {
  EXPECT_EQ(0U, free_place({}, 2));
  EXPECT_EQ(1U, free_place({0}, 2));
  EXPECT_EQ(0U, free_place({1}, 2));
  EXPECT_EQ(2U, free_place({1, 0}, 2));
}

}  // namespace
}  // namespace warpgrade::grader::card_work_test

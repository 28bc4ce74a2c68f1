// SPDX-License-Identifier: Apache-2.0
#include "grader/class/card_work.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::card_work_test {
namespace {

Outcome simulated(Verdict verdict, Reason reason) {
  BookGrade grade;
  grade.verdict = verdict;
  grade.reason = reason;
  return {"", "", run::Backend::kSim, grade};
}

bool without_card(const Outcome& outcome) { return needs_no_card(outcome, {}, "lab", "copy"); }

TEST(CardWork, WhatDoesNotCompileOrIsWrongGetsNoCard) {
  for (const auto reason : {Reason::kCompile, Reason::kDiagnostic, Reason::kIncorrect}) {
    EXPECT_TRUE(without_card(simulated(Verdict::kFail, reason))) << name(reason);
  }
}

TEST(CardWork, WhatIsRightIsJudgedOnTheCard) {
  EXPECT_FALSE(without_card(simulated(Verdict::kPass, Reason::kNone)));
  EXPECT_FALSE(without_card(simulated(Verdict::kFail, Reason::kMechanism)));
  EXPECT_FALSE(without_card(simulated(Verdict::kFail, Reason::kPerformance)));
}

TEST(CardWork, WhatTheSimulatorCannotJudgeTheCardMay) {
  const Trouble trouble{Trouble::Kind::kNoGrade, "an instruction that it lacks"};
  EXPECT_FALSE(without_card({"", "", run::Backend::kSim, trouble}));
}

TEST(CardWork, AnswersNeedNone) {
  Lab lab;
  lab.id = "lab";
  const Exercise exercise{"predict", {}, {}, QuestionsExercise{}};
  const std::vector<Selected> exercises = {{&lab, &exercise}};
  EXPECT_TRUE(needs_no_card(simulated(Verdict::kPass, Reason::kNone), exercises, "lab", "predict"));
  EXPECT_FALSE(needs_no_card(simulated(Verdict::kPass, Reason::kNone), exercises, "lab", "copy"));
}

TEST(CardWork, EachWorkerHasACardOfItsOwn) {
  EXPECT_EQ(0U, free_place({}, 2));
  EXPECT_EQ(1U, free_place({0}, 2));
  EXPECT_EQ(0U, free_place({1}, 2));
  EXPECT_EQ(2U, free_place({1, 0}, 2));
}

}  // namespace
}  // namespace warpgrade::grader::class_book::card_work_test

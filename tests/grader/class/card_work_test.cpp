// SPDX-License-Identifier: Apache-2.0
#include "grader/class/card_work.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::card_work_test {
namespace {

Outcome simulated(report::Verdict verdict, report::Reason reason) {
  BookGrade grade;
  grade.verdict = verdict;
  grade.reason = reason;
  return {"", "", run::Backend::kSim, grade};
}

bool without_card(const Outcome& outcome) { return needs_no_card(outcome, {}, "lab", "copy"); }

TEST(CardWork, WhatDoesNotCompileOrIsWrongGetsNoCard) {
  for (const auto reason :
       {report::Reason::kCompile, report::Reason::kDiagnostic, report::Reason::kIncorrect}) {
    EXPECT_TRUE(without_card(simulated(report::Verdict::kFail, reason))) << name(reason);
  }
}

TEST(CardWork, WhatIsRightIsJudgedOnTheCard) {
  EXPECT_FALSE(without_card(simulated(report::Verdict::kPass, report::Reason::kNone)));
  EXPECT_FALSE(without_card(simulated(report::Verdict::kFail, report::Reason::kMechanism)));
  EXPECT_FALSE(without_card(simulated(report::Verdict::kFail, report::Reason::kPerformance)));
}

TEST(CardWork, WhatTheSimulatorCannotJudgeTheCardMay) {
  const Trouble trouble{Trouble::Kind::kNoGrade, "an instruction that it lacks"};
  EXPECT_FALSE(without_card({"", "", run::Backend::kSim, trouble}));
}

TEST(CardWork, AnswersNeedNone) {
  course::Lab lab;
  lab.id = "lab";
  const course::Exercise exercise{"predict", {}, {}, course::QuestionsExercise{}};
  const std::vector<course::Selected> exercises = {{&lab, &exercise}};
  EXPECT_TRUE(needs_no_card(simulated(report::Verdict::kPass, report::Reason::kNone), exercises,
                            "lab", "predict"));
  EXPECT_FALSE(needs_no_card(simulated(report::Verdict::kPass, report::Reason::kNone), exercises,
                             "lab", "copy"));
}

TEST(CardWork, EachWorkerHasACardOfItsOwn) {
  EXPECT_EQ(0U, free_place({}, 2));
  EXPECT_EQ(1U, free_place({0}, 2));
  EXPECT_EQ(0U, free_place({1}, 2));
  EXPECT_EQ(2U, free_place({1, 0}, 2));
}

}  // namespace
}  // namespace warpgrade::grader::class_book::card_work_test

// SPDX-License-Identifier: Apache-2.0
#include "grader/class/cards.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::cards_test {
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

// The facts that a judge uses, and their effect on the key of a grade. tests/classes/test_cards.py
// measures cards.

grade::CardFacts card(const std::string& device, const std::string& driver, double speed) {
  grade::CourseValues values;
  values.solution.emplace("large", report::MeasuredInterval(speed, speed, speed));
  return {device, driver, {}, {{"lab/copy", values}}};
}

TEST(CardSurvey, AJudgeUsesTheFactsOfItsCardAndDriver) {
  const std::vector<grade::CardFacts> cards = {card("A", "1", 0.5), card("B", "1", 0.6)};
  const auto speed = [](const grade::CardFacts& facts) {
    return facts.course.at("lab/copy").solution.at("large").value;
  };
  EXPECT_EQ(0.6, speed(facts_of(cards, "B", "1")));
  EXPECT_TRUE(facts_of(cards, "B", "2").course.empty());
  EXPECT_TRUE(facts_of(cards, "C", "1").course.empty());
}

TEST(CardSurvey, OtherNumbersChangeTheKeyAndNoneDoNot) {
  EXPECT_EQ("", digest_of({}));
  EXPECT_EQ("", digest_of({{"A", "1", {}, {}}}));
  EXPECT_NE("", digest_of({card("A", "1", 0.5)}));
  EXPECT_EQ(digest_of({card("A", "1", 0.5)}), digest_of({card("A", "1", 0.5)}));
  EXPECT_NE(digest_of({card("A", "1", 0.5)}), digest_of({card("A", "1", 0.6)}));
}

}  // namespace warpgrade::grader::class_book::cards_test

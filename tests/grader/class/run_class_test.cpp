// SPDX-License-Identifier: Apache-2.0
#include "grader/class/run_class.h"

#include <gtest/gtest.h>

#include "grader/class/engines.h"
#include "grader/class/worker.h"

namespace warpgrade::grader::class_book::run_class_test {

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

TEST(CardWork, EachWorkerHasAPlaceOfItsOwn) {
  EXPECT_EQ(0U, free_place({}, 2));
  EXPECT_EQ(1U, free_place({0}, 2));
  EXPECT_EQ(0U, free_place({1}, 2));
  EXPECT_EQ(2U, free_place({1, 0}, 2));
}

TEST(CardWork, CardsAreSharedAsTheirMemoryAllowsAndEachGetsAWorkerFirst) {
  EXPECT_EQ((std::vector<std::string>{"0", "1"}), places_on({{"0", 1}, {"1", 1}}));
  EXPECT_EQ((std::vector<std::string>{"0", "1", "1", "1"}), places_on({{"0", 1}, {"1", 3}}));
  EXPECT_EQ((std::vector<std::string>{"2"}), places_on({{"2", 0}}));  // Its memory is unknown.
  EXPECT_EQ(4U, places_on({{"0", 100}}).size());
}

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

}  // namespace

TEST(Progress, TellsCountRateAndTimeLeft) {
  EXPECT_EQ("graded 0 of 10", progress_line(0, 10, 0, 5));
  EXPECT_EQ("graded 120 of 4800, 8.0 a second, 9 min 45 s left", progress_line(120, 4800, 0, 15));
  EXPECT_EQ("graded 9 of 10, 3.0 a second, 0 s left, 2 not judged", progress_line(9, 10, 2, 3));
  EXPECT_EQ("graded 10 of 10, 5.0 a second", progress_line(10, 10, 0, 2));
}

}  // namespace warpgrade::grader::class_book::run_class_test

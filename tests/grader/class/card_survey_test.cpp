// SPDX-License-Identifier: Apache-2.0
// The facts that a judge uses, and their effect on the key of a grade. tests/classes/test_cards.py
// measures cards.
#include "grader/class/card_survey.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::card_survey_test {

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

}  // namespace warpgrade::grader::class_book::card_survey_test

// SPDX-License-Identifier: Apache-2.0
// Facts of cards survive a round trip through JSON to the last bit; other text yields none.
#include "grader/grade/time/card_facts.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::grade::card_facts_test {

CourseValues values() {
  CourseValues out;
  out.solution.emplace("large", report::MeasuredInterval(0.1 + 0.2, 0.25, 1.0 / 3));
  out.trouble = "its case \"small\" is not right";
  return out;
}

TEST(CardFacts, AreTheSameAfterAJourney) {
  const CardFacts card{
      "Tesla T4", "580.1", R"({"schema": "warpgrade.card/1"})", {{"l/e", values()}}};
  const auto again = card_facts_from_json(to_json({card, {"H200", "", "", {}}}));
  ASSERT_EQ(2U, again.size());
  EXPECT_EQ("Tesla T4", again[0].device);
  EXPECT_EQ("580.1", again[0].driver);
  EXPECT_EQ(card.calibration, again[0].calibration);
  const auto& course = again[0].course.at("l/e");
  EXPECT_EQ(0.1 + 0.2, course.solution.at("large").value);
  EXPECT_EQ(0.25, course.solution.at("large").low);
  EXPECT_EQ(1.0 / 3, course.solution.at("large").high);
  EXPECT_TRUE(course.skeleton.empty());
  EXPECT_EQ(values().trouble, course.trouble);
  EXPECT_TRUE(again[1].course.empty());
}

TEST(CardFacts, OtherTextHasNone) {
  for (const auto* text : {"", "{", "[3]", R"([{"device": "a"}])"}) {
    EXPECT_TRUE(card_facts_from_json(text).empty()) << text;
    EXPECT_FALSE(course_values_from_json(text)) << text;
  }
}

}  // namespace warpgrade::grader::grade::card_facts_test

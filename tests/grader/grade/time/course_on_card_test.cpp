// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/time/course_on_card.h"

#include <gtest/gtest.h>

#include <fstream>

namespace warpgrade::grader::grade::course_on_card_test {

// Facts of cards survive a round trip through JSON to the last bit; other text yields none.

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

// Speeds of the course's files are stored by card, course and exercise. Values of other programs
// are ignored.

namespace fs = std::filesystem;

class KeptCourseValuesTest : public testing::Test {
 protected:
  KeptCourseValuesTest() { fs::remove_all(folder_); }
  ~KeptCourseValuesTest() override { fs::remove_all(folder_); }

  static CourseValues values(double speed) {
    CourseValues out;
    out.solution.emplace("large", report::MeasuredInterval(speed, speed, speed));
    return out;
  }

  fs::path folder_ = fs::path(testing::TempDir()) / "warpgrade_course_values";
  fs::path file_ = folder_ / "cache/course_on_card.json";
  CourseOnCardKey key_{"T4 580.1", "hash", "lab/copy"};
};

TEST_F(KeptCourseValuesTest, AreFoundAgainUnderTheirOwnKeyOnly) {
  const KeptCourseValues kept(file_, "services");
  EXPECT_FALSE(kept.find(key_));
  kept.keep(key_, values(0.7));
  KeptCourseValues(file_, "services").keep({"T4 580.1", "hash", "lab/other"}, values(0.5));
  const auto found = kept.find(key_);
  ASSERT_TRUE(found);
  EXPECT_EQ(0.7, found->solution.at("large").value);
  EXPECT_FALSE(kept.find({"T4 580.2", "hash", "lab/copy"}));
  EXPECT_FALSE(kept.find({"T4 580.1", "another hash", "lab/copy"}));
  EXPECT_FALSE(KeptCourseValues(file_, "another program").find(key_));
}

TEST_F(KeptCourseValuesTest, ADamagedFileOrNoneKeepsNothing) {
  fs::create_directories(file_.parent_path());
  std::ofstream(file_) << "{";
  const KeptCourseValues kept(file_, "services");
  EXPECT_FALSE(kept.find(key_));
  kept.keep(key_, values(0.7));
  EXPECT_TRUE(kept.find(key_));
  KeptCourseValues().keep(key_, values(0.7));
  EXPECT_FALSE(KeptCourseValues().find(key_));
}

}  // namespace warpgrade::grader::grade::course_on_card_test

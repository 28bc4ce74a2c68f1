// SPDX-License-Identifier: Apache-2.0
// Speeds of the course's files are stored by card, course and exercise. Values of other programs
// are ignored.
#include "grader/grade/time/kept_course_values.h"

#include <gtest/gtest.h>

#include <fstream>

namespace warpgrade::grader::grade::kept_course_values_test {

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

}  // namespace warpgrade::grader::grade::kept_course_values_test

// SPDX-License-Identifier: Apache-2.0
#include "grader/class/standing.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::standing_test {
namespace {

TEST(Standing, EachHasTheNameThatTheBookAndReportsHave) {
  EXPECT_EQ("pass", name(Standing::kPass));
  EXPECT_EQ("not due", name(Standing::kNotDue));
  EXPECT_EQ("excused", name(Standing::kExcused));
  for (auto i = 0; i <= static_cast<int>(Standing::kExcused); ++i) {
    EXPECT_EQ(static_cast<Standing>(i), standing_called(name(static_cast<Standing>(i)))) << i;
  }
}

TEST(Standing, AnUnknownNameIsNoGrade) {
  EXPECT_EQ(Standing::kUngraded, standing_called(""));
  EXPECT_EQ(Standing::kUngraded, standing_called("passed"));
}

}  // namespace
}  // namespace warpgrade::grader::class_book::standing_test

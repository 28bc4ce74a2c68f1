// SPDX-License-Identifier: Apache-2.0
// Columns of a gradebook that get points: by titles that the class sets, by exercise and by lab.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/class/gradebook_grades.h"

namespace warpgrade::grader {
namespace gradebook_fill_test {

TEST(GradebookFill, AColumnOfALabGetsTheSumAndIsBlankIfOneIsOpen) {
  const std::string head = "student;name;Week 1\n";
  const auto file = head + "ada;Ada;\nbob;Bob;\n";
  EXPECT_EQ(head + "ada;Ada;5.5\nbob;Bob;\n",
            filled_gradebook(
                file,
                {gradebook_grade("ada", "copy", 3), gradebook_grade("ada", "other", 2.5),
                 gradebook_grade("bob", "copy", 3), gradebook_grade("bob", "other", std::nullopt)},
                {{"lab", "Week 1"}}));
}

}  // namespace gradebook_fill_test
}  // namespace warpgrade::grader

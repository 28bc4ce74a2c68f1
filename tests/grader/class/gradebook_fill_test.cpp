// SPDX-License-Identifier: Apache-2.0
// Columns of a gradebook that get points: by titles that the class sets, by exercise and by lab.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/class/gradebook.h"

namespace warpgrade::grader {
namespace gradebook_fill_test {

ClassGrade grade(const std::string& student, const std::string& exercise,
                 std::optional<double> points) {
  ClassGrade out;
  out.student = student;
  out.lab = "lab";
  out.exercise = exercise;
  out.points = points;
  out.max_points = 10;
  return out;
}

std::string filled(const std::string& file, const std::vector<ClassGrade>& grades,
                   const std::map<std::string, std::string>& titles = {}) {
  return fill_gradebook(read_gradebook(file, "roster.csv"), grades, titles);
}

TEST(GradebookFill, AColumnOfALabGetsTheSumAndIsBlankIfOneIsOpen) {
  const std::string head = "student;name;Week 1\n";
  const auto file = head + "ada;Ada;\nbob;Bob;\n";
  EXPECT_EQ(head + "ada;Ada;5.5\nbob;Bob;\n",
            filled(file,
                   {grade("ada", "copy", 3), grade("ada", "other", 2.5), grade("bob", "copy", 3),
                    grade("bob", "other", std::nullopt)},
                   {{"lab", "Week 1"}}));
}

}  // namespace gradebook_fill_test
}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
// The table and the CSV that the formats for a class share.
#include "grader/report/formats/class_grade.h"

#include <gtest/gtest.h>

#include "tests/grader/report/formats/class_of_two.h"

namespace warpgrade::grader::report::class_grade_test {

TEST(ClassTable, HasARowAStudentAndAColumnAnExercise) {
  const auto grades = class_of_two();
  const auto table = class_table(grades);
  ASSERT_EQ(2U, table.exercises.size());
  EXPECT_EQ("coalescing/copy", class_exercise(*table.exercises[0]));
  ASSERT_EQ(2U, table.rows.size());
  EXPECT_EQ("ada", table.rows[0].student->student);
  EXPECT_EQ(nullptr, table.rows[1].cells[0]);
  EXPECT_EQ(&grades[2], table.rows[1].cells[1]);
}

TEST(ClassTable, TheLaterOfTwoGradesCounts) {
  auto grades = class_of_two();
  grades.push_back(grades[0]);
  EXPECT_EQ(&grades[3], class_table(grades).rows[0].cells[0]);
}

TEST(Csv, QuotesWhatNeedsIt) {
  EXPECT_EQ("a,\"b,c\",\"d\"\"e\",\"f;g\",\r\n", csv_line({"a", "b,c", "d\"e", "f;g", ""}));
  EXPECT_EQ("a\\x0ab\\xff\r\n", csv_line({"a\nb\xff"}));
}

TEST(Csv, ANameIsNoFormula) {
  EXPECT_EQ("'=1+1", csv_name("=1+1"));
  EXPECT_EQ("'@x", csv_name("@x"));
  EXPECT_EQ("Ada", csv_name("Ada"));
  EXPECT_EQ("", csv_name(""));
}

TEST(Csv, NumbersHaveAPoint) {
  EXPECT_EQ("7.5", csv_number(7.5));
  EXPECT_EQ("10", csv_number(10));
}

}  // namespace warpgrade::grader::report::class_grade_test

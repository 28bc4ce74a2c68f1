// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/class_grades.h"

#include <gtest/gtest.h>

#include "tests/grader/report/formats/class_of_two.h"

namespace warpgrade::grader::report::class_grades_test {

// The table and the CSV that the formats for a class share.

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

// A whole class in Canvas's import format.

TEST(RenderCanvas, AClassOfTwo) {
  EXPECT_EQ(
      "Student,ID,SIS User ID,SIS Login ID,Section,coalescing/copy,bank_conflicts/padded\r\n"
      "    Points Possible,,,,,10,8\r\n"
      "\"Love,\"\"lace, Ada\",,1815,ada,A,7.5,\r\n"
      "'=bob,,,=bob,,,0\r\n",
      render_canvas(class_of_two()));
}

// A whole class in Moodle's import format.

TEST(RenderMoodle, AClassOfTwo) {
  EXPECT_EQ(
      "Username,First name,Last name,ID number,Email address,coalescing/copy,"
      "bank_conflicts/padded\r\n"
      "ada,Ada,\"Love,\"\"lace\",1815,ada@example.org,7.5,-\r\n"
      "=bob,,,,,-,0\r\n",
      render_moodle(class_of_two()));
}

// A whole class in nbgrader's export format.

TEST(RenderNbgrader, AClassOfTwo) {
  EXPECT_EQ(
      "assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,"
      "late_submission_penalty,score,max_score\r\n"
      "coalescing-copy,2026-11-21 00:00:00,2026-11-22 14:20:00,ada,\"Love,\"\"lace\",Ada,"
      "ada@example.org,10.0,2.5,7.5,10.0\r\n"
      "bank_conflicts-padded,,,=bob,,,,0.0,0.0,0.0,8.0\r\n",
      render_nbgrader(class_of_two()));
}

}  // namespace warpgrade::grader::report::class_grades_test

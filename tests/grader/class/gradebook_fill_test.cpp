// SPDX-License-Identifier: Apache-2.0
// The gradebook columns that get points: by titles in class.toml, by exercise and by lab.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/class/gradebook_grades.h"

namespace warpgrade::grader::class_book::gradebook_fill_test {

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

// Canvas imports EX as excused; imports of other platforms have no mark for it.
TEST(GradebookFill, ExcusedWorkIsMarkedInCanvasAndBlankElsewhere) {
  const std::string canvas = "Student,ID,SIS User ID,SIS Login ID,Section,copy (7)\n";
  const std::vector<report::ClassGrade> excused = {excused_grade("ada", "copy")};
  EXPECT_EQ(canvas + "Ada,1,S1,ada,A,EX\n",
            filled_gradebook(canvas + "Ada,1,S1,ada,A,0\n", excused));
  EXPECT_EQ("student,copy\nada,\n", filled_gradebook("student,copy\nada,0\n", excused));
  const std::string moodle = "First name,Last name,ID number,Email address,copy\n";
  auto grade = excused_grade("a@b.c", "copy");
  EXPECT_EQ(moodle + "Ada,L,1,a@b.c,-\n", filled_gradebook(moodle + "Ada,L,1,a@b.c,-\n", {grade}));
}

TEST(GradebookFill, AColumnOfALabLeavesExcusedWorkOut) {
  const std::string head = "Student,ID,SIS User ID,SIS Login ID,Section,Week 1\n";
  EXPECT_EQ(head + "Ada,1,S1,ada,A,3\nBob,2,S2,bob,A,EX\nCyd,3,S3,cyd,A,\n",
            filled_gradebook(
                head + "Ada,1,S1,ada,A,\nBob,2,S2,bob,A,\nCyd,3,S3,cyd,A,\n",
                {gradebook_grade("ada", "copy", 3), excused_grade("ada", "other"),
                 excused_grade("bob", "copy"), excused_grade("bob", "other"),
                 gradebook_grade("cyd", "copy", std::nullopt), excused_grade("cyd", "other")},
                {{"lab", "Week 1"}}));
}

}  // namespace warpgrade::grader::class_book::gradebook_fill_test

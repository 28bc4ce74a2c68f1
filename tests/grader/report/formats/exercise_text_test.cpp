// SPDX-License-Identifier: Apache-2.0
// Texts that the formats share.
#include "grader/report/formats/exercise_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/report/formats/mixed_report.h"

namespace warpgrade::grader::report::exercise_text_test {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(ExerciseText, IsTheReportOfOneExerciseWithoutTheLinesOnAll) {
  const auto text = exercise_text(mixed_report().exercises[1]);
  EXPECT_THAT(text, StartsWith("coalescing/copy: A copy\nFAIL  3 of 7 points"));
  EXPECT_THAT(text, Not(HasSubstr("exercise passed")));
  EXPECT_THAT(text, Not(HasSubstr("\n\n")));
  EXPECT_EQ('\n', text.back());
}

TEST(ExerciseText, IsCutAtTheEndOfALine) {
  const auto item = mixed_report().exercises[1];
  const auto whole = exercise_text(item);
  const auto first_line = whole.substr(0, whole.find('\n') + 1);
  EXPECT_EQ(first_line + "... the rest of the report is cut off\n",
            exercise_text(item, first_line.size() + 3));
  EXPECT_EQ("... the rest of the report is cut off\n", exercise_text(item, 3));
}

TEST(ExerciseText, HoldsNoControlCharacters) {
  const auto text = exercise_text(hostile_report().exercises[1]);
  EXPECT_THAT(text, HasSubstr("\\x1b[2J\\xff"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(ExerciseText, AHeadingSaysWhatMadeTheReportAndWhatIsMissing) {
  EXPECT_EQ("warpgrade 0.1.0 (6885a25), simulated on h200, seed 7",
            report_heading(judged_report()));
  EXPECT_EQ(
      "warpgrade 0.1.0 (6885a25), simulated on h200, seed 7\n"
      "2 of 4 exercises could not be judged. That is not a zero: have this submission graded "
      "again.",
      report_heading(mixed_report()));
}

TEST(ExerciseText, AMissingGradeHasItsReason) {
  const auto all = mixed_report().exercises;
  EXPECT_EQ("Not graded: nvcc is missing", missing_grade_text(all[2]));
  EXPECT_EQ("Not decided: grade it again on a quiet machine.", missing_grade_text(all[3]));
  EXPECT_TRUE(is_judged(all[0]) && is_judged(all[1]));
  EXPECT_FALSE(is_judged(all[2]) || is_judged(all[3]));
}

}  // namespace warpgrade::grader::report::exercise_text_test

// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/format_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/report/formats/mixed_report.h"

namespace warpgrade::grader::report::format_parts_test {

// Texts that the formats share.

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

// The places of a submission in a report's remarks.

TEST(Remarks, OfAGateAreAtTheLineThatMovesMost) {
  auto item = slow_copy().exercises[0];
  auto& rows = item.lines[0].lines;
  rows.push_back(rows[0]);
  rows[1].line = 7;
  rows[1].sectors = 400;
  rows.push_back(rows[1]);
  rows[2].file = "header.h";
  rows[2].line = 9;
  rows[2].sectors = 900;
  const auto found = remarks_of(item);
  ASSERT_EQ(2U, found.size());
  EXPECT_EQ("mechanism", found[0].rule);
  EXPECT_EQ((base::SourceLocation{"labs/coalescing/copy.cu", 7, 0}), found[0].where);
  EXPECT_FALSE(found[0].is_error);
  EXPECT_EQ("performance", found[1].rule);
  EXPECT_EQ(0U, found[1].where.line);
}

TEST(Remarks, OfAGateOnInstructionsAreAtTheLineWithMost) {
  auto item = slow_copy().exercises[0];
  item.lines[0].lines.clear();
  item.lines[0].instructions = {{item.file, 3, 10}, {item.file, 4, 30}, {item.file, 6, 20}};
  const auto found = remarks_of(item);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ((base::SourceLocation{"labs/coalescing/copy.cu", 4, 0}), found[0].where);
}

TEST(Remarks, OfAWrongResultAreAtTheLineThatStoresIt) {
  auto item = slow_copy().exercises[0];
  item.gates.clear();
  item.cases[1].state = Case::State::kIncorrect;
  item.cases[1].difference =
      verify::OutputDifference{"out[1]", {1}, "2", "3", "", "out[1] is 3.", {}, {}};
  item.result_lines = {12, 15};
  const auto found = remarks_of(item);
  ASSERT_EQ(1U, found.size());
  EXPECT_EQ("incorrect", found[0].rule);
  EXPECT_EQ(12U, found[0].where.line);
  EXPECT_EQ("wrong in case ragged: out[1] is 3.", found[0].message);
  EXPECT_TRUE(found[0].is_error);
}

TEST(Remarks, OfARaceHaveItsOtherAccess) {
  const auto found = remarks_of(hostile_report().exercises[1]);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ("race", found[0].rule);
  ASSERT_EQ(1U, found[0].related.size());
  EXPECT_EQ(1U, found[0].related[0].where.line);
}

TEST(Remarks, OfAnswersSayWhichAndWhyTenAtMost) {
  auto item = slow_copy().exercises[0];
  item.wrong_answers.assign(11, {"stride", "stride 3", 4, "Count the banks."});
  const auto found = remarks_of(item);
  ASSERT_EQ(10U, found.size());
  EXPECT_EQ("wrong_answer", found[0].rule);
  EXPECT_EQ("stride, stride 3: 4 is wrong. Count the banks.", found[0].message);
}

TEST(Remarks, AreNoneWhereNothingFailedOrNothingWasJudged) {
  for (const std::size_t index : {0U, 2U, 3U}) {
    EXPECT_TRUE(remarks_of(mixed_report().exercises[index]).empty()) << index;
  }
}

}  // namespace warpgrade::grader::report::format_parts_test

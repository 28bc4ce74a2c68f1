// SPDX-License-Identifier: Apache-2.0
// The places of a submission in a report's remarks.
#include "grader/report/formats/remarks.h"

#include <gtest/gtest.h>

#include "tests/grader/report/formats/mixed_report.h"

namespace warpgrade::grader::report::remarks_test {

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
  item.cases[1].state = CaseResult::State::kIncorrect;
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

}  // namespace warpgrade::grader::report::remarks_test

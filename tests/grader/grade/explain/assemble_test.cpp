// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/assemble.h"

#include <gtest/gtest.h>

#include "tests/grader/grade/gate_cases.h"

namespace warpgrade::grader::grade::assemble_test {

class Assemble : public testing::Test {
 protected:
  Assemble() {
    lab_.id = "small";
    exercise_.kernel()->correctness_points = 3;
    compile::CompileRequest source;
    source.source = "the text";
    task_ = {&lab_, &exercise_, {"folder/twice.cu", "twice.cu", "ba7816bf", source}};
  }

  report::ExerciseReport assembled(const Findings& found) {
    return assemble(task_, {found, judge(found, exercise_.kernel()->correctness_points)});
  }

  course::Lab lab_;
  course::Exercise exercise_{"twice", "Twice as much", {"nudge"}, exercise_with({})};
  GradingTask task_;
};

TEST_F(Assemble, AReportNamesItsSubmission) {
  const auto report = assembled({});
  EXPECT_EQ("small", report.lab);
  EXPECT_EQ("twice", report.exercise);
  EXPECT_EQ("Twice as much", report.title);
  EXPECT_EQ("twice.cu", report.file);
  EXPECT_EQ("ba7816bf", report.sha256);
  EXPECT_EQ("the text", report.source);
}

TEST_F(Assemble, ASubmissionThatCouldNotBeReadIsNoVerdictOnIt) {
  task_.submission = {"folder/twice.cu", "twice.cu", {}, cases::Unreadable{"no such file"}};
  Findings found;
  found.tool_trouble = "no such file";
  const auto report = assembled(found);
  EXPECT_EQ(report::Verdict::kError, report.verdict);
  EXPECT_EQ("", report.source);
  EXPECT_EQ("", report.sha256);
  EXPECT_EQ("This grader could not judge the submission: no such file", report.next);
}

TEST_F(Assemble, FindingsAreAdvised) {
  Findings found;
  found.cases.resize(1);
  found.cases[0].state = report::CaseResult::State::kPassed;
  found.gates.resize(2);
  for (auto& gate : found.gates) {
    gate.gate.max_points = 2;
    gate.decision = report::GateOutcome::kPassed;
  }
  found.gates[1].decision = report::GateOutcome::kFailed;
  found.gates[1].gate.next = "Store along rows.";
  const auto report = assembled(found);
  EXPECT_EQ(report::Verdict::kFail, report.verdict);
  EXPECT_EQ(report::Reason::kMechanism, report.reason);
  EXPECT_TRUE(report.correct);
  EXPECT_EQ(5u, report.points);
  EXPECT_EQ(7u, report.max_points);
  EXPECT_EQ(2u, report.gates.at(0).points);
  EXPECT_EQ(0u, report.gates.at(1).points);
  EXPECT_EQ("Store along rows.", report.next);
  EXPECT_EQ("hint 1 of 1: nudge", report.hint);
}

}  // namespace warpgrade::grader::grade::assemble_test

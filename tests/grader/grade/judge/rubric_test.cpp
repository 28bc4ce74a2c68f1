// SPDX-License-Identifier: Apache-2.0
// The rubric: the order of reasons, and that a wrong result earns no points for speed.
#include "grader/grade/judge/rubric.h"

#include <gtest/gtest.h>

#include "grader/course/metric_names.h"

namespace warpgrade::grader::grade::rubric_test {

using base::DiagnosticKind;

report::CaseResult case_in(report::CaseResult::State state) {
  report::CaseResult out;
  out.state = state;
  return out;
}

report::GateReport gate(bool is_performance, report::GateOutcome decision) {
  report::GateReport out;
  out.gate.metric = is_performance ? course::kFractionOfCopy : "sectors";
  out.gate.max_points = 2;
  out.decision = decision;
  return out;
}

base::Diagnostic diagnostic(DiagnosticKind kind) {
  base::Diagnostic out;
  out.kind = kind;
  return out;
}

constexpr auto kPassed = report::GateOutcome::kPassed;
constexpr auto kFailed = report::GateOutcome::kFailed;
constexpr std::uint32_t kCorrectnessPoints = 3;

// Everything right: 3 points for correctness, 2 for each of the two gates.
Findings right() {
  Findings out;
  out.cases = {case_in(report::CaseResult::State::kPassed)};
  out.gates = {gate(false, kPassed), gate(true, kPassed)};
  return out;
}

Judgement judged(const Findings& found) { return judge(found, kCorrectnessPoints); }

void expect(report::Verdict verdict, report::Reason reason, std::uint32_t points,
            const Findings& found) {
  const auto judgement = judged(found);
  EXPECT_EQ(verdict, judgement.verdict);
  EXPECT_EQ(reason, judgement.reason);
  EXPECT_EQ(points, judgement.points);
  EXPECT_EQ(7u, judgement.max_points);
}

TEST(Rubric, AllRightEarnsAllPoints) {
  expect(report::Verdict::kPass, report::Reason::kNone, 7, right());
}

// The skeleton's result is correct. It fails the first gate and passes the second.
Findings with_right_skeleton(report::GateOutcome first) {
  auto found = right();
  for (auto& one : found.gates) one.bounds.min = 1;
  found.gates[0].gate.id = "work";
  found.gates[0].decision = first;
  found.gates[0].gate.skeleton = 0.5;
  found.gates[1].gate.skeleton = 1;
  return found;
}

TEST(Rubric, WhatTheSkeletonHasAlreadyEarnsNothingByItself) {
  const auto found = with_right_skeleton(kFailed);
  expect(report::Verdict::kFail, report::Reason::kMechanism, 0, found);
  EXPECT_EQ("work", judged(found).awards[1].lacks);
  EXPECT_TRUE(judged(found).correct);
}

TEST(Rubric, WhatTheSkeletonHasAlreadyCountsBesideWork) {
  expect(report::Verdict::kPass, report::Reason::kNone, 7, with_right_skeleton(kPassed));
}

// A waived gate: everybody passes it, although the skeleton misses its bound.
report::GateReport waived() {
  auto out = gate(true, kPassed);
  out.bounds.min = 1;
  out.gate.skeleton = 0.1;
  out.gate.is_waived = true;
  out.gate.max_points = 0;
  return out;
}

TEST(Rubric, AGateThatIsWaivedIsNoWork) {
  auto found = with_right_skeleton(kFailed);
  found.gates.push_back(waived());
  expect(report::Verdict::kFail, report::Reason::kMechanism, 0, found);
  EXPECT_EQ("work", judged(found).awards[2].lacks);
}

TEST(Rubric, WhereEverythingThatTellsIsWaivedARightKernelEarnsItsPoints) {
  auto found = with_right_skeleton(kPassed);
  found.gates[0].gate.is_waived = true;
  found.gates.push_back(waived());
  expect(report::Verdict::kPass, report::Reason::kNone, 7, found);
}

TEST(Rubric, WorkWithoutTheGuardThatItNeedsIsNone) {
  auto found = with_right_skeleton(kPassed);
  found.gates.push_back(gate(false, kFailed));
  found.gates.back().gate.id = "guard";
  found.gates.back().gate.max_points = 0;
  found.gates.back().gate.skeleton = 0;
  found.gates[0].gate.needs = {"guard"};
  expect(report::Verdict::kFail, report::Reason::kMechanism, 0, found);
  EXPECT_EQ("guard", judged(found).awards[0].lacks);
  EXPECT_EQ("guard", judged(found).awards[1].lacks) << "not the work, which is passed in vain";
}

TEST(Rubric, ARightResultIsWorkWhereTheSkeletonsIsWrong) {
  auto found = right();
  found.gates = {gate(false, kFailed), gate(true, kFailed)};
  expect(report::Verdict::kFail, report::Reason::kMechanism, 3, found);
}

TEST(Rubric, AGateEarnsNothingWithoutTheGuardThatItNeeds) {
  auto found = right();
  found.gates[0].gate.id = "mean";
  found.gates[0].gate.needs = {"sectors", "left_out_by_the_device"};
  auto guard = gate(false, kPassed);
  guard.gate.id = "sectors";
  guard.gate.max_points = 0;
  found.gates.push_back(guard);
  expect(report::Verdict::kPass, report::Reason::kNone, 7, found);
  found.gates[2].decision = kFailed;
  expect(report::Verdict::kFail, report::Reason::kMechanism, 5, found);
  const auto awards = judged(found).awards;
  EXPECT_EQ("sectors", awards.at(0).lacks);
  EXPECT_EQ(0u, awards.at(0).points);
  EXPECT_EQ("", awards.at(1).lacks);
  EXPECT_EQ(2u, awards.at(1).points);
}

TEST(Rubric, AGuardThatWasNotMeasuredTakesNoPoints) {
  auto found = right();
  found.gates[0].gate.needs = {"sectors"};
  found.gates[1].decision = kFailed;
  found.gates.push_back(gate(false, kPassed));
  found.gates[2].gate.id = "sectors";
  found.gates[2].decision.reset();
  EXPECT_EQ("", judged(found).awards.at(0).lacks);
  EXPECT_EQ(2u, judged(found).awards.at(0).points);
}

TEST(Rubric, ReasonsComeInTheContractsOrder) {
  // Everything is wrong at once; removing the first reason reveals the next.
  auto found = right();
  found.gates = {gate(false, kFailed), gate(true, kFailed)};
  found.cases = {case_in(report::CaseResult::State::kIncorrect)};
  found.diagnostics = {diagnostic(DiagnosticKind::kRace), diagnostic(DiagnosticKind::kUnsupported),
                       diagnostic(DiagnosticKind::kCompileError)};
  expect(report::Verdict::kFail, report::Reason::kCompile, 0, found);
  found.diagnostics.pop_back();
  expect(report::Verdict::kFail, report::Reason::kDiagnostic, 0, found);
  found.diagnostics.clear();
  expect(report::Verdict::kFail, report::Reason::kIncorrect, 0, found);
  found.cases = {case_in(report::CaseResult::State::kPassed)};
  expect(report::Verdict::kFail, report::Reason::kMechanism, 3, found);
  found.gates[0].decision = kPassed;
  expect(report::Verdict::kFail, report::Reason::kPerformance, 5, found);
  found.gates[1].decision = kPassed;
  expect(report::Verdict::kPass, report::Reason::kNone, 7, found);
}

TEST(Rubric, UnsupportedIsNeverAWrongAnswer) {
  auto found = right();
  found.cases.push_back(case_in(report::CaseResult::State::kDiagnostic));
  found.diagnostics = {diagnostic(DiagnosticKind::kUnsupported)};
  expect(report::Verdict::kError, report::Reason::kTool, 0, found);
}

TEST(Rubric, WhatWasLeftOutIsNoPass) {
  auto found = right();
  found.gates[1].decision.reset();
  expect(report::Verdict::kError, report::Reason::kTool, 0, found);
  found = right();
  found.cases.push_back(case_in(report::CaseResult::State::kNotRun));
  expect(report::Verdict::kError, report::Reason::kTool, 0, found);
  found = right();
  found.cases.clear();
  expect(report::Verdict::kError, report::Reason::kTool, 0, found);
}

TEST(Rubric, AWrongResultEarnsNoPointsForItsGates) {
  auto found = right();
  found.cases.push_back(case_in(report::CaseResult::State::kIncorrect));
  expect(report::Verdict::kFail, report::Reason::kIncorrect, 0, found);
}

TEST(Rubric, AnUndecidedGateIsNoVerdictOnTheSubmission) {
  auto found = right();
  found.gates[1].decision = report::GateOutcome::kUndecided;
  expect(report::Verdict::kInconclusive, report::Reason::kTool, 5, found);
  EXPECT_TRUE(judged(found).correct);
  found.gates[0].decision = kFailed;
  expect(report::Verdict::kFail, report::Reason::kMechanism, 3, found);
}

TEST(Rubric, AToolThatFailedIsAnErrorWhateverElsePassed) {
  auto found = right();
  found.tool_trouble = "the GPU is gone";
  expect(report::Verdict::kError, report::Reason::kTool, 0, found);
}

TEST(Rubric, QuestionsEarnTheirPointsEachAlone) {
  Findings found;
  found.gates = {gate(false, kPassed), gate(false, kFailed)};
  auto judgement = judge_answers(found);
  EXPECT_EQ(report::Verdict::kFail, judgement.verdict);
  EXPECT_EQ(report::Reason::kIncorrect, judgement.reason);
  EXPECT_EQ(2u, judgement.points);
  EXPECT_EQ(4u, judgement.max_points);
  found.gates[1].decision = kPassed;
  judgement = judge_answers(found);
  EXPECT_EQ(report::Verdict::kPass, judgement.verdict);
  EXPECT_TRUE(judgement.correct);
  EXPECT_EQ(4u, judgement.points);
}

// Each wrong answer costs a point: of 33 answers for 2 points, one mistake leaves 1 point and two
// leave none. A list that is half guessed loses almost everything.
TEST(Rubric, AWrongAnswerOfSeveralCostsOnePoint) {
  const auto points = [](double right, double of, std::uint32_t most) {
    Findings found;
    auto asked = gate(false, kFailed);
    asked.gate.max_points = most;
    asked.gate.ideal = of;
    asked.worst = report::GateMeasurement{{}, right, kFailed};
    found.gates = {asked};
    return judge_answers(found).points;
  };
  EXPECT_EQ(1U, points(32, 33, 2));
  EXPECT_EQ(0U, points(31, 33, 2));
  EXPECT_EQ(0U, points(0, 1, 2));
  EXPECT_EQ(0U, points(32, 33, 1));
  EXPECT_EQ(2U, points(32, 33, 3));
  EXPECT_EQ(1U, points(16, 33, 18));
}

}  // namespace warpgrade::grader::grade::rubric_test

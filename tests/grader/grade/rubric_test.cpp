// SPDX-License-Identifier: Apache-2.0
// The rubric: the order of reasons, and that a wrong result earns no points for speed.
#include "grader/grade/rubric.h"

#include <gtest/gtest.h>

#include <limits>

namespace warpgrade::grader {
namespace {

using base::DiagnosticKind;

CaseResult case_in(CaseResult::State state) {
  CaseResult out;
  out.state = state;
  return out;
}

GateResult gate(bool is_performance, bool passed) {
  GateResult out;
  out.is_performance = is_performance;
  out.measured = true;
  out.passed = passed;
  out.max_points = 2;
  return out;
}

base::Diagnostic diagnostic(DiagnosticKind kind) {
  base::Diagnostic out;
  out.kind = kind;
  return out;
}

// Everything right: 3 points for correctness, 2 for each of the two gates.
ExerciseReport right() {
  ExerciseReport out;
  out.correctness_points = 3;
  out.cases = {case_in(CaseResult::State::kPassed)};
  out.gates = {gate(false, true), gate(true, true)};
  return out;
}

void expect(Verdict verdict, Reason reason, std::uint32_t points, ExerciseReport report) {
  judge(report);
  EXPECT_EQ(verdict, report.verdict);
  EXPECT_EQ(reason, report.reason);
  EXPECT_EQ(points, report.points);
  EXPECT_EQ(7u, report.max_points);
}

TEST(Rubric, AllRightEarnsAllPoints) { expect(Verdict::kPass, Reason::kNone, 7, right()); }

TEST(Rubric, AGateEarnsNothingWithoutTheGuardThatItNeeds) {
  auto report = right();
  report.gates[0].id = "mean";
  report.gates[0].needs = {"sectors", "left_out_by_the_device"};
  auto guard = gate(false, true);
  guard.id = "sectors";
  guard.max_points = 0;
  report.gates.push_back(guard);
  expect(Verdict::kPass, Reason::kNone, 7, report);
  report.gates[2].passed = false;
  expect(Verdict::kFail, Reason::kMechanism, 5, report);
  judge(report);
  EXPECT_EQ("sectors", report.gates[0].lacks);
  EXPECT_EQ("", report.gates[1].lacks);
}

TEST(Rubric, ReasonsComeInTheContractsOrder) {
  // Everything wrong at once; taking away the first reason shows the next.
  auto report = right();
  report.gates = {gate(false, false), gate(true, false)};
  report.cases = {case_in(CaseResult::State::kIncorrect)};
  report.diagnostics = {diagnostic(DiagnosticKind::kRace), diagnostic(DiagnosticKind::kUnsupported),
                        diagnostic(DiagnosticKind::kCompileError)};
  expect(Verdict::kFail, Reason::kCompile, 0, report);
  report.diagnostics.pop_back();
  expect(Verdict::kFail, Reason::kDiagnostic, 0, report);
  report.diagnostics.clear();
  expect(Verdict::kFail, Reason::kIncorrect, 0, report);
  report.cases = {case_in(CaseResult::State::kPassed)};
  expect(Verdict::kFail, Reason::kMechanism, 3, report);
  report.gates[0].passed = true;
  expect(Verdict::kFail, Reason::kPerformance, 5, report);
  report.gates[1].passed = true;
  expect(Verdict::kPass, Reason::kNone, 7, report);
}

TEST(Rubric, UnsupportedIsNeverAWrongAnswer) {
  auto report = right();
  report.cases.push_back(case_in(CaseResult::State::kDiagnostic));
  report.diagnostics = {diagnostic(DiagnosticKind::kUnsupported)};
  expect(Verdict::kError, Reason::kTool, 0, report);
  Report all;
  judge(report);
  all.exercises = {report};
  EXPECT_EQ(3, all.exit_code());
}

TEST(Rubric, WhatWasLeftOutIsNoPass) {
  auto report = right();
  report.gates[1].measured = false;
  expect(Verdict::kError, Reason::kTool, 0, report);
  report = right();
  report.cases.push_back(case_in(CaseResult::State::kNotRun));
  expect(Verdict::kError, Reason::kTool, 0, report);
  report = right();
  report.cases.clear();
  expect(Verdict::kError, Reason::kTool, 0, report);
}

TEST(Rubric, AWrongResultEarnsNoPointsForItsGates) {
  auto report = right();
  report.cases.push_back(case_in(CaseResult::State::kIncorrect));
  expect(Verdict::kFail, Reason::kIncorrect, 0, report);
}

TEST(Rubric, BoundsAreInclusiveAndNaNNeverPasses) {
  GateResult bounds;
  bounds.min = 1;
  bounds.max = 2;
  EXPECT_TRUE(within(bounds, 1));
  EXPECT_TRUE(within(bounds, 2));
  EXPECT_FALSE(within(bounds, 0.999));
  EXPECT_FALSE(within(bounds, 2.001));
  EXPECT_FALSE(within(GateResult{}, std::numeric_limits<double>::quiet_NaN()));
}

TEST(Rubric, ExitCodeIsOneWhereSomethingDidNotPass) {
  Report all;
  auto one = right();
  judge(one);
  all.exercises = {one};
  EXPECT_EQ(0, all.exit_code());
  one.gates[1].passed = false;
  judge(one);
  all.exercises.push_back(one);
  EXPECT_EQ(1, all.exit_code());
  EXPECT_EQ(12u, all.points());
  EXPECT_EQ(14u, all.max_points());
}

}  // namespace
}  // namespace warpgrade::grader

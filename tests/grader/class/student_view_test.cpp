// SPDX-License-Identifier: Apache-2.0
#include "grader/class/student_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/html/render_html.h"
#include "grader/report/render_text.h"

namespace warpgrade::grader::class_book::student_view_test {
namespace {

using State = report::CaseResult::State;
using testing::HasSubstr;
using testing::Not;

course::Exercise exercise_with_secret() {
  course::KernelExercise out;
  out.cases.emplace_back().name = "small";
  auto& secret = out.cases.emplace_back();
  secret.name = "hidden_ragged";
  secret.secret = true;
  return {"twice", {}, {}, out};
}

report::CaseResult run_of(const std::string& name, double width, State state) {
  report::CaseResult out;
  out.name = name;
  out.variables = {{"width", width}};
  out.device = "k40";
  out.state = state;
  if (state == State::kIncorrect) {
    out.difference.emplace();
    out.difference->text = "out[0][166] is wrong in " + name;
  }
  return out;
}

base::Diagnostic finding(std::uint32_t line, const std::string& message) {
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kOutOfBounds;
  out.where = {"copy.cu", line, 3};
  out.message = message;
  out.thread = base::Dim3{166, 0, 0};
  return out;
}

report::Report report_of(std::vector<report::CaseResult> cases,
                         std::vector<base::Diagnostic> diagnostics = {}) {
  report::Report out;
  auto& item = out.exercises.emplace_back();
  item.lab = "coalescing";
  item.exercise = "copy";
  item.max_points = 10;
  item.verdict = report::Verdict::kFail;
  item.reason = diagnostics.empty() ? report::Reason::kIncorrect : report::Reason::kDiagnostic;
  item.cases = std::move(cases);
  item.diagnostics = std::move(diagnostics);
  item.next = "Follow one wrong element by hand.";
  return out;
}

std::string all_of(const report::Report& report) {
  return render_text(report, text::Style(false)) + html::render(report);
}

TEST(StudentView, ASecretCaseIsToldWithoutNameSizeAndElement) {
  const auto shown = student_view(report_of({run_of("small", 32, State::kPassed),
                                             run_of("hidden_ragged", 167, State::kIncorrect)}),
                                  exercise_with_secret());
  const auto text = all_of(shown);
  for (const auto* part : {"hidden_ragged", "167", "166"}) EXPECT_THAT(text, Not(HasSubstr(part)));
  EXPECT_THAT(text, HasSubstr("right in 1 of 1 runs"));
  EXPECT_THAT(text, HasSubstr("It also goes wrong in a case that is not shown"));
  EXPECT_THAT(shown.exercises[0].next, HasSubstr("one that is not shown is wrong"));
}

TEST(StudentView, WhatIsWrongInACaseThatIsShownStays) {
  const auto shown = student_view(report_of({run_of("small", 32, State::kIncorrect),
                                             run_of("hidden_ragged", 167, State::kIncorrect)}),
                                  exercise_with_secret());
  EXPECT_THAT(all_of(shown), HasSubstr("wrong in small"));
  EXPECT_EQ("Follow one wrong element by hand.", shown.exercises[0].next);
}

TEST(StudentView, AFindingOfASecretCaseKeepsItsLineAlone) {
  const auto shown = student_view(report_of({run_of("small", 32, State::kPassed),
                                             run_of("hidden_ragged", 167, State::kDiagnostic)},
                                            {finding(7, "in[166] of 166")}),
                                  exercise_with_secret());
  const auto& one = shown.exercises[0].diagnostics.at(0);
  EXPECT_EQ(7U, one.where.line);
  EXPECT_EQ("in a case that is not shown", one.message);
  EXPECT_FALSE(one.thread);
  EXPECT_THAT(all_of(shown), Not(HasSubstr("166")));
}

TEST(StudentView, OfSeveralFindingsTheFirstCasesStays) {
  const auto shown = student_view(report_of({run_of("small", 32, State::kDiagnostic),
                                             run_of("hidden_ragged", 167, State::kDiagnostic)},
                                            {finding(7, "in[32] of 32"), finding(9, "in[166]")}),
                                  exercise_with_secret());
  const auto& found = shown.exercises[0].diagnostics;
  EXPECT_EQ("in[32] of 32", found.at(0).message);
  EXPECT_EQ("here, too", found.at(1).message);
}

TEST(StudentView, PicturesAndPrintsOfASecretCaseGo) {
  auto report = report_of(
      {run_of("small", 32, State::kPassed), run_of("hidden_ragged", 167, State::kIncorrect)});
  auto& item = report.exercises[0];
  item.printed = "167";
  item.printed_first = "thread 166";
  item.printed_case = "hidden_ragged";
  item.warnings = {"case hidden_ragged: slow", "case small: slow"};
  item.pictures.emplace().case_name = "hidden_ragged";
  const auto shown = student_view(report, exercise_with_secret()).exercises[0];
  EXPECT_EQ("", shown.printed + shown.printed_first);
  EXPECT_FALSE(shown.pictures);
  EXPECT_EQ("case small: slow", shown.warnings.at(0));
}

TEST(StudentView, WithoutSecretCasesNothingChanges) {
  const auto report = report_of({run_of("small", 32, State::kIncorrect)});
  EXPECT_EQ(all_of(report), all_of(student_view(report, course::Exercise())));
}

}  // namespace
}  // namespace warpgrade::grader::class_book::student_view_test

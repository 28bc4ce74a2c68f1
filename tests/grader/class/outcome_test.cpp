// SPDX-License-Identifier: Apache-2.0
#include "grader/class/outcome.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "common/base/wire.h"
#include "grader/html/render_html.h"
#include "grader/report/render_text.h"

namespace warpgrade::grader::class_book::outcome_test {
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

TEST(PackedText, ComesBackAsItWas) {
  EXPECT_EQ("<p>a\0b</p>", unpack_text(pack_text("<p>a\0b</p>")));
  EXPECT_EQ(std::string(1'000'000, 'x'), unpack_text(pack_text(std::string(1'000'000, 'x'))));
}

TEST(PackedText, TheSameTextIsTheSameBytesAndSmall) {
  const std::string text(100'000, 'x');
  EXPECT_EQ(pack_text(text), pack_text(text));
  EXPECT_LT(pack_text(text).size(), 1000U);
}

TEST(PackedText, NothingIsAnEmptyText) { EXPECT_EQ("", unpack_text("")); }

TEST(PackedText, DamageAndBombsAreTold) {
  const auto packed = pack_text(std::string(100'000, 'x'));
  EXPECT_THROW(unpack_text("no gzip at all"), base::ToolError);
  EXPECT_THROW(unpack_text(packed.substr(0, packed.size() / 2)), base::ToolError);
  EXPECT_THROW(unpack_text(packed, 99'999), base::ToolError);
  EXPECT_EQ(100'000U, unpack_text(packed, 100'000).size());
}

}  // namespace

}  // namespace warpgrade::grader::class_book::outcome_test

namespace warpgrade::grader::class_book::outcome_test_too {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

report::Report report_of(report::Verdict verdict, report::Reason reason) {
  report::Report out;
  out.device = "h200, k40";
  out.provenance = {"0.2.0", "6885a25", "13.0.88", "2026-11-22T14:20:00Z"};
  auto& one = out.exercises.emplace_back();
  one.lab = "coalescing";
  one.exercise = "copy";
  one.points = 7;
  one.max_points = 10;
  one.verdict = verdict;
  one.reason = reason;
  return out;
}

report::GateReport gate(const std::string& id, bool is_waived, std::uint32_t points) {
  report::GateReport out;
  out.gate.id = id;
  out.gate.is_waived = is_waived;
  out.points = points;
  return out;
}

BookGrade grade_of(const report::Report& report, const course::Exercise& exercise = {}) {
  return std::get<BookGrade>(result_of(report, exercise, 1.5));
}

Trouble trouble_of(const report::Report& report) {
  return std::get<Trouble>(result_of(report, course::Exercise(), 1.5));
}

TEST(ClassResult, AVerdictOnTheSubmissionIsAGrade) {
  const auto report = report_of(report::Verdict::kFail, report::Reason::kPerformance);
  const auto grade = grade_of(report);
  EXPECT_EQ(7, grade.points);
  EXPECT_EQ(10, grade.max_points);
  EXPECT_EQ(report::Verdict::kFail, grade.verdict);
  EXPECT_EQ(report::Reason::kPerformance, grade.reason);
  EXPECT_EQ("h200, k40", grade.device);
  EXPECT_EQ("", grade.card);
  EXPECT_EQ("0.2.0", grade.provenance.version);
  EXPECT_EQ("6885a25", grade.provenance.commit);
  EXPECT_EQ("13.0.88", grade.provenance.toolkit);
  EXPECT_EQ("2026-11-22T14:20:00Z", grade.provenance.time);
  EXPECT_EQ(1.5, grade.seconds);
  EXPECT_EQ(report::Verdict::kPass,
            grade_of(report_of(report::Verdict::kPass, report::Reason::kNone)).verdict);
}

TEST(ClassResult, OnlyTheInstructorsReportHasSecretCases) {
  course::Exercise exercise;
  auto& secret = exercise.kernel()->cases.emplace_back();
  secret.name = "hidden_ragged";
  secret.secret = true;
  auto report = report_of(report::Verdict::kFail, report::Reason::kIncorrect);
  auto& run = report.exercises[0].cases.emplace_back();
  run.name = secret.name;
  run.state = report::CaseResult::State::kIncorrect;
  run.difference.emplace().text = "out[0] is wrong";
  const auto grade = grade_of(report, exercise);
  EXPECT_THAT(grade.report, AllOf(StartsWith("{"), HasSubstr("hidden_ragged")));
  const auto shown = AllOf(HasSubstr("coalescing/copy"), Not(HasSubstr("hidden_ragged")));
  EXPECT_THAT(grade.text, shown);
  EXPECT_THAT(grade.text, Not(HasSubstr("\033")));
  const auto page = unpack_text(grade.page);
  EXPECT_THAT(page, shown);
  EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
}

TEST(ClassResult, WaivedGatesAreThoseWhosePointsTheSubmissionHas) {
  auto report = report_of(report::Verdict::kPass, report::Reason::kNone);
  report.exercises[0].gates = {gate("speed", true, 1), gate("speed_2", true, 2),
                               gate("speed_3", true, 0), gate("stores", false, 3)};
  EXPECT_THAT(grade_of(report).waived, ElementsAre("speed", "speed_2"));
}

TEST(ClassResult, AVerdictOnTheGraderIsTroubleWithItsCause) {
  auto report = report_of(report::Verdict::kError, report::Reason::kTool);
  EXPECT_EQ("the grader could not judge it", trouble_of(report).why);
  report.exercises[0].diagnostics.emplace_back().message = "an unknown instruction";
  EXPECT_THAT(trouble_of(report).why, HasSubstr("an unknown instruction"));
  report.exercises[0].tool_trouble = "no compiler";
  EXPECT_EQ("no compiler", trouble_of(report).why);
  EXPECT_EQ(Trouble::Kind::kNoGrade, trouble_of(report).kind);
}

TEST(ClassResult, AMeasurementThatIsNotGoodEnoughWaitsForAQuieterMachine) {
  const auto trouble = trouble_of(report_of(report::Verdict::kInconclusive, report::Reason::kTool));
  EXPECT_EQ(Trouble::Kind::kNoisy, trouble.kind);
  EXPECT_THAT(trouble.why, HasSubstr("on a quiet machine"));
}

TEST(Outcome, AGradeArrivesWhole) {
  const Outcome sent{"key", "w1", run::Backend::kGpu,
                     BookGrade{7,
                               10,
                               report::Verdict::kFail,
                               report::Reason::kPerformance,
                               "h200",
                               "NVIDIA H200",
                               {"0.2.0", "6885a25", "13.0.88", "2026-11-22T14:20:00Z"},
                               2.5,
                               "{}",
                               "text",
                               std::string("\x1f\x8b\0page", 7),
                               {"speed", "speed_2"}}};
  const auto got = base::decode<Outcome>(base::encode(sent));
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ("key", got->key);
  EXPECT_EQ("w1", got->worker);
  EXPECT_EQ(run::Backend::kGpu, got->backend);
  EXPECT_EQ(nullptr, got->trouble());
  ASSERT_NE(nullptr, got->grade());
  const auto& grade = *got->grade();
  EXPECT_EQ(7, grade.points);
  EXPECT_EQ(10, grade.max_points);
  EXPECT_EQ(report::Verdict::kFail, grade.verdict);
  EXPECT_EQ(report::Reason::kPerformance, grade.reason);
  EXPECT_EQ("h200", grade.device);
  EXPECT_EQ("NVIDIA H200", grade.card);
  EXPECT_EQ("6885a25", grade.provenance.commit);
  EXPECT_EQ("2026-11-22T14:20:00Z", grade.provenance.time);
  EXPECT_EQ(2.5, grade.seconds);
  EXPECT_EQ("{}", grade.report);
  EXPECT_EQ("text", grade.text);
  EXPECT_EQ(std::string("\x1f\x8b\0page", 7), grade.page);
  EXPECT_THAT(grade.waived, ElementsAre("speed", "speed_2"));
}

TEST(Outcome, TroubleArrivesAsSuch) {
  const Trouble trouble{Trouble::Kind::kJudgeFailed, "no space left"};
  const auto got = base::decode<Outcome>(base::encode(Outcome{"key", "w1", {}, trouble}));
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(nullptr, got->grade());
  EXPECT_EQ("no space left", got->trouble()->why);
  EXPECT_TRUE(is_trouble(got->result, Trouble::Kind::kJudgeFailed));
  EXPECT_FALSE(is_trouble(got->result, Trouble::Kind::kNoGrade));
  EXPECT_FALSE(is_trouble(BookGrade(), Trouble::Kind::kNoGrade));
}

TEST(Outcome, AVerdictOutsideItsTypeIsNoMessage) {
  BookGrade grade;
  grade.verdict = static_cast<report::Verdict>(4);
  EXPECT_FALSE(base::decode<Outcome>(base::encode(Outcome{"key", "w1", {}, grade})));
}

}  // namespace

}  // namespace warpgrade::grader::class_book::outcome_test_too

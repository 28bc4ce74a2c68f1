// SPDX-License-Identifier: Apache-2.0
#include "grader/class/outcome.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/wire.h"
#include "grader/class/packed_text.h"

namespace warpgrade::grader::class_book::outcome_test {
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
}  // namespace warpgrade::grader::class_book::outcome_test

// SPDX-License-Identifier: Apache-2.0
// Tasks, claims and results as files that move between folders.
#include "grader/class/spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "common/base/error.h"
#include "common/base/wire.h"
#include "grader/html/render_html.h"
#include "grader/report/render_text.h"

namespace warpgrade::grader::class_book::spool_test {

namespace {

using State = report::Case::State;
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

report::Case run_of(const std::string& name, double width, State state) {
  report::Case out;
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

report::Report report_of(std::vector<report::Case> cases,
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

namespace fs = std::filesystem;

class SpoolTest : public testing::Test {
 protected:
  SpoolTest() { spool_.make(); }
  ~SpoolTest() override { fs::remove_all(spool_.folder()); }
  static Task task(const std::string& key) { return {key, "lab", "copy", {{"copy.cu", "k"}}, {}}; }
  Spool spool_{fs::path(testing::TempDir()) / "warpgrade_spool"};
};

TEST_F(SpoolTest, ATaskIsOneWorkersInOrder) {
  spool_.put(2, task("b"));
  spool_.put(1, task("a"));
  Spool other(spool_.folder());
  EXPECT_EQ("a", spool_.claim("w1")->task.key);
  EXPECT_EQ("b", other.claim("w2")->task.key);
  EXPECT_FALSE(spool_.claim("w1").has_value());
}

TEST_F(SpoolTest, AResultTakesTheClaimsPlace) {
  spool_.put(1, task("a"));
  const auto claim = spool_.claim("w1");
  BookGrade grade;
  grade.points = 7;
  spool_.finish(*claim, "w1", {"a", "w1", run::Backend::kSim, grade});
  EXPECT_TRUE(fs::is_empty(spool_.folder() / "claims"));
  ASSERT_EQ(1U, spool_.results().size());
  EXPECT_EQ(7, spool_.results()[0].outcome.grade()->points);
}

TEST_F(SpoolTest, ADeadWorkersClaimIsATaskAgainUnlessItsResultIsThere) {
  spool_.put(1, task("a"));
  spool_.put(2, task("b"));
  spool_.put(3, task("c"));
  const auto a = spool_.claim("w1");
  spool_.claim("w1");
  spool_.claim("w2");
  // The result exists, but w1's claim remains, as after a crash between the two steps.
  spool_.finish({a->name, a->task}, "nobody", {"a", "nobody", run::Backend::kSim, {}});
  EXPECT_THAT(spool_.give_back("w1"), testing::ElementsAre("b"));
  EXPECT_EQ("b", spool_.claim("w3")->task.key);
}

TEST_F(SpoolTest, HalfAResultAndOneOfAnotherTaskAreNone) {
  std::ofstream(spool_.folder() / "results" / "000001-a") << "half";
  spool_.put(2, task("b"));
  const auto claim = spool_.claim("w");
  spool_.finish(*claim, "w", {"forged", "w", run::Backend::kSim, {}});
  EXPECT_TRUE(spool_.results().empty());
  EXPECT_TRUE(fs::is_empty(spool_.folder() / "results"));
}

// Until 0.2.0 an outcome had 19 fields: the key, the trouble or nothing, two numbers, eight texts,
// the time, five texts.
TEST_F(SpoolTest, ResultsOfAnEarlierProgramAreNone) {
  const std::vector<std::string> texts = {"pass", "none",     "sim", "h200",
                                          "",     "6885a25-", "13",  "2026-11-22T14:20:00Z"};
  for (const std::string trouble : {"", "no compiler"}) {
    base::WireWriter old;
    old(std::string("a"), trouble, 7.0, 10.0);
    for (const auto& text : texts) old(trouble.empty() ? text : std::string());
    old(1.5);
    for (const auto* text : {"w1", "{}", "text", "page", ""}) {
      old(std::string(trouble.empty() ? text : ""));
    }
    std::ofstream(spool_.folder() / "results" / "000001-a", std::ios::binary) << old.take();
    EXPECT_TRUE(spool_.results().empty());
    EXPECT_TRUE(fs::is_empty(spool_.folder() / "results"));
  }
}

TEST_F(SpoolTest, TasksAreAnnouncedUntilAllArePut) {
  EXPECT_FALSE(spool_.is_announced());
  spool_.announce();
  Spool of_a_worker(spool_.folder());
  EXPECT_TRUE(of_a_worker.is_announced());
  spool_.clear();
  EXPECT_TRUE(of_a_worker.is_announced());
  spool_.end_announcement();
  EXPECT_FALSE(of_a_worker.is_announced());
}

TEST_F(SpoolTest, ResultsOutliveTasksAndClaims) {
  for (const auto* key : {"a", "b", "c"}) spool_.put(1, task(key));
  const auto done = spool_.claim("w1");
  spool_.finish(*done, "w1", {done->task.key, "w1", run::Backend::kSim, {}});
  spool_.claim("w1");
  spool_.clear_tasks();
  EXPECT_FALSE(spool_.has_tasks());
  EXPECT_TRUE(fs::is_empty(spool_.folder() / "claims"));
  EXPECT_EQ(1U, spool_.results().size());
}

TEST_F(SpoolTest, ADroppedTaskIsNobodys) {
  spool_.put(1, task("a"));
  spool_.drop("a");
  EXPECT_FALSE(spool_.has_tasks());
}

}  // namespace warpgrade::grader::class_book::spool_test

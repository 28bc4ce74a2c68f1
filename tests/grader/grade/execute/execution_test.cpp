// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/execution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "tests/grader/grade/fakes.h"
#include "tests/grader/grade/gate_cases.h"
#include "tests/grader/grade/stage_fixture.h"

namespace warpgrade::grader::grade::execution_test {

// Diagnostics that devices and cases repeat are kept once.

base::Diagnostic race(std::uint32_t line, const std::string& message) {
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kRace;
  out.where = {"k.cu", line, 3};
  out.message = message;
  return out;
}

TEST(DistinctDiagnostics, OnePlaceIsToldOnceWhateverThreadItNames) {
  std::vector<base::Diagnostic> all;
  add_distinct(all, {race(5, "thread 1"), race(5, "thread 2"), race(6, "thread 1")});
  add_distinct(all, {race(6, "thread 9")});
  ASSERT_EQ(2U, all.size());
  EXPECT_EQ("thread 1", all[0].message);
  EXPECT_EQ(6U, all[1].where.line);
}

TEST(DistinctDiagnostics, AnotherKindAtThePlaceIsAnother) {
  auto bounds = race(5, "past the end");
  bounds.kind = base::DiagnosticKind::kOutOfBounds;
  std::vector<base::Diagnostic> all = {race(5, "thread 1")};
  add_distinct(all, {bounds});
  EXPECT_EQ(2U, all.size());
}

TEST(DistinctDiagnostics, WithoutALineTheMessageTellsThemApart) {
  std::vector<base::Diagnostic> all;
  add_distinct(all, {race(0, "no template"), race(0, "no kernel"), race(0, "no kernel")});
  EXPECT_EQ(2U, all.size());
}

TEST(DistinctDiagnostics, TenAreKept) {
  std::vector<base::Diagnostic> all;
  for (std::uint32_t line = 1; line <= 12; ++line) add_distinct(all, {race(line, "x")});
  EXPECT_EQ(10U, all.size());
}

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

void no_body(std::vector<run::Buffer>&, measure::Measurement&) {}

class CompileSubmission : public testing::Test {
 protected:
  CompileSubmission() {
    exercise_.steps[0].kernel = "twice";
    exercise_.steps[0].signature = "twice(int)";
    task_.exercise = &whole_;
    task_.lab = &lab_;
    compile::CompileRequest source;
    source.file = "twice.cu";
    task_.submission.content = source;
    services_.compilations = &compilations_;
  }

  Plan plan() { return {services_, task_, {{"h200", &h200_}, {"k40", &k40_}}}; }
  Execution compiled() { return compile_submission(plan()); }

  // Returns a program with one kernel per requested instance, or with `twice` alone.
  compile::Result compile(const compile::CompileRequest& request) {
    const std::lock_guard lock(mutex_);
    asked_.push_back(request.architecture);
    if (fails_) throw base::ToolError("no compiler");
    if (wrong_ && (wrong_on_.empty() || request.architecture == wrong_on_))
      return std::vector{*wrong_};
    compile::Program program;
    program.ptx = {request.architecture, request.file};
    auto names = request.instantiations;
    if (names.empty()) names = {"twice"};
    for (const auto& name : names) {
      compile::Kernel kernel;
      kernel.name = name;
      kernel.signature = name + "(int)";
      kernel.parameters = parameters_;
      program.kernels.push_back(kernel);
      program.lowered[name] = name;
    }
    return program;
  }

  std::mutex mutex_;
  std::vector<std::string> asked_;
  bool fails_ = false;
  std::vector<compile::Parameter> parameters_;
  std::optional<base::Diagnostic> wrong_;
  std::string wrong_on_;  // the architecture that does not compile; empty: all
  course::Exercise whole_{"twice", {}, {}, exercise_with({})};
  course::KernelExercise& exercise_ = *whole_.kernel();
  course::Lab lab_;
  GradingTask task_;
  FakeSimBench h200_{"h200", "sm_90", no_body};
  FakeSimBench k40_{"k40", "sm_75", no_body};
  cases::Compilations compilations_{[this](const auto& request) { return compile(request); }, 1};
  GradingServices services_;
};

TEST_F(CompileSubmission, EveryCaseHasItsPlaceOnEveryTarget) {
  const auto plan = this->plan();
  auto found = compile_submission(plan);
  ASSERT_THAT(found.small(), SizeIs(2));
  ASSERT_THAT(found.measured(), SizeIs(2));
  EXPECT_EQ(&plan.targets[0], found.small()[0].target);
  EXPECT_EQ(&plan.targets[1], found.small()[1].target);
  EXPECT_EQ("small", found.small()[1].item->name);
  EXPECT_EQ("large", found.measured()[0].item->name);
  EXPECT_EQ("sm_90", found.measured()[0].program->ptx.text());
  EXPECT_EQ("twice", found.measured()[0].kernels.at(0)->name);
  EXPECT_THAT(asked_, ElementsAre("sm_90", "sm_75"));
}

TEST_F(CompileSubmission, ATemplateIsAskedForTheInstancesOfTheCases) {
  exercise_.steps[0].kernel = "twice<{n}>";
  auto found = compiled();
  ASSERT_THAT(found.small(), SizeIs(2)) << base::text(found.diagnostics.at(0));
  EXPECT_EQ("twice<8>", found.small()[0].kernels.at(0)->name);
  EXPECT_EQ("twice<64>", found.measured()[0].kernels.at(0)->name);
}

TEST_F(CompileSubmission, AMissingKernelIsToldOnceAndLeavesNoPlaces) {
  exercise_.steps[0].kernel = "thrice";
  const auto found = compiled();
  EXPECT_THAT(found.diagnostics, SizeIs(1));
  EXPECT_THAT(found.cases, IsEmpty());
}

TEST_F(CompileSubmission, ACompileErrorIsToldOnceForAllTargets) {
  wrong_.emplace().where = {"twice.cu", 3, 1};
  const auto found = compiled();
  EXPECT_THAT(found.diagnostics, SizeIs(1));
  EXPECT_THAT(found.cases, IsEmpty());
  EXPECT_THAT(asked_, SizeIs(2));
}

TEST_F(CompileSubmission, AnErrorForOneTargetLeavesNoPlacesOnTheOthers) {
  wrong_.emplace().where = {"twice.cu", 3, 1};
  wrong_on_ = "sm_75";
  const auto found = compiled();
  EXPECT_THAT(found.diagnostics, SizeIs(1));
  EXPECT_THAT(found.cases, IsEmpty());
}

TEST_F(CompileSubmission, ACompilerThatFailsIsTrouble) {
  fails_ = true;
  EXPECT_EQ("no compiler", compiled().trouble);
  EXPECT_THAT(compiled().diagnostics, IsEmpty());
}

TEST_F(CompileSubmission, WhatIsNoSourceIsNotCompiled) {
  task_.submission.content = cases::Unreadable{"no such file"};
  begin_compilations(plan());
  EXPECT_EQ("no such file", compiled().trouble);
  task_.submission.content = std::vector{base::Diagnostic{}};
  EXPECT_THAT(compiled().diagnostics, SizeIs(1));
  EXPECT_THAT(asked_, IsEmpty());
}

TEST_F(CompileSubmission, CompilationsThatHaveBegunAreNotMadeAgain) {
  begin_compilations(plan());
  compiled();
  EXPECT_THAT(asked_, UnorderedElementsAre("sm_90", "sm_75"));
}

// struct { float* out; int n; }: 16 bytes; its name alone is in the signature.
TEST_F(CompileSubmission, AStructOfAnotherSizeIsAWrongParameterList) {
  exercise_.parameters = {course::StructParameter{
      "p",
      {course::BufferParameter{
           "p.out", {}, {"1", {}}, {"n", {}}, course::Poison{}, course::EqualBits{}},
       course::ValueParameter{"p.n", verify::ElementType::kI32, false, {"n", {}}}}}};
  exercise_.steps[0].arguments = {0};
  parameters_ = {{16, false}};
  EXPECT_THAT(compiled().diagnostics, IsEmpty());
  parameters_ = {{24, false}};
  cases::Compilations again([this](const auto& request) { return compile(request); }, 1);
  services_.compilations = &again;
  const auto found = compiled();
  ASSERT_THAT(found.diagnostics, SizeIs(1));
  EXPECT_EQ(base::DiagnosticKind::kCompileError, found.diagnostics[0].kind);
  EXPECT_EQ(
      "the kernel 'twice(int)' has the wrong parameter list: the struct 'p' has 24 bytes, but "
      "must have 16 (size and place of each field: out (8 at 0), n (4 at 8)); expected: twice(int)",
      base::text(found.diagnostics[0]));
}

// Single small cases on a fake card: how each ends.

namespace {

class GpuCase : public StageOnCard {
 protected:
  CaseOutcome check(const std::string& case_name) {
    return check_on_gpu(*plan_, planned("k40", case_name));
  }
};

TEST_F(GpuCase, ASmallOneIsRightWrongOrFaulty) {
  begin_on_card(right);
  EXPECT_TRUE(is_right(check("ragged")));
  EXPECT_EQ(1U, card_->launches.size());
  EXPECT_TRUE(k40_->launches.empty()) << "the card alone";
  begin_on_card(wrong_at(300));
  const auto wrong = check("ragged");
  ASSERT_TRUE(ends_as<WrongResult>(wrong));
  EXPECT_EQ("out[299]", std::get<WrongResult>(wrong.ending).difference.element);
  begin_on_card(race_at(300));
  EXPECT_TRUE(ends_as<FoundFaults>(check("ragged")));
}

TEST_F(GpuCase, AFaultOfTheCardIsNoneOfTheSubmission) {
  begin_on_card([](auto&, auto&) { throw base::ToolError("the card is lost"); });
  EXPECT_TRUE(ends_as<GpuTrouble>(check("one")));
  begin_on_card([](auto&, auto&) { throw base::UsageError("too many threads"); });
  EXPECT_TRUE(ends_as<NotLaunchable>(check("one")));
}

}  // namespace

// The order of cases, and cases that are skipped, with fake devices.

namespace {

class CaseStage : public Stage {
 protected:
  // The cases that have run.
  std::vector<PlannedCase> run(std::span<PlannedCase> cases) {
    run_cases(*plan_, cases, [](const CaseJob&, CaseOutcome executed) { return executed; }, {});
    std::vector<PlannedCase> out(cases.begin(), cases.end());
    std::erase_if(out, [](const PlannedCase& one) { return !one.outcome; });
    return out;
  }
  std::vector<PlannedCase> run_small() { return run(compiled_.small()); }
  std::vector<PlannedCase> run_measured(std::uint64_t variant) {
    for (auto& one : compiled_.measured()) one.variant = variant;
    return run(compiled_.measured());
  }
};

std::vector<std::string> names(const std::vector<PlannedCase>& runs) {
  std::vector<std::string> out;
  for (const auto& run : runs) out.push_back(run.target->device + " " + run.item->name);
  return out;
}

TEST_F(CaseStage, SmallCasesRunTargetByTarget) {
  begin(right);
  std::vector<std::string> told;
  services_.on_case = [&](const std::string& name) { told.push_back(name); };
  const auto runs = run_small();
  EXPECT_THAT(names(runs), ElementsAre("h200 one", "h200 ragged", "k40 one", "k40 ragged"));
  EXPECT_THAT(told, ElementsAre("one", "ragged", "one", "ragged"));
  for (const auto& run : runs) EXPECT_TRUE(run.is_right()) << run.item->name;
}

TEST_F(CaseStage, AFindingOfACheckEndsIt) {
  begin(race_at(300));
  const auto runs = run_small();
  EXPECT_THAT(names(runs), ElementsAre("h200 one", "h200 ragged"));
  EXPECT_TRUE(ends_as<FoundFaults>(*runs.back().outcome));
  EXPECT_TRUE(k40_->launches.empty());
}

TEST_F(CaseStage, OtherShapesRunAfterAWrongResult) {
  begin(wrong_at(1));
  const auto runs = run_small();
  ASSERT_EQ(4U, runs.size());
  EXPECT_TRUE(ends_as<WrongResult>(*runs[0].outcome));
  EXPECT_TRUE(runs[1].is_right());
}

TEST_F(CaseStage, CasesAtATimeKeepTheirOrder) {
  begin(race_at(300));
  services_.simulator.cases_at_once = 4;
  EXPECT_THAT(names(run_small()), ElementsAre("h200 one", "h200 ragged"));
}

TEST_F(CaseStage, InputsOfMeasuredCasesFollowFromTheSalt) {
  begin(right);
  EXPECT_THAT(names(run_measured(1)), ElementsAre("h200 large", "k40 large"));
  run_measured(2);
  run_measured(1);
  ASSERT_EQ(3U, h200_->before.size());
  const auto inputs = [&](std::size_t run) { return floats(h200_->before[run][1]); };
  EXPECT_NE(inputs(0), inputs(1));
  EXPECT_EQ(inputs(0), inputs(2));
  EXPECT_EQ(inputs(0), floats(k40_->before[0][1])) << "the same on each device";
}

}  // namespace

// The small cases of a submission, on fake devices.

namespace {

class ExecutionTest : public Stage {
 protected:
  static std::ptrdiff_t runs_of(const Execution& done) {
    return std::ranges::count_if(done.cases,
                                 [](const auto& one) { return one.outcome.has_value(); });
  }
};

TEST_F(ExecutionTest, OnlySmallCasesRun) {
  begin(right);
  auto done = execute(*plan_);
  EXPECT_EQ(4, runs_of(done));
  EXPECT_EQ(2U, done.measured().size());
  EXPECT_TRUE(done.is_right());
  EXPECT_EQ(2U, h200_->launches.size());
}

TEST_F(ExecutionTest, ItIsRightIfAllOfThemAre) {
  begin(wrong_at(1));
  auto wrong = execute(*plan_);
  EXPECT_EQ(4, runs_of(wrong));
  EXPECT_FALSE(wrong.is_right());
  begin(race_at(300));
  EXPECT_FALSE(execute(*plan_).is_right()) << "cases behind a fault have not run";
}

TEST_F(ExecutionTest, WhatDoesNotCompileDoesNotRun) {
  compile_ = [](const auto&) { return std::vector{base::Diagnostic{}}; };
  begin(right);
  const auto done = execute(*plan_);
  EXPECT_TRUE(done.cases.empty());
  EXPECT_EQ(1U, done.diagnostics.size());
  EXPECT_TRUE(h200_->launches.empty());
}

TEST_F(ExecutionTest, ACardChecksItsOwnCases) {
  FakeGpuBench card("k40", "sm_75", right);
  begin(right, &card);
  EXPECT_TRUE(execute(*plan_).is_right());
  EXPECT_EQ(2U, card.launches.size());
}

}  // namespace

}  // namespace warpgrade::grader::grade::execution_test

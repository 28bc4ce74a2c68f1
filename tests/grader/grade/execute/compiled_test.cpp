// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/compiled.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "tests/grader/grade/fakes.h"
#include "tests/grader/grade/gate_cases.h"

namespace warpgrade::grader::grade::compiled_test {

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
  Compiled compiled() { return compile_submission(plan()); }

  // Returns a program with one kernel per requested instance, or with `twice` alone.
  compile::Result compile(const compile::CompileRequest& request) {
    const std::lock_guard lock(mutex_);
    asked_.push_back(request.architecture);
    if (fails_) throw base::ToolError("no compiler");
    if (wrong_ && (wrong_on_.empty() || request.architecture == wrong_on_))
      return std::vector{*wrong_};
    compile::Program program;
    program.ptx = request.architecture + request.source + entry_;
    auto names = request.instantiations;
    if (names.empty()) names = {"twice"};
    for (const auto& name : names) {
      compile::Kernel kernel;
      kernel.name = name;
      kernel.signature = name + "(int)";
      program.kernels.push_back(kernel);
      program.lowered[name] = name;
    }
    return program;
  }

  std::mutex mutex_;
  std::vector<std::string> asked_;
  bool fails_ = false;
  std::string entry_;
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
  const auto found = compile_submission(plan);
  ASSERT_THAT(found.small, SizeIs(2));
  ASSERT_THAT(found.measured, SizeIs(2));
  EXPECT_EQ(&plan.targets[0], found.small[0].target);
  EXPECT_EQ(&plan.targets[1], found.small[1].target);
  EXPECT_EQ("small", found.small[1].item->name);
  EXPECT_EQ("large", found.measured[0].item->name);
  EXPECT_EQ("sm_90", found.measured[0].program->ptx);
  EXPECT_EQ("twice", found.measured[0].kernels.at(0)->name);
  EXPECT_THAT(asked_, ElementsAre("sm_90", "sm_75"));
}

TEST_F(CompileSubmission, ATemplateIsAskedForTheInstancesOfTheCases) {
  exercise_.steps[0].kernel = "twice<{n}>";
  const auto found = compiled();
  ASSERT_THAT(found.small, SizeIs(2)) << base::text(found.diagnostics.at(0));
  EXPECT_EQ("twice<8>", found.small[0].kernels.at(0)->name);
  EXPECT_EQ("twice<64>", found.measured[0].kernels.at(0)->name);
}

TEST_F(CompileSubmission, AMissingKernelIsToldOnceAndLeavesNoPlaces) {
  exercise_.steps[0].kernel = "thrice";
  const auto found = compiled();
  EXPECT_THAT(found.diagnostics, SizeIs(1));
  EXPECT_THAT(found.small, IsEmpty());
  EXPECT_THAT(found.measured, IsEmpty());
}

TEST_F(CompileSubmission, ACompileErrorIsToldOnceForAllTargets) {
  wrong_.emplace().where = {"twice.cu", 3, 1};
  const auto found = compiled();
  EXPECT_THAT(found.diagnostics, SizeIs(1));
  EXPECT_THAT(found.small, IsEmpty());
  EXPECT_THAT(asked_, SizeIs(2));
}

TEST_F(CompileSubmission, AnErrorForOneTargetLeavesNoPlacesOnTheOthers) {
  wrong_.emplace().where = {"twice.cu", 3, 1};
  wrong_on_ = "sm_75";
  const auto found = compiled();
  EXPECT_THAT(found.diagnostics, SizeIs(1));
  EXPECT_THAT(found.small, IsEmpty());
  EXPECT_THAT(found.measured, IsEmpty());
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
  entry_ = "\n.visible .entry twice(.param .align 8 .b8 twice_param_0[16])\n{ ret; }\n";
  EXPECT_THAT(compiled().diagnostics, IsEmpty());
  entry_ = "\n.visible .entry twice(.param .align 8 .b8 twice_param_0[24])\n{ ret; }\n";
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

}  // namespace warpgrade::grader::grade::compiled_test

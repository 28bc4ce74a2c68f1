// SPDX-License-Identifier: Apache-2.0
// A measured case is checked in full at one size, and timed at another with a sample of its blocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/grade/grade_fixture.h"

namespace warpgrade::grader::grade::sampled_case_test {

using testing::ElementsAre;
using testing::HasSubstr;

class GradeSampled : public Grade {
 protected:
  void SetUp() override {
    Grade::SetUp();
    kernel_in(lab_).cases.back().timed_variables = text::VariableExpressions{{"n", {"4096", {}}}};
  }
  FakeSimBench& timed() { return *k40_; }  // The device of the speed gate.
};

TEST_F(GradeSampled, TheSpeedIsThatOfTheSample) {
  const auto report = grade(right);
  ASSERT_EQ(1u, timed().sampled.size());
  EXPECT_THAT(timed().copied, ElementsAre(2 * 4096 * 4));
  EXPECT_DOUBLE_EQ(0.45, report.gates[1].value().value());  // 0.9 us of 2 us.
}

// The time model is slow, and only speed gates use its result.
TEST_F(GradeSampled, NoLaunchIsTimedWhoseTimeNobodyAsksFor) {
  grade(right);
  EXPECT_EQ(timed().launches.size(), timed().counted);
  kernel_in(lab_).cases.back().timed_variables.reset();
  grade(right);
  EXPECT_EQ(timed().launches.size(), timed().counted + 1);  // all except the one that a gate times
}

// A block that runs too long, or waits forever.
void run_away(std::vector<run::Buffer>& /*buffers*/, measure::Measurement& measured) {
  base::Diagnostic found;
  found.kind = base::DiagnosticKind::kRunaway;
  measured.result.diagnostics.push_back(found);
}

TEST_F(GradeSampled, AKernelThatIsTooSlowThereHasNoSpeed) {
  setup_ = [](FakeSimBench& bench) { bench.in_sample = run_away; };
  const auto report = grade(right);
  EXPECT_TRUE(report.gates[1].unmodelled().has(timing::Unmodelled::kFullSize));
  EXPECT_EQ(report::Verdict::kInconclusive, report.verdict);
}

TEST_F(GradeSampled, ASampleThatIsWrongIsAWrongResult) {
  setup_ = [](FakeSimBench& bench) {
    bench.in_sample = [](auto&, measure::Measurement& measured) {
      base::Diagnostic found;
      found.kind = base::DiagnosticKind::kOutOfBounds;
      measured.result.diagnostics.push_back(found);
    };
  };
  const auto report = grade(right);
  EXPECT_EQ(report::Verdict::kFail, report.verdict);
  EXPECT_EQ(report::Reason::kDiagnostic, report.reason);
}

TEST_F(GradeSampled, WhereBlocksDifferTheWholeLaunchIsExecuted) {
  setup_ = [](FakeSimBench& bench) { bench.is_even = false; };
  const auto report = grade(right);
  EXPECT_EQ(0.9, report.gates[1].value());  // 0.9 us of the whole launch's 1 us.
  const auto& last = timed().before.back();
  EXPECT_EQ(4096u * 4, last.back().bytes.size());
}

// The reference's block b doubles element b.
constexpr const char* kReference = R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry twice_reference(.param .u64 out, .param .u64 in, .param .u32 n) {
.reg .b64 %rd<6>; .reg .b32 %r<6>; .reg .f32 %f<3>;
ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in];
mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd3, %r1, 4;
add.u64 %rd4, %rd2, %rd3; ld.global.f32 %f1, [%rd4]; add.f32 %f2, %f1, %f1;
add.u64 %rd5, %rd1, %rd3; st.global.f32 [%rd5], %f2;
ret; }
)";

// The sample writes nothing, as if other blocks wrote everything.
class GradeLarge : public Grade {
 protected:
  void SetUp() override {
    Grade::SetUp();
    kernel_in(lab_).elements_per_block = text::Expression{"1", {}};
    compile_ = [](const compile::CompileRequest& request) {
      auto out = compile_well(request);
      std::get<compile::Program>(out).ptx = kReference;
      return out;
    };
    kernel_in(lab_).cases.front().sampled = true;
    in_sample_ = [](auto&, auto&) {};
  }
};

TEST_F(GradeLarge, WhatBlocksLeaveOutIsLookedForInAllOfThem) {
  const auto report = grade([](auto&, auto&) {});
  EXPECT_EQ(report::Verdict::kFail, report.verdict);
  EXPECT_EQ(report::Reason::kIncorrect, report.reason);
  EXPECT_EQ(report::CaseResult::State::kIncorrect, report.cases.front().state);
}

TEST_F(GradeLarge, WhatOtherBlocksWriteIsNoFault) {
  EXPECT_EQ(report::Reason::kNone, grade(right).reason);
}

// All blocks of a large case are looked at only if they decide the grade.
TEST_F(GradeLarge, BehindAWrongCaseTheOthersAreNotLookedAt) {
  auto& cases = kernel_in(lab_).cases;
  cases.insert(cases.begin(), cases.front());
  cases.front().sampled = false;
  const auto report = grade([](auto&, auto&) {});
  EXPECT_EQ(report::Reason::kIncorrect, report.reason);
  EXPECT_EQ(report::CaseResult::State::kIncorrect, report.cases[0].state);
  EXPECT_EQ(report::CaseResult::State::kNotRun, report.cases[1].state);
  EXPECT_EQ("", report.tool_trouble);
}

TEST_F(GradeLarge, AResultThatCannotBeCheckedIsNotRight) {
  in_sample_ = run_away;
  const auto report = grade(right);
  EXPECT_EQ(report::Verdict::kError, report.verdict);
  EXPECT_THAT(report.tool_trouble, HasSubstr("take too long to be simulated"));
  EXPECT_EQ(report::CaseResult::State::kNotRun, report.cases.front().state);
}

}  // namespace warpgrade::grader::grade::sampled_case_test

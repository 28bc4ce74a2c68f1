// SPDX-License-Identifier: Apache-2.0
// Cases that run once for several devices: when they are shared, and that the grade is the same.
#include "grader/grade/execute/shared_runs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/finding_text.h"
#include "grader/report/render_json.h"
#include "tests/grader/grade/grade_fixture.h"

namespace warpgrade::grader::grade::shared_runs_test {

using testing::HasSubstr;

class GradeShared : public Grade {
 protected:
  void SetUp() override {
    Grade::SetUp();
    make_ptx(".visible .entry twice()");
    kernel_in(lab_).cases.back().timed_variables = text::VariableExpressions{{"n", {"4096", {}}}};
  }

  // Makes the compiler return `body` for each architecture, with {0} replaced by its name.
  void make_ptx(const std::string& body) {
    compile_ = [body](const compile::CompileRequest& request) {
      auto result = compile_well(request);
      auto& program = std::get<compile::Program>(result);
      program.ptx = fmt::format(".version 9.0\n.target {0}\n", request.architecture) +
                    fmt::format(fmt::runtime(body), request.architecture);
      return result;
    };
  }

  std::string json_of(const FakeBody& body) {
    report::Report report;
    report.exercises = {grade(body)};
    return render_json(report);
  }
};

TEST_F(GradeShared, DevicesWithTheSamePtxAreServedByOneExecution) {
  const auto report = grade(right);
  EXPECT_EQ(6U, report.points);
  EXPECT_EQ(3U, h200_->launches.size());
  EXPECT_EQ(0U, k40_->launches.size());
  EXPECT_EQ(1U, k40_->sampled.size());  // Its own time.
  EXPECT_EQ(3, runner_.launches);       // The reference, once per case.
}

TEST_F(GradeShared, OtherPtxIsExecutedOnEach) {
  make_ptx(".visible .entry twice() // __CUDA_ARCH__ of {0}");
  EXPECT_EQ(6U, grade(right).points);
  EXPECT_EQ(3U, h200_->launches.size());
  EXPECT_EQ(3U, k40_->launches.size());
}

// Without another size, the launch itself is timed.
TEST_F(GradeShared, ALaunchThatIsTimedIsExecutedByItself) {
  kernel_in(lab_).cases.back().timed_variables.reset();
  EXPECT_EQ(6U, grade(right).points);
  EXPECT_EQ(3U, h200_->launches.size());
  EXPECT_EQ(1U, k40_->launches.size());
}

TEST_F(GradeShared, EachDeviceCountsByItsOwnRules) {
  auto& gates = kernel_in(lab_).gates;
  gates.push_back(gates.front());  // On h200, the large case may have 128 sectors and has 128.
  gates.back().id = "stores_k40";
  gates.back().device = "k40";
  setup_ = [this](FakeSimBench&) { h200_->sectors_elsewhere = 129; };
  const auto report = grade(right);
  EXPECT_EQ(0U, k40_->launches.size());
  EXPECT_EQ(128, report.gates[0].value());
  EXPECT_TRUE(report.gates[0].has_passed());
  EXPECT_EQ(129, report.gates[2].value());
  EXPECT_TRUE(report.gates[2].has_failed());
}

TEST_F(GradeShared, ADeviceThatCannotHoldABlockSaysSo) {
  setup_ = [this](FakeSimBench&) { h200_->refusal_elsewhere = "k40 cannot hold a block of it"; };
  const auto report = grade(right);
  EXPECT_EQ(report::Reason::kCompile, report.reason);
  ASSERT_EQ(1U, report.diagnostics.size());
  EXPECT_THAT(base::text(report.diagnostics[0]), HasSubstr("k40 cannot hold a block of it"));
  EXPECT_EQ(report::CaseResult::State::kPassed, report.cases[1].state);  // On h200.
}

TEST_F(GradeShared, AFailureIsToldAsIfEachDeviceHadRun) {
  const auto wrong = [](auto& buffers, auto&) {
    twice(buffers);
    auto values = floats(buffers[0]);
    if (values.size() == 300) values[299] = 5000;
    put(buffers[0], values);
  };
  const auto shared = json_of(wrong);
  EXPECT_EQ(0U, k40_->launches.size());
  make_ptx("// {0}");
  EXPECT_EQ(json_of(wrong), shared);
  EXPECT_EQ(2U, k40_->launches.size());
}

TEST_F(GradeShared, TheGradeIsTheSameWithSeveralCasesAtATime) {
  const auto one = json_of(right);
  cases_at_once_ = 2;
  EXPECT_EQ(one, json_of(right));
  EXPECT_EQ(0U, k40_->launches.size());
}

// The other consumers of the case also get the error, so that none waits forever.
TEST_F(GradeShared, AReferenceThatFailsEndsTheGradingOfAll) {
  runner_.failures = 1;
  cases_at_once_ = 2;
  EXPECT_THROW(grade(right), base::ToolError);
}

}  // namespace warpgrade::grader::grade::shared_runs_test

// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/simulated_case.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "grader/grade/plan/target.h"
#include "grader/report/render_json.h"
#include "tests/grader/grade/grade_fixture.h"
#include "tests/grader/grade/stage_fixture.h"

namespace warpgrade::grader::grade::simulated_case_test {

// The right results of a case, and the inputs that a launch borrows from them.

namespace {

class WholeCase : public Stage {
 protected:
  CaseJob job(bool is_shared) {
    return {.planned = planned("h200", "ragged"), .is_shared = is_shared, .work = 1'000'000};
  }
};

TEST_F(WholeCase, ALaunchHasTheInputsAndGivesThemBack) {
  begin(right);
  for (const bool is_shared : {false, true}) {
    const auto job = this->job(is_shared);
    RightResults results(*plan_, job, *job.planned.sized);
    const auto inputs = floats(results.before(/*inputs_too=*/true)[1]);
    for (int launch = 0; launch < 2; ++launch) {
      RightResults::Lent lent(results);
      EXPECT_EQ(inputs, floats(lent.buffers()[1]));
      EXPECT_NE(is_shared, results.expected().before[1].bytes.empty());
    }
    EXPECT_EQ(inputs, floats(results.expected().before[1])) << "back without a comparison, too";
  }
}

TEST_F(WholeCase, WhatALaunchLeavesIsComparedWithTheReference) {
  begin(right);
  const auto job = this->job(/*is_shared=*/false);
  RightResults results(*plan_, job, *job.planned.sized);
  RightResults::Lent well(results);
  twice(well.buffers());
  EXPECT_FALSE(well.difference());
  RightResults::Lent badly(results);
  const auto difference = badly.difference();
  ASSERT_TRUE(difference);
  EXPECT_EQ("out[0]", difference->element);
  EXPECT_FALSE(results.expected().before[1].bytes.empty()) << "has its inputs back";
}

TEST_F(WholeCase, OnlyARunForItsTimeAsksTheModel) {
  begin(right);
  const auto job = this->job(/*is_shared=*/false);
  RightResults results(*plan_, job, *job.planned.sized);
  EXPECT_EQ(0, run_whole(job, *job.planned.sized, results, Timing::kNone).measured.seconds);
  EXPECT_EQ(1e-6, run_whole(job, *job.planned.sized, results, Timing::kModelled).measured.seconds);
}

}  // namespace

// A measured case is checked in full at one size, and timed at another with a sample of its blocks.

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
      std::get<compile::Program>(out).ptx = {kReference, {}};
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
  EXPECT_EQ(report::Case::State::kIncorrect, report.cases.front().state);
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
  EXPECT_EQ(report::Case::State::kIncorrect, report.cases[0].state);
  EXPECT_EQ(report::Case::State::kNotRun, report.cases[1].state);
  EXPECT_EQ("", report.tool_trouble);
}

TEST_F(GradeLarge, AResultThatCannotBeCheckedIsNotRight) {
  in_sample_ = run_away;
  const auto report = grade(right);
  EXPECT_EQ(report::Verdict::kError, report.verdict);
  EXPECT_THAT(report.tool_trouble, HasSubstr("take too long to be simulated"));
  EXPECT_EQ(report::Case::State::kNotRun, report.cases.front().state);
}

// One case on fake devices: how it ends, and its limits.

namespace {

constexpr std::uint64_t kWork = 1'000'000;

class SimulatedCase : public Stage {
 protected:
  std::vector<CaseOutcome> execute(const PlannedCase& one,
                                   const std::vector<const PlannedCase*>& others) {
    return execute_case(*plan_, {.planned = one, .work = kWork, .threads = 1}, others);
  }
  CaseOutcome execute(const PlannedCase& one) { return execute(one, {}).front(); }
};

TEST_F(SimulatedCase, WithoutASpeedGateItIsCountedAndNotTimed) {
  begin(right);
  const auto& large = planned("h200", "large");
  EXPECT_TRUE(can_be_shared(plan_->gates, large));
  EXPECT_FALSE(can_be_shared(plan_->gates, planned("k40", "large")));
  const auto outcome = execute(large);
  EXPECT_TRUE(is_right(outcome));
  EXPECT_EQ(1U, h200_->counted);
  EXPECT_EQ(128, outcome.measured.metrics.at("sectors"));
}

TEST_F(SimulatedCase, ItsLaunchHasTheLimitOnWork) {
  begin(right);
  const auto one = planned("h200", "one");
  execute(one);
  EXPECT_THAT(h200_->budgets, ElementsAre(small_limit(one, 0)));
}

TEST_F(SimulatedCase, ARunawayKnowsTheLimitOfItsCase) {
  begin([](auto&, auto& measured) {
    measured.result.diagnostics.emplace_back().kind = base::DiagnosticKind::kRunaway;
  });
  const auto ragged = planned("h200", "ragged");
  const auto outcome = execute(ragged);
  const auto& found = std::get<FoundFaults>(outcome.ending).diagnostics;
  ASSERT_EQ(1U, found.size());
  ASSERT_TRUE(found[0].seen.limit);
  EXPECT_EQ("ragged", found[0].seen.limit->name);
  EXPECT_EQ(small_limit(ragged, 0), found[0].seen.limit->units);
}

TEST_F(SimulatedCase, ASmallOneMustBeRightInOtherOrdersToo) {
  in_other_orders_ = wrong_at(300);
  begin(right);
  EXPECT_TRUE(is_right(execute(planned("h200", "one"))));
  const auto outcome = execute(planned("h200", "ragged"));
  ASSERT_TRUE(ends_as<WrongResult>(outcome));
  EXPECT_THAT(std::get<WrongResult>(outcome.ending).seen.replay, HasSubstr("small/twice"));
  EXPECT_THAT(std::get<WrongResult>(outcome.ending).seen.replay, HasSubstr("--seed 7"));
}

TEST_F(SimulatedCase, ARaceInAnotherOrderGoesBeforeAWrongResult) {
  in_other_orders_ = race_at(300);
  begin(wrong_at(300));
  const auto outcome = execute(planned("h200", "ragged"));
  EXPECT_TRUE(ends_as<FoundFaults>(outcome));
  EXPECT_EQ(1U, h200_->schedule_seeds.size()) << "a single further order";
}

TEST_F(SimulatedCase, AFaultOfTheToolIsNoneOfTheSubmission) {
  begin([](auto&, auto&) { throw base::ToolError("out of memory"); });
  EXPECT_TRUE(ends_as<NotSimulated>(execute(planned("h200", "one"))));
  begin([](auto&, auto&) { throw base::UsageError("too many threads"); });
  EXPECT_TRUE(ends_as<NotLaunchable>(execute(planned("h200", "one"))));
}

}  // namespace

// Cases that run once for several devices: when they are shared, and that the grade is the same.

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
      program.ptx = {fmt::format(".version 9.0\n.target {0}\n", request.architecture) +
                         fmt::format(fmt::runtime(body), request.architecture),
                     request.file};
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
  EXPECT_EQ(report::Case::State::kPassed, report.cases[1].state);  // On h200.
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

}  // namespace warpgrade::grader::grade::simulated_case_test

// SPDX-License-Identifier: Apache-2.0
// Grading with a fake GPU: its share of the work, and verdicts from intervals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "tests/grader/grade/grade_fixture.h"

namespace warpgrade::grader::grade::measured_grading_test {

using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(GradeOnGpu, TheGpuTakesOverSpeedAndLeavesCountersToTheSimulator) {
  const auto report = grade_on_gpu();
  EXPECT_EQ(run::Backend::kSim, report.gates[0].backend);
  EXPECT_EQ(128, report.gates[0].value());
  EXPECT_EQ(run::Backend::kGpu, report.gates[1].backend);
  EXPECT_EQ(0.7, report.gates[1].value());
  EXPECT_EQ(0.69, report.gates[1].interval()->low);
  EXPECT_EQ(0.71, report.gates[1].interval()->high);
  EXPECT_EQ(0.69, std::get<report::MeasuredInterval>(*report.fraction_of_copy()).low);
  EXPECT_THAT(report.gates[1].interval()->samples, ElementsAre(ElementsAre(1, 2, 2, 1)));
  EXPECT_THAT(gpu_->bounds, ElementsAre(ElementsAre(0.5)));
  EXPECT_EQ(4u, gpu_->launches.size());  // Two small cases, and the large one with two contents.
  EXPECT_EQ(3u, h200_->launches.size());
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
}

TEST_F(GradeOnGpu, TheReferenceAndTheInputsOfALargeCaseGoToTheCard) {
  grade_on_gpu();
  ASSERT_EQ(1u, gpu_->timed_cases.size());
  const auto& timed = gpu_->timed_cases[0];
  EXPECT_EQ("twice_reference", timed.reference_launch.kernel);
  ASSERT_EQ(2u, timed.before.size());
  EXPECT_EQ(4096u, timed.before[0].bytes);
  EXPECT_EQ(4096u, timed.before[1].bytes);
  EXPECT_THAT(timed.any_order, ElementsAre(false, true));
  EXPECT_EQ(3, runner_.launches);  // For two small cases and the simulated large one.
}

TEST_F(GradeOnGpu, TheLargeCasesOfASubmissionGoThereTogetherEachWithItsGates) {
  auto& exercise = kernel_in(lab_);
  auto other = exercise.cases.back();
  other.name = "larger";
  other.variables["n"] *= 2;
  exercise.cases.push_back(other);
  const auto report = grade_on_gpu();
  EXPECT_THAT(gpu_->begun, ElementsAre(2));
  ASSERT_EQ(2u, gpu_->timed_cases.size());
  EXPECT_EQ(4096u, gpu_->timed_cases[0].before[0].bytes);
  EXPECT_TRUE(gpu_->timed_cases[0].is_timed);
  EXPECT_EQ(8192u, gpu_->timed_cases[1].before[0].bytes);
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
}

TEST_F(GradeOnGpu, ALargeCaseWithoutAGateOnSpeedIsCheckedOnly) {
  kernel_in(lab_).gates[1].device = "k40";
  kernel_in(lab_).gates[1].simulated = true;
  const auto report = grade_on_gpu();
  ASSERT_EQ(1u, gpu_->timed_cases.size());
  EXPECT_FALSE(gpu_->timed_cases[0].is_timed);
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
}

// The gate is for a K40. Its bound on this card is half of the solution's value here.
TEST_F(GradeOnGpu, ASpeedGateOfAnotherDeviceIsMeasuredHereAndSimulatedNowhere) {
  kernel_in(lab_).gates[1].device = "k40";
  course_.solution.emplace("large", report::MeasuredInterval(0.9, 0.89, 0.91));
  course_.skeleton.emplace("large", report::MeasuredInterval(0.2, 0.19, 0.21));
  const auto report = grade_on_gpu();
  const auto& gate = report.gates[1];
  EXPECT_EQ(run::Backend::kGpu, gate.backend);
  EXPECT_EQ("h200", gate.definition.device);
  EXPECT_EQ(0.45, gate.deciding_bounds().min);
  EXPECT_EQ(0.2, gate.definition.skeleton);
  EXPECT_EQ(0.9, gate.definition.ideal);
  EXPECT_THAT(gpu_->bounds, ElementsAre(ElementsAre(0.45)));
  EXPECT_TRUE(k40_->copied.empty());
  EXPECT_EQ(3u, k40_->launches.size());  // They check the result on the k40.
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
  EXPECT_EQ(6u, report.points);
}

TEST_F(GradeOnGpu, BytesAndOperationsGoToTheCard) {
  auto& exercise = kernel_in(lab_);
  exercise.gates[1].metric = course::kFractionOfRoofline;
  exercise.bytes = text::Expression{"16 * n", {}};
  exercise.operations = text::Expression{"125 * n", {}};
  grade_on_gpu();
  ASSERT_EQ(1u, gpu_->timed_cases.size());
  EXPECT_EQ(16384u, gpu_->timed_cases[0].bytes);
  EXPECT_EQ(128000, gpu_->timed_cases[0].operations);
}

TEST_F(GradeOnGpu, AResultThatIsWrongAtTheSecondLaunchOnlyIsWrong) {
  int launches = 0;
  const auto report = grade_on_gpu([&launches](auto& buffers, auto&) {
    if (++launches != 4) twice(buffers);
  });
  EXPECT_EQ(report::Reason::kIncorrect, report.reason);
  EXPECT_FALSE(report.gates[1].decision);
  EXPECT_EQ(0u, report.points);
}

TEST_F(GradeOnGpu, WithoutAGoodSampleTheGradeIsInconclusive) {
  fraction_ = {
      std::nullopt, false, {}, "11 samples were measured again; every sample was disturbed"};
  const auto report = grade_on_gpu();
  EXPECT_EQ(report::Verdict::kInconclusive, report.verdict);
  EXPECT_EQ(report::Reason::kTool, report.reason);
  EXPECT_TRUE(report.correct);
  EXPECT_FALSE(report.gates[1].has_failed());
  EXPECT_FALSE(report.gates[1].value());
  EXPECT_FALSE(report.fraction_of_copy());
}

TEST_F(GradeOnGpu, AGateWithinTheIntervalIsInconclusiveAndNoWrongAnswer) {
  fraction_ = {measure::FractionEstimate{0.51, 0.49, 0.53},
               false,
               {{1, 2, 2, 1}},
               "the machine is too noisy"};
  const auto report = grade_on_gpu();
  EXPECT_EQ(report::Verdict::kInconclusive, report.verdict);
  EXPECT_EQ(report::Reason::kTool, report.reason);
  EXPECT_TRUE(report.correct);
  EXPECT_EQ(report::GateOutcome::kUndecided, report.gates[1].decision);
  EXPECT_EQ(5u, report.points);  // All points except those for speed.
  EXPECT_THAT(report.warnings, ElementsAre("case large: the machine is too noisy"));
  EXPECT_THAT(report.next, HasSubstr("not the submission's fault"));
  report::Report all;
  all.exercises = {report};
  EXPECT_EQ(3, all.exit_code());
}

TEST_F(GradeOnGpu, AGpuThatFailsCostsThisExerciseOnly) {
  int launches = 0;
  const auto report = grade_on_gpu([&launches](auto& buffers, auto&) {
    if (++launches == 2) throw base::ToolError("the process that uses the GPU has died");
    twice(buffers);
  });
  EXPECT_EQ(report::Verdict::kError, report.verdict);
  EXPECT_THAT(report.next, HasSubstr("the process that uses the GPU has died"));
}

TEST_F(GradeOnGpu, AFaultOfTheKernelIsTheStudents) {
  int launches = 0;
  const auto report = grade_on_gpu([&launches](auto& buffers, auto& measured) {
    twice(buffers);
    if (++launches == 3) measured.result.diagnostics.emplace_back();
  });
  EXPECT_EQ(report::Reason::kDiagnostic, report.reason);
}

}  // namespace warpgrade::grader::grade::measured_grading_test

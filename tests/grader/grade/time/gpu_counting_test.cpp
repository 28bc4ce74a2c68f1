// SPDX-License-Identifier: Apache-2.0
// A fake GPU's counts beside the simulator's.
#include "grader/grade/time/gpu_counting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/grade/gpu_grade_fixture.h"

namespace warpgrade::grader::grade::gpu_counting_test {

using testing::ElementsAre;
using testing::Pair;

// The small lab with the card's counters requested.
class CountOnGpu : public GradeOnGpu {
 protected:
  CountOnGpu() {
    counters_ = true;
    gpu_counters_ = {{{"sectors", 127}}, ""};
  }
};

TEST_F(CountOnGpu, TheLaunchThatGatesCountIsCountedOnTheCardToo) {
  const auto report = grade_on_gpu();
  ASSERT_EQ(1U, report.counted.size());
  const auto& counted = report.counted[0];
  EXPECT_EQ("large", counted.name);
  EXPECT_EQ((text::Variables{{"n", 1024}}), counted.variables);
  EXPECT_EQ("h200", counted.device);
  EXPECT_THAT(counted.gpu, ElementsAre(Pair("sectors", 127)));
  EXPECT_THAT(counted.simulated, ElementsAre(Pair("sectors", 128)));
  EXPECT_EQ("", counted.reason);
  ASSERT_EQ(1U, gpu_->counted.size());
  EXPECT_EQ(h200_->launches.back().grid, gpu_->counted[0].first.grid);
  EXPECT_EQ(h200_->before.back()[1].bytes, gpu_->counted[0].second[1].bytes);
  EXPECT_EQ(h200_->before.back()[0].bytes, gpu_->counted[0].second[0].bytes);
  EXPECT_EQ(128, report.gates[0].value());
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
}

TEST_F(CountOnGpu, NothingIsCountedThatNobodyAskedFor) {
  counters_ = false;
  EXPECT_TRUE(grade_on_gpu().counted.empty());
  EXPECT_TRUE(gpu_->counted.empty());
}

TEST_F(CountOnGpu, WithoutCountersTheGradeIsTheSameAndTheReasonIsTold) {
  gpu_counters_ = {{}, "this user may not"};
  auto report = grade_on_gpu();
  EXPECT_EQ("this user may not", report.counted.at(0).reason);
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
  gpu_counters_.reset();
  report = grade_on_gpu();
  EXPECT_EQ("another grader holds the card", report.counted.at(0).reason);
  EXPECT_TRUE(report.counted.at(0).gpu.empty());
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
  EXPECT_EQ(6U, report.points);
}

TEST_F(CountOnGpu, AWrongResultIsNotCounted) {
  const auto report = grade_on_gpu([](auto&, auto&) {});
  EXPECT_EQ(report::Reason::kIncorrect, report.reason);
  EXPECT_TRUE(gpu_->counted.empty());
  EXPECT_TRUE(report.counted.empty());
}

TEST_F(CountOnGpu, ALaunchThatOnlyTheSimulatorFindsWrongIsNotCounted) {
  simulated_ = [](auto& buffers, auto&) {
    if (buffers[0].bytes.size() < 4096) twice(buffers);  // wrong in the large case
  };
  const auto report = grade_on_gpu();
  EXPECT_EQ(report::Reason::kIncorrect, report.reason);
  EXPECT_TRUE(gpu_->counted.empty());
  EXPECT_TRUE(report.counted.empty());
}

TEST_F(CountOnGpu, ACardThatNoGateNamesIsCountedBesideItsOwnProfile) {
  for (auto& gate : kernel_in(lab_).gates) gate.device = "k40";
  kernel_in(lab_).gates[1].simulated = true;
  const auto report = grade_on_gpu();
  ASSERT_EQ(1U, report.counted.size());
  EXPECT_EQ("h200", report.counted[0].device);
  EXPECT_THAT(report.counted[0].gpu, ElementsAre(Pair("sectors", 127)));
  EXPECT_THAT(report.counted[0].simulated, ElementsAre(Pair("sectors", 128)));
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
}

TEST_F(CountOnGpu, AChoiceOfAnotherDeviceLeavesTheCardOut) {
  const auto report = grade_on_gpu(right, "k40");
  EXPECT_TRUE(report.counted.empty());
  EXPECT_THAT(report.warnings, ::testing::Contains("no counters of the card: its profile, h200, is "
                                                   "not simulated here"));
}

}  // namespace warpgrade::grader::grade::gpu_counting_test

// SPDX-License-Identifier: Apache-2.0
// Tables of runs, their deviation from published values, and the order of kernels.
#include "grader/study/study_result.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::study::study_result_test {

// Kernels a and b on k40 over n = 1 and 2; both published, b twice as fast.
class StudyResultTest : public testing::Test {
 protected:
  StudyResultTest() {
    study.parts.resize(1);
    auto& part = study.parts[0];
    part.devices = {{"k40", false}};
    part.axis = std::string("n");
    part.values = {1, 2};
    part.quantity = Quantity::kBandwidth;
    part.kernels.resize(2);
    part.kernels[0].id = std::string("a");
    part.kernels[1].id = std::string("b");
    PublishedTable table;
    for (const double n : {1, 2}) {
      table.rows.push_back({"k40", "a", {{"n", n}}, 100, 1});
      table.rows.push_back({"k40", "b", {{"n", n}}, 200, 2});
    }
    part.published = {table};
    result.study = &study;
    result.parts.resize(1);
    result.parts[0].part = &part;
    result.parts[0].runs.resize(4);
    set(0, 0, 100);
    set(0, 1, 110);
    set(1, 0, 200);
    set(1, 1, 180);
  }
  void set(std::size_t kernel, std::size_t value, double bandwidth) {
    auto& run = result.parts[0].at({0, kernel, value});
    run.state = Run::State::kDone;
    run.seconds = 1;
    run.bytes = bandwidth;
  }
  PartResult& part() { return result.parts[0]; }

  Study study;
  Result result;
};

TEST_F(StudyResultTest, ABandwidthIsShownBesideThePublishedOne) {
  EXPECT_EQ(110, part().shown({0, 0, 1}));
  EXPECT_EQ(100, part().published({0, 0, 1}));
  EXPECT_NEAR(0.1, part().deviation({0, 0, 1}).value(), 1e-12);
}

TEST_F(StudyResultTest, ARunThatWasNotMadeShowsNothing) {
  part().at({0, 0, 0}).state = Run::State::kDoesNotFit;
  EXPECT_FALSE(part().shown({0, 0, 0}));
  EXPECT_FALSE(part().deviation({0, 0, 0}));
}

TEST_F(StudyResultTest, AStepIsTheSpeedUpOnTheKernelBefore) {
  study.parts[0].quantity = Quantity::kStep;
  EXPECT_FALSE(part().shown({0, 0, 0}));
  EXPECT_EQ(2, part().shown({0, 1, 0}));
}

TEST_F(StudyResultTest, SecondsAndMetricsAreTheRunsOwn) {
  study.parts[0].quantity = Quantity::kSeconds;
  EXPECT_EQ(1, part().shown({0, 0, 0}));
  study.parts[0].quantity = Quantity::kMetric;
  EXPECT_FALSE(part().shown({0, 0, 0}));
  part().at({0, 0, 0}).metric = 7;
  EXPECT_EQ(7, part().shown({0, 0, 0}));
}

TEST_F(StudyResultTest, AgreementIsTheMeanAndTheLargestDeviation) {
  const auto all = agreements(result);
  ASSERT_EQ(1U, all.size());
  EXPECT_EQ("k40", all[0].device);
  EXPECT_EQ(4U, all[0].values);
  EXPECT_NEAR(0.05, all[0].mean, 1e-12);
  EXPECT_NEAR(0.1, std::abs(all[0].largest), 1e-12);
  EXPECT_EQ(2U, all[0].pairs);
  EXPECT_TRUE(all[0].misplaced.empty());
}

TEST_F(StudyResultTest, KernelsTheWrongWayRoundAreNamed) {
  set(0, 1, 300);
  const auto all = agreements(result);
  ASSERT_EQ(1U, all[0].misplaced.size());
  EXPECT_EQ("a before b at n = 2", all[0].misplaced[0]);
}

TEST_F(StudyResultTest, PointsComeByDeviceKernelAndValue) {
  const auto points = part().points();
  ASSERT_EQ(4U, points.size());
  EXPECT_EQ(0U, points[1].kernel);
  EXPECT_EQ(1U, points[1].value);
  EXPECT_EQ(1U, points[2].kernel);
}

TEST_F(StudyResultTest, TheExitCodeTellsAFailedKernelFromWhatTheToolLacks) {
  result.only_unsupported = true;
  EXPECT_EQ(0, result.exit_code());
  part().at({0, 0, 0}).state = Run::State::kFailed;
  result.diagnostics = {"m"};
  EXPECT_EQ(3, result.exit_code());
  result.only_unsupported = false;
  EXPECT_EQ(1, result.exit_code());
}

}  // namespace warpgrade::grader::study::study_result_test

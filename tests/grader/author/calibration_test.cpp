// SPDX-License-Identifier: Apache-2.0
// The calibration card: how it is stored, measured and used.
#include "grader/author/calibration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "common/base/error.h"
#include "tests/grader/grade/grade_fixture.h"

namespace warpgrade::grader::author::calibration_test {

using testing::ElementsAre;
using testing::HasSubstr;

grade::SolutionOnGpu solution(double low, double high, double min) {
  grade::SolutionOnGpu one;
  one.exercise = "small/twice";
  one.gate = "speed";
  one.case_name = "large";
  one.value = (low + high) / 2;
  one.low = low;
  one.high = high;
  one.min = min;
  return one;
}

grade::GpuCalibration calibration_with(const grade::SolutionOnGpu& one) {
  grade::GpuCalibration card;
  card.device = "NVIDIA H200";
  card.driver = "580.159.04";
  card.date = "2026-11-21";
  card.copy_bytes = 251658240;
  card.copy_bytes_per_second = 4.2e12;
  card.memcpy_bytes_per_second = 4.1e12;
  card.datasheet_bytes_per_second = 4.8e12;
  card.within = 0.01;
  card.between = 0.002;
  card.launch_seconds = 3e-6;
  card.solutions = {one};
  return card;
}

TEST(GpuCalibration, IsTheSameAfterItWasStored) {
  auto card = calibration_with(solution(0.8, 0.9, 0.6));
  const auto again = grade::calibration_from_json(to_json(card));
  ASSERT_TRUE(again);
  EXPECT_EQ("NVIDIA H200", again->device);
  EXPECT_EQ("580.159.04", again->driver);
  EXPECT_EQ("2026-11-21", again->date);
  EXPECT_EQ(251658240u, again->copy_bytes);
  EXPECT_EQ(4.2e12, again->copy_bytes_per_second);
  EXPECT_EQ(4.1e12, again->memcpy_bytes_per_second);
  EXPECT_EQ(4.8e12, again->datasheet_bytes_per_second);
  EXPECT_EQ(0.01, again->within);
  EXPECT_EQ(0.002, again->between);
  EXPECT_EQ(3e-6, again->launch_seconds);
  ASSERT_EQ(1u, again->solutions.size());
  EXPECT_EQ("small/twice", again->solutions[0].exercise);
  EXPECT_EQ(0.8, again->solutions[0].low);
  EXPECT_EQ(0.6, again->solutions[0].min);
  EXPECT_FALSE(again->solutions[0].max);
}

TEST(GpuCalibration, WhatIsNoCardIsNone) {
  EXPECT_FALSE(grade::calibration_from_json(""));
  EXPECT_FALSE(grade::calibration_from_json("{"));
  EXPECT_FALSE(grade::calibration_from_json("{\"schema\": \"warpgrade.grade/1\"}"));
  EXPECT_FALSE(grade::calibration_from_json("{\"schema\": \"warpgrade.card/1\", \"device\": 5}"));
  EXPECT_FALSE(grade::read_calibration("no/such/file"));
}

TEST(GpuCalibration, EachDeviceAndDriverHasItsFile) {
  const char* const before = std::getenv("XDG_CACHE_HOME");
  const std::string kept = before == nullptr ? "" : before;
  setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ("/cache/warpgrade/NVIDIA-H200_580.159.04.json",
            grade::calibration_file("NVIDIA H200", "580.159.04").string());
  if (kept.empty()) {
    unsetenv("XDG_CACHE_HOME");
  } else {
    setenv("XDG_CACHE_HOME", kept.c_str(), 1);
  }
}

TEST(GpuCalibration, TheFloorIsFourDeviationsOrAGuess) {
  EXPECT_EQ(0.01, grade::noise_floor({}));
  auto card = calibration_with(solution(0.8, 0.9, 0.6));
  EXPECT_DOUBLE_EQ(0.008, noise_floor(card));
  card.between = 0.0001;
  EXPECT_DOUBLE_EQ(0.005, noise_floor(card));
}

TEST(GpuCalibration, AGateThatTheSolutionClearsWithRoomIsKept) {
  EXPECT_FALSE(waiver_of(calibration_with(solution(0.613, 0.63, 0.6)), "small/twice", "speed"));
  EXPECT_FALSE(waiver_of(calibration_with(solution(0.4, 0.5, 0.6)), "small/thrice", "speed"));
}

TEST(GpuCalibration, AGateThatTheSolutionHardlyClearsIsWaived) {
  EXPECT_EQ((report::NearBound{0.611, 0.63, 0.6, "2026-11-21"}),
            waiver_of(calibration_with(solution(0.611, 0.63, 0.6)), "small/twice", "speed"));
}

// A comparison whose samples have these natural logarithms.
measure::CopyComparison comparison_of(const std::vector<double>& logs) {
  measure::CopyComparison out;
  out.fraction.emplace();
  for (const auto log : logs) out.fraction->samples.push_back({std::exp(log), 1, 1, std::exp(log)});
  return out;
}

class ScriptedBench final : public measure::GpuBench {
 public:
  explicit ScriptedBench(std::vector<measure::CopyComparison> found) : found_(std::move(found)) {
    profile_.architecture = "sm_90";
  }
  const device::Profile& profile() const override { return profile_; }
  measure::Measurement measure(const compile::Program&, const run::Sequence&,
                               std::vector<run::Buffer>&, std::uint32_t) override {
    return {};
  }
  std::unique_ptr<measure::CopyComparisons> comparisons(
      const compile::Program&, std::vector<measure::TimedCase> cases) override {
    class Next final : public measure::CopyComparisons {
     public:
      explicit Next(measure::CopyComparison found) : found_(std::move(found)) {}
      measure::CopyComparison compare(std::size_t) override { return found_; }

     private:
      measure::CopyComparison found_;
    };
    for (const auto& pattern : cases.at(0).before) sizes.push_back(pattern.bytes);
    return std::make_unique<Next>(found_.at(asked_++));
  }
  measure::GpuCounters count(const compile::Program&, const run::Sequence&,
                             const std::vector<run::Buffer>&) override {
    return {};
  }
  double copy_seconds(std::uint64_t) override { return 0; }

  std::vector<std::uint64_t> sizes;

 private:
  device::Profile profile_;
  std::vector<measure::CopyComparison> found_;
  std::size_t asked_ = 0;
};

// The spreads within the three processes are 0.01, 0.02 and 0.03. Their medians are 0, 0.1 and 0.2,
// with a standard deviation of 0.1. Noise within the processes accounts for 0.02^2 * pi / 2 / 3 =
// 0.00020944 of the variance of 0.01.
TEST(MeasureNoise, WithinIsTheMiddleSpreadAndBetweenThatOfTheMedians) {
  ScriptedBench bench({comparison_of({-0.01, 0, 0.01}), comparison_of({0.08, 0.1, 0.12}),
                       comparison_of({0.17, 0.2, 0.23})});
  grade::GpuCalibration card;
  measure_noise(bench, 4096, 3, card);
  EXPECT_NEAR(0.02, card.within, 1e-12);
  EXPECT_NEAR(0.098947, card.between, 1e-6);
  EXPECT_THAT(bench.sizes, testing::ElementsAre(4096, 4096, 4096, 4096, 4096, 4096));
}

TEST(MeasureNoise, ProcessesThatDifferByTheirOwnNoiseOnlyDoNotDiffer) {
  ScriptedBench bench({comparison_of({-0.01, 0, 0.01}), comparison_of({-0.009, 0.001, 0.011})});
  grade::GpuCalibration card;
  measure_noise(bench, 4096, 2, card);
  EXPECT_EQ(0, card.between);
}

TEST(MeasureNoise, ACopyThatIsWrongIsOurs) {
  ScriptedBench bench({measure::CopyComparison()});
  grade::GpuCalibration card;
  EXPECT_THROW(measure_noise(bench, 4096, 1, card), base::ToolError);
}

TEST(SolutionsOnGpu, AreTheGatesThatAGpuMeasured) {
  report::Report report;
  auto& item = report.exercises.emplace_back();
  item.lab = "small";
  item.exercise = "twice";
  item.gates.resize(2);
  item.gates[1].definition.id = "speed";
  item.gates[1].bounds["large"].min = 0.5;
  item.gates[1].worst = {"large", report::MeasuredInterval{0.8, 0.79, 0.81, {}},
                         report::GateOutcome::kPassed};
  const auto found = solutions_on_gpu(report);
  ASSERT_EQ(1u, found.size());
  EXPECT_EQ("small/twice", found[0].exercise);
  EXPECT_EQ("large", found[0].case_name);
  EXPECT_EQ(0.79, found[0].low);
  EXPECT_EQ(0.5, found[0].min);
}

TEST(RenderCalibration, TellsCopyNoiseAndWhatIsWaived) {
  const auto text = render_calibration(calibration_with(solution(0.611, 0.63, 0.6)));
  EXPECT_THAT(text, HasSubstr("NVIDIA H200, driver 580.159.04, 2026-11-21\n"));
  EXPECT_THAT(text, HasSubstr("(1.024 of the driver's copy, 0.875 of the datasheet)"));
  EXPECT_THAT(text, HasSubstr("noise        1.00 % of a sample, 0.20 % between processes"));
  EXPECT_THAT(text,
              HasSubstr("small/twice  speed  large    0.621 +- 0.010  >= 0.6  waived: too near"));
}

class GradeWithGpu : public grade::Grade {
 protected:
  void SetUp() override {
    grade::Grade::SetUp();
    course::kernel_in(lab_).gates[1].device = "h200";
  }
};

TEST_F(GradeWithGpu, AWaivedGateFailsNobodyAndSaysSo) {
  const auto card = calibration_with(solution(0.49, 0.51, 0.5));
  calibration_ = &card;
  grade::FakeGpuBench gpu("h200", "sm_90", right);
  gpu.fraction = {measure::FractionEstimate{0.3, 0.29, 0.31}, true, {}, ""};
  const auto report = grade(right, {}, &gpu);
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
  EXPECT_EQ(6u, report.points);
  EXPECT_TRUE(report.gates[1].waiver);
  EXPECT_THAT(gpu.bounds, ElementsAre(ElementsAre()));
  ASSERT_EQ(1u, report.warnings.size());
  EXPECT_THAT(report.warnings[0], HasSubstr("gate speed is waived on this card"));
}

TEST_F(GradeWithGpu, AGateThatIsNotWaivedFailsAsEver) {
  const auto card = calibration_with(solution(0.7, 0.8, 0.5));
  calibration_ = &card;
  grade::FakeGpuBench gpu("h200", "sm_90", right);
  gpu.fraction = {measure::FractionEstimate{0.3, 0.29, 0.31}, true, {}, ""};
  const auto report = grade(right, {}, &gpu);
  EXPECT_EQ(report::Reason::kPerformance, report.reason);
  EXPECT_FALSE(report.gates[1].waiver);
}

}  // namespace warpgrade::grader::author::calibration_test

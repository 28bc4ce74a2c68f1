// SPDX-License-Identifier: Apache-2.0
#include "grader/author/margins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::author::margins_test {

using testing::ElementsAre;
using testing::IsEmpty;

report::GateReport speed(double value) {
  report::GateReport out;
  out.gate.id = "speed";
  out.gate.metric = course::kFractionOfCopy;
  out.gate.device = "h200";
  out.bounds.min = 0.5;
  out.decision = outcome_of(value, out.bounds);
  out.worst = {"large", value, *out.decision};
  return out;
}

class Margins : public testing::Test {
 protected:
  void add(Expectation::Kind kind, const std::string& file, report::GateReport gate) {
    expectations_.push_back({kind, {&lab_, &exercise_, {file, file, {}, {}}}, {}});
    report::ExerciseReport report;
    report.lab = "small";
    report.exercise = "twice";
    report.file = file;
    report.gates.push_back(std::move(gate));
    reports_.push_back(std::move(report));
  }
  Margin only() {
    auto all = margins(expectations_, reports_);
    EXPECT_EQ(1u, all.size());
    return all.at(0);
  }

  course::Lab lab_;
  course::Exercise exercise_;
  std::vector<Expectation> expectations_;
  std::vector<report::ExerciseReport> reports_;
};

TEST_F(Margins, HoldTheSolutionAndTheBestThatTheGateStops) {
  add(Expectation::Kind::kSkeleton, "skeleton.cu", speed(0.1));
  add(Expectation::Kind::kSolution, "solution.cu", speed(0.9));
  add(Expectation::Kind::kWrong, "lazy.cu", speed(0.3));
  add(Expectation::Kind::kWrong, "fails_elsewhere.cu", speed(0.8));
  const auto margin = only();
  EXPECT_EQ("small/twice", margin.exercise);
  EXPECT_EQ(0.9, margin.solution);
  EXPECT_EQ(0.3, margin.best_outside);
  EXPECT_EQ("lazy.cu", margin.best_outside_file);
  EXPECT_THAT(too_near(margin), IsEmpty());
}

TEST_F(Margins, NothingIsStoppedWhereNothingFails) {
  add(Expectation::Kind::kSolution, "solution.cu", speed(0.9));
  EXPECT_FALSE(only().best_outside);
}

TEST_F(Margins, ABoundWithinThreePercentOfTheSolutionIsAFinding) {
  add(Expectation::Kind::kSolution, "solution.cu", speed(0.514));
  EXPECT_THAT(
      too_near(only()),
      ElementsAre(
          "small/twice: gate speed: the solution reaches 0.514, within 3 % of the bound 0.5"));
}

TEST_F(Margins, ABoundWithinThreePercentOfWhatItStopsIsAFinding) {
  add(Expectation::Kind::kSolution, "solution.cu", speed(0.9));
  add(Expectation::Kind::kWrong, "lazy.cu", speed(0.486));
  EXPECT_THAT(too_near(only()),
              ElementsAre("small/twice: gate speed: lazy.cu reaches 0.486, within 3 % of the bound "
                          "0.5"));
}

TEST_F(Margins, CountersAreExactAndMayTouchTheirBounds) {
  auto gate = speed(0.5);
  gate.gate.metric = "sectors";
  add(Expectation::Kind::kSolution, "solution.cu", gate);
  EXPECT_THAT(too_near(only()), IsEmpty());
}

// With a model error of 20 %, only speeds below 0.4 miss a bound of 0.5.
report::GateReport modelled(double value) {
  auto out = speed(value);
  out.gate.model_margin = 0.2;
  out.gate.max_points = 1;
  return out;
}

TEST_F(Margins, AModelledGateSaysWhatItsErrorLetsThrough) {
  add(Expectation::Kind::kSolution, "solution.cu", modelled(0.9));
  EXPECT_EQ("", too_wide(only()));
  add(Expectation::Kind::kWrong, "slow.cu", modelled(0.38));
  EXPECT_EQ("", too_wide(only()));
  add(Expectation::Kind::kWrong, "lazy.cu", modelled(0.45));
  EXPECT_EQ(
      "small/twice: gate speed: the time model's margin is 20 % on h200, so lazy.cu passes with "
      "0.45",
      too_wide(only()));
  EXPECT_THAT(too_near(only()), IsEmpty());
}

TEST_F(Margins, AModelledGateThatTheSkeletonPassesIsToldToo) {
  auto gate = modelled(0.9);
  gate.gate.skeleton = 0.42;
  add(Expectation::Kind::kSolution, "solution.cu", gate);
  EXPECT_EQ(
      "small/twice: gate speed: the time model's margin is 20 % on h200, so the skeleton passes "
      "with 0.42",
      too_wide(only()));
}

TEST_F(Margins, WhatIsNearWhereAModelledGateStopsIsAFinding) {
  add(Expectation::Kind::kSolution, "solution.cu", modelled(0.9));
  add(Expectation::Kind::kWrong, "slow.cu", modelled(0.395));
  EXPECT_THAT(too_near(only()),
              ElementsAre("small/twice: gate speed: slow.cu reaches 0.395, within 3 % of the bound "
                          "0.4"));
}

}  // namespace warpgrade::grader::author::margins_test

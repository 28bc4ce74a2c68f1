// SPDX-License-Identifier: Apache-2.0
#include "grader/report/report.h"

#include <gtest/gtest.h>

#include <limits>

namespace warpgrade::grader::report::report_test {

MeasuredInterval interval(double low, double high) { return {(low + high) / 2, low, high, {}}; }

TEST(GateBounds, AreInclusiveAndNaNIsNeverWithinThem) {
  const GateBounds bounds{1, 2};
  EXPECT_TRUE(bounds.contain(1));
  EXPECT_TRUE(bounds.contain(2));
  EXPECT_FALSE(bounds.contain(0.999));
  EXPECT_FALSE(bounds.contain(2.001));
  EXPECT_FALSE(GateBounds().contain(std::numeric_limits<double>::quiet_NaN()));
}

TEST(GateOutcome, NoAccessFailsWhateverTheBounds) {
  EXPECT_EQ(GateOutcome::kFailed, outcome_of(NoAccess{}, {}));
  EXPECT_FALSE(number_of(NoAccess{}));
}

TEST(GateOutcome, WhatIsNotMeasuredOrNoNumberDecidesNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const GateBounds bounds{0.5, 0.6};
  EXPECT_EQ(GateOutcome::kUndecided, outcome_of(GateValue(), bounds));
  EXPECT_EQ(GateOutcome::kUndecided, outcome_of(NotMeasured{}, {}));
  EXPECT_EQ(GateOutcome::kUndecided, outcome_of(nan, bounds));
  EXPECT_EQ(GateOutcome::kUndecided, outcome_of(MeasuredInterval{nan, nan, nan}, {}));
  EXPECT_EQ(GateOutcome::kUndecided, outcome_of(MeasuredInterval{0.55, 0.55, nan}, bounds));
  EXPECT_EQ(GateOutcome::kUndecided, GateMeasurement().outcome);
  EXPECT_FALSE(number_of(NotMeasured{}));
}

TEST(QuotientOf, TimesThatAreNoneGiveNoNumber) {
  EXPECT_EQ(0.5, number_of(quotient_of(1, 2)));
  for (const double none : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::infinity()}) {
    EXPECT_FALSE(number_of(quotient_of(1, none)));
    EXPECT_FALSE(number_of(quotient_of(none, 1)));
    EXPECT_EQ(GateOutcome::kUndecided, outcome_of(quotient_of(none, 1), {0.5, {}}));
  }
}

TEST(GateOutcome, ANumberPassesOrFails) {
  EXPECT_EQ(GateOutcome::kPassed, outcome_of(0.5, {0.5, {}}));
  EXPECT_EQ(GateOutcome::kFailed, outcome_of(0.49, {0.5, {}}));
  EXPECT_EQ(GateOutcome::kFailed, outcome_of(0.51, {{}, 0.5}));
}

TEST(GateOutcome, AnIntervalIsJudgedByAllOfIt) {
  const GateBounds least{0.5, {}};
  EXPECT_EQ(GateOutcome::kPassed, outcome_of(interval(0.5, 0.6), least));
  EXPECT_EQ(GateOutcome::kUndecided, outcome_of(interval(0.49, 0.6), least));
  EXPECT_EQ(GateOutcome::kUndecided, outcome_of(interval(0.4, 0.5), least));
  EXPECT_EQ(GateOutcome::kFailed, outcome_of(interval(0.4, 0.499), least));
  const GateBounds most{{}, 0.5};
  EXPECT_EQ(GateOutcome::kPassed, outcome_of(interval(0.4, 0.5), most));
  EXPECT_EQ(GateOutcome::kUndecided, outcome_of(interval(0.49, 0.6), most));
  EXPECT_EQ(GateOutcome::kFailed, outcome_of(interval(0.5, 0.6), most));
  const GateBounds between{0.4, 0.6};
  EXPECT_EQ(GateOutcome::kPassed, outcome_of(interval(0.4, 0.6), between));
  EXPECT_EQ(GateOutcome::kUndecided, outcome_of(interval(0.3, 0.7), between));
}

TEST(Gate, AGateThatNobodyMeasuredHasNeitherPassedNorFailed) {
  const Gate gate;
  EXPECT_FALSE(gate.has_passed());
  EXPECT_FALSE(gate.has_failed());
  EXPECT_FALSE(gate.value());
  EXPECT_EQ(nullptr, gate.interval());
}

TEST(Gate, TheValueOfAnIntervalIsItsMiddle) {
  Gate gate;
  gate.worst = {"large", MeasuredInterval{0.7, 0.6, 0.9, {}}, GateOutcome::kPassed};
  EXPECT_EQ(0.7, gate.value());
  EXPECT_EQ(0.9, gate.interval()->high);
  gate.worst->value = 0.3;
  EXPECT_EQ(0.3, gate.value());
  EXPECT_EQ(nullptr, gate.interval());
}

// 0.5 is 30 % below 0.714. With that error the true speed can reach a bound of 0.7, but not one of
// 0.72.
TEST(ModelledSpeed, FailsOnlyWhereItFailsWithTheWholeErrorInItsFavour) {
  const GateBounds least{0.7, {}};
  EXPECT_EQ(GateOutcome::kPassed, outcome_of(0.5, least.for_model(0.3)));
  EXPECT_EQ(GateOutcome::kFailed, outcome_of(0.48, least.for_model(0.3)));
  EXPECT_EQ(GateOutcome::kFailed, outcome_of(0.5, GateBounds{0.72, {}}.for_model(0.3)));
  EXPECT_EQ(GateOutcome::kFailed, outcome_of(0.5, least.for_model(0)));
  EXPECT_EQ(GateOutcome::kPassed, outcome_of(1.25, GateBounds{{}, 1}.for_model(0.3)));
  EXPECT_EQ(GateOutcome::kFailed, outcome_of(1.35, GateBounds{{}, 1}.for_model(0.3)));
}

// If the model is off by a fifth, it predicts 0.4 to 0.6 for a true 0.5.
TEST(ModelledSpeed, HasTheRangeOfTrueSpeedsThatTheModelMayHaveTakenForIt) {
  Gate gate;
  gate.worst = {"large", 0.6, GateOutcome::kPassed};
  EXPECT_FALSE(gate.model_range());
  gate.model_error = gate.model_margin = 0.2;
  EXPECT_DOUBLE_EQ(0.5, gate.model_range()->low);
  gate.worst->value = 0.4;
  EXPECT_DOUBLE_EQ(0.5, gate.model_range()->high);
  gate.waiver = TooLittleMemory();
  EXPECT_FALSE(gate.model_range());
}

TEST(ModelledSpeed, IsSparedWhereItMissesItsBoundAndPasses) {
  Gate gate;
  gate.bounds["large"].min = 0.7;
  gate.model_error = gate.model_margin = 0.3;
  gate.definition.skeleton = 0.5;
  gate.worst = {"large", 0.6, GateOutcome::kPassed};
  gate.decision = GateOutcome::kPassed;
  EXPECT_TRUE(gate.is_spared());
  EXPECT_TRUE(gate.skeleton_passes());
  gate.worst->value = 0.7;
  EXPECT_FALSE(gate.is_spared());
  gate.worst->value = 0.4;
  gate.definition.skeleton = 0.4;
  gate.decision = GateOutcome::kFailed;
  EXPECT_FALSE(gate.is_spared());
  EXPECT_FALSE(gate.skeleton_passes());
}

}  // namespace warpgrade::grader::report::report_test

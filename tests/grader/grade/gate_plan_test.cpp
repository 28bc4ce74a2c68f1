// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/gate_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/grade/gate_cases.h"

namespace warpgrade::grader {
namespace gate_plan_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kSpeed(kFractionOfCopy);

TEST(GatePlan, AGpuTakesTheSpeedGatesOfItsProfileAndNoOthers) {
  const auto exercise = exercise_with({gate_of("stores", kStores, "", "8", {"large"}),
                                       gate_of("speed", kSpeed, "0.5", "", {"large"})});
  const std::vector<Target> targets = {on_gpu("h200"), simulated("h200")};
  const auto plan = plan_gates(exercise, "small/twice", targets, nullptr);
  ASSERT_EQ(2u, plan.size());
  EXPECT_EQ(&targets[1], plan[0].target);
  EXPECT_EQ(&targets[0], plan[1].target);
  EXPECT_EQ("", plan[1].waived);
}

TEST(GatePlan, WithoutAGpuTheSimulatorHasThemAll) {
  const auto exercise = exercise_with({gate_of("speed", kSpeed, "0.5", "", {"large"})});
  const std::vector<Target> targets = {simulated("h200")};
  EXPECT_EQ(&targets[0], plan_gates(exercise, "small/twice", targets, nullptr).at(0).target);
}

TEST(GatePlan, AGateOfADeviceThatIsLeftOutIsNotInIt) {
  const auto exercise = exercise_with({gate_of("speed", kSpeed, "0.5", "", {"large"})});
  EXPECT_THAT(plan_gates(exercise, "small/twice", {simulated("k40")}, nullptr), IsEmpty());
}

// The solution reached 0.50 to 0.60 at a bound of 0.5, so it has no room.
TEST(GatePlan, AGpuOnWhichTheSolutionHardlyPassesWaivesTheGateAndItsBounds) {
  const auto exercise = exercise_with({gate_of("speed", kSpeed, "0.5", "", {"large"})});
  GpuCalibration calibration;
  calibration.solutions = {{"small/twice", "speed", "large", 0.55, 0.5, 0.6, 0.5, {}}};
  const std::vector<Target> targets = {on_gpu("h200"), simulated("h200")};
  const auto plan = plan_gates(exercise, "small/twice", targets, &calibration);
  EXPECT_THAT(plan.at(0).waived, HasSubstr("gate speed is given to everybody on this card"));
  EXPECT_TRUE(has_speed_gate(plan, targets[0], exercise.cases[1]));
  EXPECT_THAT(speed_bounds(plan, place_of(targets[0], exercise.cases[1])), IsEmpty());
  const std::vector<Target> simulated_only = {simulated("h200")};
  EXPECT_EQ("", plan_gates(exercise, "small/twice", simulated_only, &calibration).at(0).waived);
}

TEST(GatePlan, OnlyTheCasesOfAGateHaveASayAndOnlyOnItsTarget) {
  const auto exercise = exercise_with({gate_of("speed", kSpeed, "0.5", "", {"large"})});
  const std::vector<Target> targets = {on_gpu("h200"), simulated("h200")};
  const auto plan = plan_gates(exercise, "small/twice", targets, nullptr);
  EXPECT_FALSE(is_asked(plan[0], targets[0], exercise.cases[0]));
  EXPECT_TRUE(is_asked(plan[0], targets[0], exercise.cases[1]));
  EXPECT_FALSE(is_asked(plan[0], targets[1], exercise.cases[1]));
  EXPECT_FALSE(has_speed_gate(plan, targets[1], exercise.cases[1]));
}

TEST(GatePlan, BoundsAreThoseOfTheVariablesOnTheTarget) {
  const auto exercise = exercise_with({gate_of("stores", kStores, "n / 8", "", {"large"}),
                                       gate_of("speed", kSpeed, "n / 2048", "n", {"large"})});
  const std::vector<Target> targets = {on_gpu("h200"), simulated("h200")};
  const auto plan = plan_gates(exercise, "small/twice", targets, nullptr);
  // n is 64, and 1024 on the GPU.
  EXPECT_EQ(8,
            bounds_of(exercise.gates[0], place_of(targets[1], exercise.cases[1]).variables()).min);
  EXPECT_THAT(speed_bounds(plan, place_of(targets[0], exercise.cases[1])), ElementsAre(0.5, 1024));
  EXPECT_THAT(speed_bounds(plan, place_of(targets[1], exercise.cases[1])), IsEmpty());
}

}  // namespace gate_plan_test
}  // namespace warpgrade::grader

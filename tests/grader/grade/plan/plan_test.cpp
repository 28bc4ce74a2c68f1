// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/plan/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/grader/grade/gate_cases.h"

namespace warpgrade::grader::grade::plan_test {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kSpeed(course::kFractionOfCopy);

bool is_on(const Target& target, const report::Gate& gate) {
  return gate.definition.device == target.device && gate.backend == target.backend();
}

TEST(GatePlan, AGpuTakesTheSpeedGatesOfItsProfileAndNoOthers) {
  const auto exercise = exercise_with({gate_of("stores", kStores, "", "8", {"large"}),
                                       gate_of("speed", kSpeed, "0.5", "", {"large"})});
  const std::vector<Target> targets = {on_gpu("h200"), simulated("h200")};
  const auto plan = plan_gates(exercise, "small/twice", targets, nullptr);
  ASSERT_EQ(2u, plan.size());
  EXPECT_TRUE(is_on(targets[1], plan[0]));
  EXPECT_TRUE(is_on(targets[0], plan[1]));
  EXPECT_FALSE(plan[1].waiver);
}

TEST(GatePlan, WithoutAGpuTheSimulatorHasThemAll) {
  const auto exercise = exercise_with({gate_of("speed", kSpeed, "0.5", "", {"large"})});
  const std::vector<Target> targets = {simulated("h200")};
  EXPECT_TRUE(is_on(targets[0], plan_gates(exercise, "small/twice", targets, nullptr).at(0)));
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
  EXPECT_EQ(report::Waiver(report::NearBound{0.5, 0.6, 0.5, ""}), plan.at(0).waiver);
  EXPECT_TRUE(needs_time(plan, targets[0], exercise.cases[1]));
  EXPECT_THAT(speed_bounds(plan, targets[0], exercise.cases[1]), IsEmpty());
  const std::vector<Target> simulated_only = {simulated("h200")};
  EXPECT_FALSE(plan_gates(exercise, "small/twice", simulated_only, &calibration).at(0).waiver);
}

TEST(GatePlan, OnlyTheCasesOfAGateHaveASayAndOnlyOnItsTarget) {
  const auto exercise = exercise_with({gate_of("speed", kSpeed, "0.5", "", {"large"})});
  const std::vector<Target> targets = {on_gpu("h200"), simulated("h200")};
  const auto plan = plan_gates(exercise, "small/twice", targets, nullptr);
  EXPECT_FALSE(counts_for(plan[0], targets[0], exercise.cases[0]));
  EXPECT_TRUE(counts_for(plan[0], targets[0], exercise.cases[1]));
  EXPECT_FALSE(counts_for(plan[0], targets[1], exercise.cases[1]));
  EXPECT_FALSE(needs_time(plan, targets[1], exercise.cases[1]));
}

TEST(GatePlan, BoundsAreThoseOfTheVariablesOnTheTarget) {
  const auto exercise = exercise_with({gate_of("stores", kStores, "n / 8", "", {"large"}),
                                       gate_of("speed", kSpeed, "n / 2048", "n", {"large"})});
  const std::vector<Target> targets = {on_gpu("h200"), simulated("h200")};
  const auto plan = plan_gates(exercise, "small/twice", targets, nullptr);
  // n is 64 on the simulator and 1024 on the GPU.
  EXPECT_EQ(8, plan[0].bounds_in("large").min);
  EXPECT_THAT(speed_bounds(plan, targets[0], exercise.cases[1]), ElementsAre(0.5, 1024));
  EXPECT_THAT(speed_bounds(plan, targets[1], exercise.cases[1]), IsEmpty());
}

// A card of generation 8.6, without a profile.
Target rtx3050() {
  auto out = on_gpu("gpu");
  out.generation = {8, 6};
  return out;
}

course::Gate speed_on(const std::string& device, const std::string& min, double ideal,
                      std::uint32_t points) {
  auto out = gate_of("speed_" + device, kSpeed, min, "", {"large"});
  out.device = device;
  out.ideal = ideal;
  out.points = points;
  out.skeleton = 0.1;
  return out;
}

report::MeasuredInterval about(double value) { return {value, 0.99 * value, 1.01 * value}; }

TEST(GatePlan, SpeedGatesOfDevicesAreOneGateOnAGpu) {
  auto k40 = speed_on("k40", "0.5", 1, 2);
  k40.needs = {"stores"};
  const auto exercise = exercise_with({speed_on("h200", "0.4", 0.8, 1), k40});
  const std::vector<Target> targets = {on_gpu("h200"), simulated("h200"), simulated("k40")};
  const auto plan = plan_gates(exercise, "small/twice", targets, nullptr);
  ASSERT_EQ(1U, plan.size());
  EXPECT_EQ("speed_h200", plan[0].definition.id);
  EXPECT_TRUE(is_on(targets[0], plan[0]));
  EXPECT_EQ(3U, plan[0].definition.points);
  EXPECT_THAT(plan[0].definition.needs, ElementsAre("stores"));
  EXPECT_EQ(0.1, plan[0].definition.skeleton);
  EXPECT_EQ(0.4, plan[0].bounds_in("large").min);
  EXPECT_FALSE(needs_course(plan));
  // On the simulator they are two gates.
  const std::vector<Target> simulated_only = {simulated("h200"), simulated("k40")};
  EXPECT_EQ(2U, plan_gates(exercise, "small/twice", simulated_only, nullptr).size());
}

TEST(GatePlan, SpeedGatesOfOtherCasesAreOthers) {
  auto small = speed_on("k40", "0.5", 1, 2);
  small.cases = {"small"};
  const auto exercise = exercise_with({speed_on("h200", "0.4", 0.8, 1), small});
  const std::vector<Target> targets = {on_gpu("h200")};
  EXPECT_EQ(2U, plan_gates(exercise, "small/twice", targets, nullptr).size());
}

TEST(GatePlan, AGateWhoseLessonIsItsDevicesAloneIsSimulated) {
  auto exercise = exercise_with({speed_on("h200", "0.4", 0.8, 1), speed_on("c1060", "0.5", 1, 2)});
  exercise.gates[1].simulated = true;
  const std::vector<Target> targets = {on_gpu("h200"), simulated("h200"), simulated("c1060")};
  const auto plan = plan_gates(exercise, "small/twice", targets, nullptr);
  ASSERT_EQ(2U, plan.size());
  EXPECT_TRUE(is_on(targets[0], plan[0]));
  EXPECT_EQ(1U, plan[0].definition.points);
  EXPECT_TRUE(is_on(targets[2], plan[1]));
}

// An H200 without its profile still has generation 9.0.
TEST(GatePlan, ACardHasTheBoundsOfADeviceOfItsGeneration) {
  const auto exercise =
      exercise_with({speed_on("k40", "0.5", 1, 1), speed_on("h200", "0.4", 0.8, 1)});
  auto card = on_gpu("gpu");
  card.generation = {9, 0};
  const std::vector<Target> targets = {card, simulated("k40"), simulated("h200")};
  const auto plan = plan_gates(exercise, "small/twice", targets, nullptr);
  EXPECT_EQ("speed_h200", plan.at(0).definition.id);
  EXPECT_EQ(0.4, plan[0].bounds_in("large").min);
}

TEST(GatePlan, TheManifestMayHaveBoundsForAGeneration) {
  auto exercise = exercise_with({speed_on("h200", "0.4", 0.8, 1)});
  exercise.gates[0].on_generation = {{{8, {}}, text::Expression{"n / 2048", {}}, {}},
                                     {{8, 6}, text::Expression{"0.3", {}}, {}}};
  std::vector<Target> targets = {rtx3050()};
  EXPECT_EQ(0.3, plan_gates(exercise, "", targets, nullptr).at(0).bounds_in("large").min);
  targets[0].generation = {8, 0};
  EXPECT_EQ(0.5, plan_gates(exercise, "", targets, nullptr).at(0).bounds_in("large").min);
}

// The shares are 0.4 / 0.8 and 0.6 / 1. The more lenient one, a half, applies to the solution's 0.7
// on this card.
TEST(GatePlan, AnyOtherCardHasAShareOfWhatTheSolutionReachesThere) {
  const auto exercise =
      exercise_with({speed_on("h200", "0.4", 0.8, 1), speed_on("k40", "0.6", 1, 1)});
  const std::vector<Target> targets = {rtx3050(), simulated("h200"), simulated("k40")};
  auto plan = plan_gates(exercise, "small/twice", targets, nullptr);
  ASSERT_EQ(1U, plan.size());
  EXPECT_TRUE(needs_course(plan));
  EXPECT_FALSE(plan[0].definition.skeleton);
  CourseValues course;
  course.solution.emplace("large", about(0.7));
  course.skeleton.emplace("large", about(0.2));
  add_course_values(course, plan);
  EXPECT_FALSE(plan[0].waiver);
  EXPECT_EQ(0.2, plan[0].definition.skeleton);
  EXPECT_DOUBLE_EQ(0.35, plan[0].bounds_in("large").min.value_or(0));
  EXPECT_THAT(speed_bounds(plan, targets[0], exercise.cases[1]),
              ElementsAre(testing::DoubleEq(0.35)));
}

TEST(GatePlan, AManifestMaySayTheShare) {
  auto exercise = exercise_with({speed_on("h200", "0.4", 0.8, 1)});
  exercise.gates[0].share = 0.9;
  const std::vector<Target> targets = {rtx3050()};
  auto plan = plan_gates(exercise, "small/twice", targets, nullptr);
  CourseValues course;
  course.solution.emplace("large", about(0.5));
  add_course_values(course, plan);
  EXPECT_DOUBLE_EQ(0.45, plan[0].bounds_in("large").min.value_or(0));
}

TEST(GatePlan, WithoutTheSolutionsValueAGateIsWaived) {
  const auto exercise = exercise_with({speed_on("h200", "0.4", 0.8, 1)});
  const std::vector<Target> targets = {rtx3050()};
  auto plan = plan_gates(exercise, "small/twice", targets, nullptr);
  CourseValues course;
  course.trouble = "this course holds no solutions";
  add_course_values(course, plan);
  EXPECT_EQ(report::Waiver(report::UnknownShare{"large", "this course holds no solutions"}),
            plan[0].waiver);
  EXPECT_THAT(speed_bounds(plan, targets[0], exercise.cases[1]), IsEmpty());
}

TEST(GatePlan, ARowThatEverybodyPassesNeedsNoSolution) {
  const auto exercise = exercise_with({speed_on("h200", "0", 0.8, 0)});
  const std::vector<Target> targets = {rtx3050()};
  const auto plan = plan_gates(exercise, "small/twice", targets, nullptr);
  EXPECT_FALSE(needs_course(plan));
  EXPECT_EQ(0, plan[0].bounds_in("large").min);
}

TEST(GatePlan, ACardWithoutRoomForTheSizeWaivesTheGate) {
  const auto exercise = exercise_with({speed_on("h200", "0.4", 0.8, 1)});
  std::vector<Target> targets = {rtx3050()};
  targets[0].fit.divisor = 0;
  const auto plan = plan_gates(exercise, "small/twice", targets, nullptr);
  EXPECT_EQ(report::Waiver(report::TooLittleMemory()), plan.at(0).waiver);
  EXPECT_FALSE(needs_course(plan));
}

TEST(GatePlan, OneDeviceAloneHasItsGatesAlone) {
  const auto exercise =
      exercise_with({gate_of("stores", kStores, "", "8", {"large"}),
                     speed_on("h200", "0.4", 0.8, 1), speed_on("k40", "0.6", 1, 4)});
  const std::vector<Target> targets = {on_gpu("h200"), simulated("h200")};
  const auto plan = plan_gates(exercise, "small/twice", targets, nullptr, "h200");
  ASSERT_EQ(2U, plan.size());
  EXPECT_EQ(1U, plan[1].definition.points);
  // "gpu" selects only the gates that the card measures.
  const std::vector<Target> card = {rtx3050()};
  const auto measured = plan_gates(exercise, "small/twice", card, nullptr, "gpu");
  ASSERT_EQ(1U, measured.size());
  EXPECT_EQ(5U, measured[0].definition.points);
}

// The cases of a grade, and the sizes that the submission decides.

class GradePlanTest : public testing::Test {
 protected:
  GradePlanTest() {
    task_.lab = &lab_;
    task_.exercise = &whole_;
    hand_in("");
  }

  void hand_in(const std::string& text) {
    compile::CompileRequest source;
    source.source = text;
    task_.submission.content = source;
  }
  Plan plan() const { return {services_, task_, {simulated("h200"), on_gpu("h200")}}; }

  static std::vector<std::string> names(const Plan& plan) {
    std::vector<std::string> out;
    for (const auto& one : plan.cases) {
      out.push_back((one.target->is_gpu() ? "gpu " : "sim ") + one.item->name);
    }
    return out;
  }

  course::Exercise whole_{
      "twice", {}, {}, exercise_with({gate_of("sectors", kStores, "", "8", {"large"})})};
  course::KernelExercise& exercise_ = *whole_.kernel();
  course::Lab lab_;
  GradingServices services_;
  GradingTask task_;
};

TEST_F(GradePlanTest, EveryCaseIsPlannedOnEveryTarget) {
  const auto plan = this->plan();
  EXPECT_THAT(names(plan), ElementsAre("sim small", "sim large", "gpu small", "gpu large"));
  EXPECT_EQ(&plan.targets[1], plan.cases[2].target);
  EXPECT_EQ(1U, plan.gates.size());
  EXPECT_EQ(nullptr, plan.cases[0].program);
}

TEST_F(GradePlanTest, ASampledCaseIsForTheSimulatorAlone) {
  exercise_.cases[0].sampled = true;
  EXPECT_THAT(names(plan()), ElementsAre("sim small", "sim large", "gpu large"));
}

TEST_F(GradePlanTest, ItsCasesSurviveAMove) {
  auto first = plan();
  const auto second = std::move(first);
  EXPECT_EQ(&second.targets[0], second.cases[0].target);
}

TEST_F(GradePlanTest, TheSizeWhoseSpeedIsGradedFollowsFromTheText) {
  exercise_.cases[1].timed_variables = {{"n", {"1000 + draw", {}}}};
  std::set<double> sizes;
  for (const auto* text : {"", "a", "b", "c"}) {
    hand_in(text);
    const auto size = plan().cases[1].timed->variables.at("n");
    EXPECT_EQ(size, plan().cases[3].timed->variables.at("n"));
    EXPECT_LE(1000, size);
    EXPECT_GE(1255, size);
    sizes.insert(size);
  }
  EXPECT_LT(1U, sizes.size());
}

TEST_F(GradePlanTest, ContentsOfMeasuredCasesFollowFromTheTextToo) {
  const auto variant = [&](const std::string& text) {
    hand_in(text);
    return plan().cases[1].variant;
  };
  EXPECT_NE(variant("a"), variant("b"));
  EXPECT_EQ(variant("a"), variant("a"));
  EXPECT_EQ(0U, plan().cases[0].variant) << "a small case is the same for everybody";
}

TEST_F(GradePlanTest, AFileThatCannotBeReadHasAPlanToo) {
  task_.submission.content = cases::Unreadable{"no such file"};
  EXPECT_EQ(4U, plan().cases.size());
}

}  // namespace warpgrade::grader::grade::plan_test

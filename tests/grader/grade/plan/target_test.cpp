// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/plan/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/measure/card_profile.h"
#include "tests/grader/grade/fakes.h"
#include "tests/grader/grade/gate_cases.h"

namespace warpgrade::grader::grade::target_test {

// Sizes of measured cases on cards with little memory, calculated by hand.

constexpr std::uint64_t kMib = 1 << 20;

text::Expression text(const std::string& what) { return {what, {}}; }

// A transpose of floats: 2048 x 2048 in the simulator, timed at about 8192 x 8192, 256 MiB per
// buffer.
course::KernelExercise transpose() {
  course::KernelExercise out;
  constexpr auto kType = verify::ElementType::kF32;
  out.parameters = {course::BufferParameter{"out", kType, text("width"), text("height"),
                                            course::Poison{}, course::EqualBits{}},
                    course::BufferParameter{"in", kType, text("height"), text("width"),
                                            verify::Fill{}, course::NotCompared{}}};
  course::Case large;
  large.name = "large";
  large.measured = true;
  large.variables = {{"width", 2048}, {"height", 2048}};
  large.timed_variables =
      text::VariableExpressions{{"width", text("8192 + 32 * mod(draw, 16)")},
                                {"height", text("8192 - 32 * floor(draw / 16)")}};
  out.cases = {large};
  return out;
}

measure::CardRoom room(std::uint64_t most, std::uint64_t least) { return {most, least}; }

TEST(CardFit, ALargeMemoryLeavesSizesAlone) {
  const auto exercise = transpose();
  const auto fit = fit_to_card(exercise, room(2048 * kMib, 16 * kMib));
  EXPECT_EQ(1U, fit.divisor);
  const text::Variables expected = {{"width", 8224}, {"height", 8160}};
  EXPECT_EQ(expected, card_variables(exercise.cases[0], 17, fit));
}

// Two copies of the input and one output have at most 8672 x 8192 floats each. 3 x 271 MiB do not
// fit into 700 MiB, but 3 x 68 MiB do.
TEST(CardFit, ASmallMemoryHalvesThemAndKeepsTilesWhole) {
  const auto exercise = transpose();
  const auto fit = fit_to_card(exercise, room(700 * kMib, 16 * kMib));
  EXPECT_EQ(2U, fit.divisor);
  // 8224 / 2 = 4112. All sizes of the case are multiples of 32, so it is rounded down to 4096.
  const text::Variables expected = {{"width", 4096}, {"height", 4064}};
  EXPECT_EQ(expected, card_variables(exercise.cases[0], 17, fit));
}

TEST(CardFit, NoSizeFallsBelowTheSimulated) {
  const auto exercise = transpose();
  const auto fit = fit_to_card(exercise, room(60 * kMib, 16 * kMib));
  EXPECT_EQ(4U, fit.divisor);
  // 8160 / 4 = 2040, or 2016 in whole tiles.
  const text::Variables expected = {{"width", 2048}, {"height", 2048}};
  EXPECT_EQ(expected, card_variables(exercise.cases[0], 17, fit));
}

// The smallest size, two buffers of 2048 x 2048 floats, has 32 MiB. A card with 16 MiB of L2
// requires 64 MiB, four times as much.
TEST(CardFit, ACardWhoseCachesWouldHoldTheSizeCannotMeasureIt) {
  const auto exercise = transpose();
  const auto fit = fit_to_card(exercise, room(60 * kMib, 64 * kMib));
  EXPECT_EQ(0U, fit.divisor);
  EXPECT_EQ(exercise.cases[0].variables, card_variables(exercise.cases[0], 17, fit));
}

TEST(CardFit, InputsOfAllCasesLieThereAtOnce) {
  auto exercise = transpose();
  exercise.cases.push_back(exercise.cases[0]);
  exercise.cases[1].name = "larger";
  // The inputs of both cases, and an input and an output in use: 4 x 271 MiB.
  EXPECT_EQ(2U, fit_to_card(exercise, room(1000 * kMib, 16 * kMib)).divisor);
  EXPECT_EQ(1U, fit_to_card(exercise, room(1100 * kMib, 16 * kMib)).divisor);
}

TEST(CardFit, AnExerciseWithoutMeasuredCasesFitsEverywhere) {
  auto exercise = transpose();
  exercise.cases[0].measured = false;
  EXPECT_EQ(1U, fit_to_card(exercise, room(0, 16 * kMib)).divisor);
}

// The devices and backends on which the cases of an exercise run.

TEST(Target, TheBackendFollowsFromTheBench) {
  EXPECT_EQ(run::Backend::kSim, simulated("k40").backend());
  EXPECT_EQ(run::Backend::kGpu, on_gpu("h200").backend());
  EXPECT_FALSE(simulated("k40").is_gpu());
  EXPECT_TRUE(on_gpu("h200").is_gpu());
}

class Targets : public testing::Test {
 protected:
  // The targets' names, as in "h200 k40"; a star marks a GPU.
  std::string names(const std::string& only, measure::GpuBench* gpu, bool is_counted = false) {
    auto exercise = exercise_with(
        {gate_of("a", kStores, "", "8", {"large"}), gate_of("b", kStores, "", "8", {"large"})});
    exercise.gates[0].device = "k40";
    std::string out;
    const SimBenches sims = [&](const std::string&) -> measure::SimBench& { return sim_; };
    for (const auto& target : targets_of(exercise, only, sims, gpu, is_counted)) {
      out += (out.empty() ? "" : " ") + target.device + (target.is_gpu() ? "*" : "");
    }
    return out;
  }

  FakeSimBench sim_{"any", "sm_90", {}};
  FakeGpuBench h200_{"h200", "sm_90", {}};
  FakeGpuBench h100_{"h100", "sm_90", {}};
  FakeGpuBench unknown_{measure::kUnknownCard, "sm_86", {}};
};

TEST_F(Targets, AGpuStandsBeforeItsProfileElseFirst) {
  EXPECT_EQ("k40 h200", names("", nullptr));
  EXPECT_EQ("k40 h200* h200", names("", &h200_));
  EXPECT_EQ("gpu* k40 h200", names("", &unknown_));
}

TEST_F(Targets, OneDeviceAloneHasTheGpuOfItsProfile) {
  EXPECT_EQ("h200* h200", names("h200", &h200_));
  EXPECT_EQ("k40", names("k40", &h200_));
  EXPECT_EQ("h200", names("h200", &unknown_));
  EXPECT_EQ("gpu*", names("gpu", &unknown_));
  EXPECT_EQ("h200*", names("gpu", &h200_));
}

TEST_F(Targets, TheProfileOfACountedGpuIsSimulatedIfNoGateNamesIt) {
  EXPECT_EQ("h100* k40 h200", names("", &h100_));
  EXPECT_EQ("k40 h200 h100* h100", names("", &h100_, true));
  EXPECT_EQ("k40 h200* h200", names("", &h200_, true));
  EXPECT_EQ("gpu* k40 h200", names("", &unknown_, true));
  EXPECT_EQ("k40", names("k40", &h100_, true));
  EXPECT_EQ("k40 h200", names("", nullptr, true));
}

}  // namespace warpgrade::grader::grade::target_test

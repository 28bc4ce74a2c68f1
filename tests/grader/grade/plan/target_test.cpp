// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/plan/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

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

TEST(Place, AGpuHasTheLargerSizeWhereTheCaseHasOne) {
  const auto exercise = exercise_with({});
  const auto simulation = simulated("h200");
  const auto gpu = on_gpu("h200");
  EXPECT_EQ(8, place_of(simulation, exercise, exercise.cases[0]).variables().at("n"));
  EXPECT_EQ(8, place_of(gpu, exercise, exercise.cases[0]).variables().at("n"));
  EXPECT_EQ(64, place_of(simulation, exercise, exercise.cases[1]).variables().at("n"));
  EXPECT_EQ(1024, place_of(gpu, exercise, exercise.cases[1]).variables().at("n"));
}

TEST(Place, EachStepLaunchesItsOwnKernelOfTheProgram) {
  auto exercise = exercise_with({});
  exercise.steps.push_back(step_of("thrice"));
  compile::Kernel twice;
  twice.name = "_Z5twicev";
  compile::Kernel thrice;
  thrice.name = "_Z6thricev";
  const auto target = simulated("h200");
  auto place = place_of(target, exercise, exercise.cases[0]);
  place.kernels = {&twice, &thrice};
  const auto launches = launches_of(place, *place.sized).launches;
  ASSERT_EQ(2U, launches.size());
  EXPECT_EQ("_Z5twicev", launches[0].kernel);
  EXPECT_EQ("_Z6thricev", launches[1].kernel);
}

// Limits on work of an exercise's cases: by size, and a grade's total.

using testing::ElementsAre;

class WorkLimits : public testing::Test {
 protected:
  WorkLimits() : exercise_(exercise_with({})), target_(simulated("h200")) {
    exercise_.parameters = {course::BufferParameter{
        "out", {}, {"1", {}}, {"n", {}}, course::Poison{}, course::EqualBits{}}};
    const text::Expression one{"1", {}};
    exercise_.steps[0].geometry = {
        {text::Expression{"n", {}}, one, one}, {text::Expression{"32", {}}, one, one}, one};
  }

  std::vector<std::uint64_t> limits_of(const std::vector<course::Case>& cases) {
    std::vector<Place> places;
    for (const auto& item : cases) places.push_back(place_of(target_, exercise_, item));
    return work_limits(places);
  }

  static course::Case measured(double n) {
    auto out = case_of("large", n);
    out.measured = true;
    return out;
  }

  static course::Case sampled(double n) {
    auto out = case_of("huge", n);
    out.sampled = true;
    return out;
  }

  const course::Case few_ = case_of("few", 10);
  course::KernelExercise exercise_;
  Target target_;
};

// The first case has 300 blocks of a warp.
TEST_F(WorkLimits, ASmallCaseMayDoThousandsOfTimesItsThreadsOrTheReference) {
  const auto at_least = std::uint64_t{1} << 27;
  EXPECT_THAT(limits_of({case_of("a", 300), case_of("b", 100)}),
              ElementsAre(at_least + 4096 * 9600, at_least + 4096 * 3200));
  const auto huge = sampled(1e6);
  EXPECT_EQ(at_least, small_limit(place_of(target_, exercise_, huge), 123456));
  EXPECT_EQ(at_least + 4096 * 123456, small_limit(place_of(target_, exercise_, few_), 123456));
  EXPECT_EQ(kSmallWork / 2, small_limit(place_of(target_, exercise_, few_), 1 << 30));
}

TEST_F(WorkLimits, OtherCasesDoNotChangeALimit) {
  EXPECT_EQ(limits_of({few_}).front(), limits_of(std::vector<course::Case>(70, few_)).back());
}

TEST_F(WorkLimits, MeasuredCasesShareTheirsByTheBytesOfTheirBuffers) {
  EXPECT_THAT(limits_of({measured(100), measured(300)}),
              ElementsAre(kMeasuredWork / 4, kMeasuredWork / 4 * 3));
}

TEST_F(WorkLimits, NoNumberOfMeasuredCasesMayDoMoreThanAGradeMay) {
  const auto all = limits_of(std::vector<course::Case>(70, measured(77)));
  EXPECT_GE(kMeasuredWork, std::accumulate(all.begin(), all.end(), std::uint64_t{0}));
}

TEST_F(WorkLimits, ABlockMayDoAThousandTimesTheWorkOfTheReference) {
  EXPECT_EQ((std::uint64_t{1} << 25) + 1024 * 1000, block_limit(kSmallWork, 1000));
}

TEST_F(WorkLimits, ABlockMayDoAQuarterOfItsCaseAtMost) {
  EXPECT_EQ(1000U, block_limit(4000, 1000));
  EXPECT_EQ(kSmallWork / 4, block_limit(kSmallWork, 0));  // unknown, as on a GPU
}

}  // namespace warpgrade::grader::grade::target_test

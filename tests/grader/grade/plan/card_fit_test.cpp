// SPDX-License-Identifier: Apache-2.0
// Sizes of measured cases on cards with little memory, calculated by hand.
#include "grader/grade/plan/card_fit.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::grade::card_fit_test {

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

}  // namespace warpgrade::grader::grade::card_fit_test

// SPDX-License-Identifier: Apache-2.0
// Evaluates the expressions of an exercise at one size; expected values are calculated by hand.
#include "grader/cases/sized_case.h"

#include <gtest/gtest.h>

#include "tests/grader/cases/small_kernel.h"
#include "tests/grader/course/manifest_text.h"

namespace warpgrade::grader::cases::sized_case_test {

class SizedCaseTest : public SmallKernel {
 protected:
  course::KernelExercise exercise;
};

// Three launches that swap `out` and `in`, with a number that counts them.
TEST_F(SizedCaseTest, ASequenceBindsNamesToTheBuffersThatTheyStandForThen) {
  buffer_at(1).content = course::Poison{};
  number().value = {"10 * round + step", {}};
  exercise.parameters = parameters;
  exercise.rounds = {"1", {}};
  course::Step step;
  step.geometry = geometry;
  step.arguments = {2, 1, 0};
  step.times = {"3", {}};
  step.swaps = {{0, 1}};
  exercise.steps = {step};
  const auto sequence = size_launches(exercise, variables).of({"swap"});
  ASSERT_EQ(3U, sequence.launches.size());
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& launch = sequence.launches[i];
    EXPECT_EQ("swap", launch.kernel);
    EXPECT_EQ(std::byte(i), std::get<run::ValueArgument>(launch.arguments[0])[0]);
    EXPECT_EQ(1 - i % 2, std::get<run::BufferArgument>(launch.arguments[1]).index);
    EXPECT_EQ(i % 2, std::get<run::BufferArgument>(launch.arguments[2]).index);
  }
  EXPECT_EQ((std::vector<std::size_t>{1, 0}), sequence.places);

  exercise.steps[0].times = {"4", {}};
  EXPECT_TRUE(size_launches(exercise, variables).of({"swap"}).places.empty());
}

// Addresses in a struct follow their names, like the addresses in parameters.
TEST_F(SizedCaseTest, ASequenceMovesTheAddressesInAStruct) {
  number().value = {"step", {}};
  buffer_at(1).content = course::Poison{};
  parameters[2] =
      course::StructParameter{"p", {number(), course::SameParameter{"p.to", "out", {}}}};
  exercise.parameters = parameters;
  exercise.rounds = {"1", {}};
  course::Step step;
  step.geometry = geometry;
  step.arguments = {2, 1};
  step.times = {"2", {}};
  step.swaps = {{0, 1}};
  exercise.steps = {step};
  const auto sequence = size_launches(exercise, variables).of({"swap"});
  ASSERT_EQ(2U, sequence.launches.size());
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& launch = sequence.launches[i];
    const auto& structure = std::get<run::StructArgument>(launch.arguments[0]);
    EXPECT_EQ(std::byte(i), structure.bytes[0]);
    ASSERT_EQ(1U, structure.pointers.size());
    EXPECT_EQ(i, structure.pointers[0].buffer);
    EXPECT_EQ(1 - i, std::get<run::BufferArgument>(launch.arguments[1]).index);
  }
}

TEST(SizedCase, IsTheManifestsCaseWithItsReference) {
  const auto lab = course::small_lab();
  const auto& exercise = lab.exercises.front();
  const auto sized = size_case(exercise, "large", {{"n", 1000}});
  EXPECT_EQ(exercise.id, sized.exercise);
  EXPECT_EQ("large", sized.name);
  EXPECT_EQ("twice_reference", sized.reference.kernel);
  EXPECT_EQ(3U, sized.reference.arguments.size());
  ASSERT_NE(nullptr, sized.buffer_called("in"));
  EXPECT_EQ(1000U, sized.buffer_called("in")->elements());
  EXPECT_EQ(nullptr, sized.buffer_called("n"));
  ASSERT_EQ(1U, sized.launches.steps.size());
  EXPECT_TRUE(sized.launches.sequence.first().kernel.empty());
}

// 1,000 floats are read and 1,000 are written.
TEST(SizedCase, NeedsItsInputsAndOutputsOnceByDefault) {
  const auto work = required_work(course::kernel_in(course::small_lab()), {{"n", 1000}});
  EXPECT_EQ(8000U, work.bytes);
  EXPECT_EQ(0, work.operations);
}

TEST(SizedCase, NeedsWhatTheManifestSays) {
  auto exercise = course::kernel_in(course::small_lab());
  exercise.bytes = text::Expression{"12 * n", {}};
  exercise.operations = text::Expression{"2 * n ^ 2", {}};
  const auto work = required_work(exercise, {{"n", 1000}});
  EXPECT_EQ(12000U, work.bytes);
  EXPECT_EQ(2e6, work.operations);
}

}  // namespace warpgrade::grader::cases::sized_case_test

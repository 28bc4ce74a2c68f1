// SPDX-License-Identifier: Apache-2.0
// What the expressions of an exercise become at one size, calculated by hand.
#include "grader/cases/sized_case.h"

#include <gtest/gtest.h>

#include "tests/grader/course/manifest_text.h"

namespace warpgrade::grader::sized_case_test {

BufferParameter buffer(const std::string& name, const Content& content,
                       const Comparison& comparison) {
  return {name, verify::ElementType::kF32, {"2", {}}, {"n", {}}, content, comparison};
}

class SizedCaseTest : public testing::Test {
 protected:
  SizedCaseTest() {
    parameters = {buffer("out", Poison{}, EqualBits{}),
                  buffer("in", verify::Fill::kIota, NotCompared{}),
                  ValueParameter{"n", verify::ElementType::kI32, false, {"n", {}}}};
    geometry.grid = {Expression{"n / 2", {}}, Expression{"1", {}}, Expression{"1", {}}};
    geometry.block = {Expression{"32", {}}, Expression{"2", {}}, Expression{"1", {}}};
    geometry.shared_bytes = {"4 * n", {}};
  }
  BufferParameter& buffer_at(std::size_t i) { return std::get<BufferParameter>(parameters[i]); }
  ValueParameter& number() { return std::get<ValueParameter>(parameters[2]); }
  std::vector<Parameter> parameters;
  KernelExercise exercise;
  Geometry geometry;
  Variables variables = {{"n", 8}};
};

TEST_F(SizedCaseTest, ABufferHasNumbers) {
  buffer_at(0).rows = {"1", {}};
  buffer_at(0).comparison = WithinUlps{{"n / 2", {}}};
  buffer_at(1).content = Indices{verify::IndexKind::kBelow, {"n + 1", {}}};
  const auto buffers = size_buffers(parameters, variables);
  ASSERT_EQ(2U, buffers.size());
  EXPECT_EQ("out", buffers[0].name);
  EXPECT_EQ(8U, buffers[0].elements());
  EXPECT_FALSE(buffers[0].is_matrix);
  EXPECT_EQ(4U, buffers[0].most_ulps());
  EXPECT_TRUE(buffers[0].is_output());
  EXPECT_TRUE(buffers[1].is_matrix);
  EXPECT_TRUE(buffers[1].is_read_only());
  const auto& indices = std::get<verify::IndexFill>(buffers[1].content);
  EXPECT_EQ(9U, indices.bound);
  EXPECT_EQ(16U, indices.count);
}

TEST_F(SizedCaseTest, ATotalIsNotComparedByElements) {
  buffer_at(0).comparison = EqualTotal{};
  const auto buffers = size_buffers(parameters, variables);
  EXPECT_TRUE(buffers[0].has_total());
  EXPECT_EQ(0U, buffers[0].most_ulps());
}

TEST_F(SizedCaseTest, AnAliasIsNoBufferOfItsOwn) {
  parameters.insert(parameters.begin(), SameParameter{"again", "in", {}});
  EXPECT_EQ(2U, size_buffers(parameters, variables).size());
}

TEST_F(SizedCaseTest, FieldsAreBuffersToo) {
  parameters = {StructParameter{"p", {number(), buffer_at(0), buffer_at(1)}}};
  EXPECT_EQ(2U, size_buffers(parameters, variables).size());
}

// out, in = in, out three times over, and a value that counts.
TEST_F(SizedCaseTest, ASequenceBindsNamesToTheBuffersThatTheyStandForThen) {
  buffer_at(1).content = Poison{};
  number().value = {"10 * round + step", {}};
  exercise.parameters = parameters;
  exercise.rounds = {"1", {}};
  Step step;
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

// The addresses in a struct follow their names, as those of parameters do.
TEST_F(SizedCaseTest, ASequenceMovesTheAddressesInAStruct) {
  number().value = {"step", {}};
  buffer_at(1).content = Poison{};
  parameters[2] = StructParameter{"p", {number(), SameParameter{"p.to", "out", {}}}};
  exercise.parameters = parameters;
  exercise.rounds = {"1", {}};
  Step step;
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
  const auto lab = small_lab();
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
  const auto work = required_work(kernel_in(small_lab()), {{"n", 1000}});
  EXPECT_EQ(8000U, work.bytes);
  EXPECT_EQ(0, work.operations);
}

TEST(SizedCase, NeedsWhatTheManifestSays) {
  auto exercise = kernel_in(small_lab());
  exercise.bytes = Expression{"12 * n", {}};
  exercise.operations = Expression{"2 * n ^ 2", {}};
  const auto work = required_work(exercise, {{"n", 1000}});
  EXPECT_EQ(12000U, work.bytes);
  EXPECT_EQ(2e6, work.operations);
}

}  // namespace warpgrade::grader::sized_case_test

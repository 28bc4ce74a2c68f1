// SPDX-License-Identifier: Apache-2.0
// Buffers and launches of a case: their shapes, contents and arguments.
#include "grader/cases/case_launch.h"

#include <gtest/gtest.h>

#include <cstring>

namespace warpgrade::grader {
namespace case_launch_test {

BufferParameter buffer(const std::string& name, const Content& content,
                       const Comparison& comparison) {
  return {name, verify::ElementType::kF32, {"2", {}}, {"n", {}}, content, comparison};
}

class CaseLaunchTest : public testing::Test {
 protected:
  CaseLaunchTest() {
    parameters = {buffer("out", Poison{}, EqualBits{}),
                  buffer("in", verify::Fill::kIota, NotCompared{}),
                  ValueParameter{"n", verify::ElementType::kI32, false, {"n", {}}}};
    geometry.grid = {Expression{"n / 2", {}}, Expression{"1", {}}, Expression{"1", {}}};
    geometry.block = {Expression{"32", {}}, Expression{"2", {}}, Expression{"1", {}}};
    geometry.shared_bytes = {"4 * n", {}};
  }
  BufferParameter& buffer_at(std::size_t i) { return std::get<BufferParameter>(parameters[i]); }
  ValueParameter& number() { return std::get<ValueParameter>(parameters[2]); }
  std::vector<run::Buffer> buffers(std::uint64_t seed) const {
    return make_buffers(parameters, "lab/x", "one", variables, seed);
  }
  std::vector<Parameter> parameters;
  Geometry geometry;
  Variables variables = {{"n", 8}};
};

TEST_F(CaseLaunchTest, EachBufferParameterIsABuffer) {
  const auto all = buffers(1);
  ASSERT_EQ(2U, all.size());
  EXPECT_EQ("out", all[0].name);
  EXPECT_FALSE(all[0].defined);
  EXPECT_FALSE(all[0].read_only);
  EXPECT_TRUE(all[1].read_only);
  EXPECT_TRUE(all[1].defined);
  EXPECT_EQ(2U * 8 * 4, all[1].bytes.size());
  EXPECT_EQ(2U * 2 * 8 * 4, buffer_bytes(all));
  EXPECT_EQ(buffer_bytes(all), least_traffic(parameters, variables));
}

TEST_F(CaseLaunchTest, ContentsFollowFromSeedExerciseCaseAndParameter) {
  buffer_at(1).content = verify::Fill::kDistinct;
  EXPECT_EQ(buffers(1)[1].bytes, buffers(1)[1].bytes);
  EXPECT_NE(buffers(1)[1].bytes, buffers(2)[1].bytes);
  EXPECT_NE(buffers(1)[1].bytes, make_buffers(parameters, "lab/y", "one", variables, 1)[1].bytes);
  EXPECT_NE(buffers(1)[1].bytes, make_buffers(parameters, "lab/x", "two", variables, 1)[1].bytes);
}

TEST_F(CaseLaunchTest, OutputsAloneAreThoseOfTheWhole) {
  const auto outputs = make_outputs(parameters, "lab/x", "one", variables, 1);
  ASSERT_EQ(2U, outputs.size());
  EXPECT_EQ(buffers(1)[0].bytes, outputs[0].bytes);
  EXPECT_TRUE(outputs[1].bytes.empty());
}

TEST_F(CaseLaunchTest, PatternsMakeTheSameInputs) {
  const auto patterns = make_patterns(parameters, "lab/x", "one", variables, 1);
  ASSERT_EQ(2U, patterns.size());
  EXPECT_EQ(buffers(1)[1].bytes, run::made(patterns[1]).bytes);
}

TEST_F(CaseLaunchTest, ALaunchEvaluatesItsExpressions) {
  const auto launch = make_launch(parameters, geometry, "k<{n}>", variables);
  EXPECT_EQ((base::Dim3{4, 1, 1}), launch.grid);
  EXPECT_EQ((base::Dim3{32, 2, 1}), launch.block);
  EXPECT_EQ(32U, launch.dynamic_shared_bytes);
  ASSERT_EQ(3U, launch.arguments.size());
  EXPECT_EQ(1U, std::get<run::BufferArgument>(launch.arguments[1]).index);
  const auto& value = std::get<run::ValueArgument>(launch.arguments[2]);
  ASSERT_EQ(4U, value.size());
  EXPECT_EQ(std::byte{8}, value[0]);
}

TEST_F(CaseLaunchTest, WhatIsReadAndWrittenMovesTwiceAndScratchNotAtAll) {
  buffer_at(0).content = verify::Fill::kIota;
  EXPECT_EQ(3U * 2 * 8 * 4, least_traffic(parameters, variables));
  buffer_at(1).content = Poison{};
  EXPECT_EQ(2U * 2 * 8 * 4, least_traffic(parameters, variables));
}

TEST_F(CaseLaunchTest, WhatIsReadAndWrittenIsFilledAndScratchIsPoisoned) {
  buffer_at(0).content = verify::Fill::kIota;
  buffer_at(1).content = Poison{};
  const auto all = buffers(1);
  EXPECT_TRUE(all[0].defined);
  EXPECT_FALSE(all[0].read_only);
  float third = 0;
  std::memcpy(&third, all[0].bytes.data() + 8, sizeof third);
  EXPECT_EQ(2, third);
  EXPECT_FALSE(all[1].defined);
  EXPECT_FALSE(all[1].read_only);
  const auto again = make_outputs(parameters, "lab/x", "one", variables, 1);
  EXPECT_EQ(all[0].bytes, again[0].bytes);
  EXPECT_EQ(all[1].bytes, again[1].bytes);
}

// out, in = in, out three times over, and a value that counts.
TEST_F(CaseLaunchTest, ASequenceBindsNamesToTheBuffersThatTheyStandForThen) {
  buffer_at(1).content = Poison{};
  number().value = {"10 * round + step", {}};
  KernelExercise exercise;
  exercise.parameters = parameters;
  exercise.rounds = {"1", {}};
  Step step;
  step.geometry = geometry;
  step.arguments = {2, 1, 0};
  step.times = {"3", {}};
  step.swaps = {{0, 1}};
  exercise.steps = {step};
  const auto sequence = make_sequence(exercise, {"swap"}, variables);
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
  EXPECT_TRUE(make_sequence(exercise, {"swap"}, variables).places.empty());
}

TEST_F(CaseLaunchTest, OnlyShuffledInputsAreInAnyOrder) {
  const auto all = in_any_order(parameters);
  ASSERT_EQ(2U, all.size());
  EXPECT_FALSE(all[0]);
}

TEST_F(CaseLaunchTest, ABufferInPlaceHoldsItsInputAndGoesThroughMemoryTwice) {
  parameters[0] = buffer("x", verify::Fill::kIota, EqualBits{});
  parameters.pop_back();
  parameters.pop_back();
  const auto all = buffers(1);
  ASSERT_EQ(1U, all.size());
  EXPECT_TRUE(all[0].defined);
  EXPECT_FALSE(all[0].read_only);
  float first[3];
  std::memcpy(first, all[0].bytes.data(), sizeof first);
  EXPECT_EQ(2.0F, first[2]);  // of iota
  EXPECT_EQ(all[0].bytes, make_outputs(parameters, "lab/x", "one", variables, 1)[0].bytes);
  EXPECT_EQ(2U * 8 * 4, buffer_bytes(all));
  EXPECT_EQ(2U * (2 * 8 * 4), least_traffic(parameters, variables));
  EXPECT_EQ(2U * 8 * 4, make_patterns(parameters, "lab/x", "one", variables, 1)[0].period);
}

TEST_F(CaseLaunchTest, AnAliasIsTheSameBuffer) {
  parameters.insert(parameters.begin(), SameParameter{"again", "in", {}});
  EXPECT_EQ(2U, buffers(1).size());
  const auto launch = make_launch(parameters, geometry, "k", variables);
  EXPECT_EQ(1U, std::get<run::BufferArgument>(launch.arguments[0]).index);
  EXPECT_EQ(1U, std::get<run::BufferArgument>(launch.arguments[2]).index);
}

// struct { int n; float* out; const float* in; }: 24 bytes, addresses at 8 and 16.
TEST_F(CaseLaunchTest, AStructHoldsValuesAndAddresses) {
  parameters = {StructParameter{"p", {number(), buffer_at(0), buffer_at(1)}}};
  EXPECT_EQ(2U, buffers(1).size());
  const auto launch = make_launch(parameters, geometry, "k", variables);
  ASSERT_EQ(1U, launch.arguments.size());
  const auto& argument = std::get<run::StructArgument>(launch.arguments[0]);
  EXPECT_EQ(24U, argument.bytes.size());
  EXPECT_EQ(std::byte{8}, argument.bytes[0]);
  ASSERT_EQ(2U, argument.pointers.size());
  EXPECT_EQ(8U, argument.pointers[0].offset);
  EXPECT_EQ(0U, argument.pointers[0].buffer);
  EXPECT_EQ(16U, argument.pointers[1].offset);
  EXPECT_EQ(1U, argument.pointers[1].buffer);
}

// The addresses in a struct follow their names, as those of parameters do.
TEST_F(CaseLaunchTest, ASequenceMovesTheAddressesInAStruct) {
  number().value = {"step", {}};
  buffer_at(1).content = Poison{};
  parameters[2] = StructParameter{"p", {number(), SameParameter{"p.to", "out", {}}}};
  KernelExercise exercise;
  exercise.parameters = parameters;
  exercise.rounds = {"1", {}};
  Step step;
  step.geometry = geometry;
  step.arguments = {2, 1};
  step.times = {"2", {}};
  step.swaps = {{0, 1}};
  exercise.steps = {step};
  const auto sequence = make_sequence(exercise, {"swap"}, variables);
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

}  // namespace case_launch_test
}  // namespace warpgrade::grader

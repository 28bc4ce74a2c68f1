// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/sized_case.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/grader/cases/small_kernel.h"
#include "tests/grader/course/manifest_text.h"

namespace warpgrade::grader::cases::sized_case_test {

// The launch of a case: its extents and arguments.

using CaseLaunchTest = SmallKernel;

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

TEST_F(CaseLaunchTest, AnAliasIsTheSameBuffer) {
  parameters.insert(parameters.begin(), course::SameParameter{"again", "in", {}});
  const auto launch = make_launch(parameters, geometry, "k", variables);
  EXPECT_EQ(1U, std::get<run::BufferArgument>(launch.arguments[0]).index);
  EXPECT_EQ(1U, std::get<run::BufferArgument>(launch.arguments[2]).index);
}

// struct { int n; float* out; const float* in; }: 24 bytes, addresses at 8 and 16.
TEST_F(CaseLaunchTest, AStructHoldsValuesAndAddresses) {
  parameters = {course::StructParameter{"p", {number(), buffer_at(0), buffer_at(1)}}};
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

// The buffers of a case before a launch: two of 2 x 8 floats.

const auto kSeed = contents_seed("lab/x", "one", 1);

class CaseBuffersTest : public testing::Test {
 protected:
  std::vector<run::Buffer> buffers(std::uint64_t seed) const {
    return make_buffers(shapes, contents_seed("lab/x", "one", seed));
  }
  std::vector<SizedBuffer> shapes = {
      {"out", verify::ElementType::kF32, 2, 8, true, course::Poison{}, verify::Tolerance{}},
      {"in", verify::ElementType::kF32, 2, 8, true, verify::Fill::kIota, course::NotCompared{}},
  };
};

using SizedBuffers = SmallKernel;

TEST_F(SizedBuffers, ABufferHasNumbers) {
  buffer_at(0).rows = {"1", {}};
  buffer_at(0).comparison = course::WithinUlps{{"n / 2", {}}, {}};
  buffer_at(1).content = course::Indices{verify::IndexKind::kBelow, {"n + 1", {}}, {}};
  const auto buffers = size_buffers(parameters, variables);
  ASSERT_EQ(2U, buffers.size());
  EXPECT_EQ("out", buffers[0].name);
  EXPECT_EQ(8U, buffers[0].elements());
  EXPECT_FALSE(buffers[0].is_matrix);
  EXPECT_EQ(4U, buffers[0].tolerance().ulps);
  EXPECT_TRUE(buffers[0].is_output());
  EXPECT_TRUE(buffers[1].is_matrix);
  EXPECT_TRUE(buffers[1].is_read_only());
  const auto& indices = std::get<verify::IndexFill>(buffers[1].content);
  EXPECT_EQ(9U, indices.bound);
  EXPECT_EQ(16U, indices.count);
}

TEST_F(SizedBuffers, ATotalIsNotComparedByElements) {
  buffer_at(0).comparison = course::EqualTotal{};
  const auto buffers = size_buffers(parameters, variables);
  EXPECT_TRUE(buffers[0].has_total());
  EXPECT_EQ(0U, buffers[0].tolerance().ulps);
}

TEST_F(SizedBuffers, AnAliasIsNoBufferOfItsOwn) {
  parameters.insert(parameters.begin(), course::SameParameter{"again", "in", {}});
  EXPECT_EQ(2U, size_buffers(parameters, variables).size());
}

TEST_F(SizedBuffers, FieldsAreBuffersToo) {
  parameters = {course::StructParameter{"p", {number(), buffer_at(0), buffer_at(1)}}};
  EXPECT_EQ(2U, size_buffers(parameters, variables).size());
}

TEST_F(CaseBuffersTest, EachBufferHasItsSizeAndItsPart) {
  const auto all = buffers(1);
  ASSERT_EQ(2U, all.size());
  EXPECT_EQ("out", all[0].name);
  EXPECT_FALSE(all[0].defined);
  EXPECT_FALSE(all[0].read_only);
  EXPECT_TRUE(all[1].read_only);
  EXPECT_TRUE(all[1].defined);
  EXPECT_EQ(2U * 8 * 4, all[1].bytes.size());
  EXPECT_EQ(2U * 2 * 8 * 4, buffer_bytes(all));
  EXPECT_EQ(buffer_bytes(all), least_traffic(shapes));
}

TEST_F(CaseBuffersTest, ContentsFollowFromSeedExerciseCaseAndParameter) {
  shapes[1].content = verify::Fill::kDistinct;
  EXPECT_EQ(buffers(1)[1].bytes, buffers(1)[1].bytes);
  EXPECT_NE(buffers(1)[1].bytes, buffers(2)[1].bytes);
  EXPECT_NE(buffers(1)[1].bytes, make_buffers(shapes, contents_seed("lab/y", "one", 1))[1].bytes);
  EXPECT_NE(buffers(1)[1].bytes, make_buffers(shapes, contents_seed("lab/x", "two", 1))[1].bytes);
}

TEST_F(CaseBuffersTest, OutputsAloneAreThoseOfTheWhole) {
  const auto outputs = make_outputs(shapes, kSeed);
  ASSERT_EQ(2U, outputs.size());
  EXPECT_EQ(buffers(1)[0].bytes, outputs[0].bytes);
  EXPECT_TRUE(outputs[1].bytes.empty());
}

TEST_F(CaseBuffersTest, PatternsMakeTheSameInputs) {
  const auto patterns = make_patterns(shapes, kSeed);
  ASSERT_EQ(2U, patterns.size());
  EXPECT_EQ(buffers(1)[1].bytes, run::made(patterns[1]).bytes);
}

TEST_F(CaseBuffersTest, WhatIsReadAndWrittenMovesTwiceAndScratchNotAtAll) {
  shapes[0].content = verify::Fill::kIota;
  EXPECT_EQ(3U * 2 * 8 * 4, least_traffic(shapes));
  shapes[1].content = course::Poison{};
  EXPECT_EQ(2U * 2 * 8 * 4, least_traffic(shapes));
}

TEST_F(CaseBuffersTest, WhatIsReadAndWrittenIsFilledAndScratchIsPoisoned) {
  shapes[0].content = verify::Fill::kIota;
  shapes[1].content = course::Poison{};
  const auto all = buffers(1);
  EXPECT_TRUE(all[0].defined);
  EXPECT_FALSE(all[0].read_only);
  float third = 0;
  std::memcpy(&third, all[0].bytes.data() + 8, sizeof third);
  EXPECT_EQ(2, third);
  EXPECT_FALSE(all[1].defined);
  EXPECT_FALSE(all[1].read_only);
  const auto again = make_outputs(shapes, kSeed);
  EXPECT_EQ(all[0].bytes, again[0].bytes);
  EXPECT_EQ(all[1].bytes, again[1].bytes);
}

TEST_F(CaseBuffersTest, OnlyShuffledInputsAreInAnyOrder) {
  const auto all = in_any_order(shapes);
  ASSERT_EQ(2U, all.size());
  EXPECT_FALSE(all[0]);
}

TEST_F(CaseBuffersTest, ABufferInPlaceHoldsItsInputAndGoesThroughMemoryTwice) {
  shapes[0].content = verify::Fill::kIota;
  shapes.pop_back();
  const auto all = buffers(1);
  ASSERT_EQ(1U, all.size());
  EXPECT_TRUE(all[0].defined);
  EXPECT_FALSE(all[0].read_only);
  float first[3];
  std::memcpy(first, all[0].bytes.data(), sizeof first);
  EXPECT_EQ(2.0F, first[2]);  // element 2 of iota
  EXPECT_EQ(all[0].bytes, make_outputs(shapes, kSeed)[0].bytes);
  EXPECT_EQ(2U * 8 * 4, buffer_bytes(all));
  EXPECT_EQ(2U * (2 * 8 * 4), least_traffic(shapes));
  EXPECT_EQ(2U * 8 * 4, make_patterns(shapes, kSeed)[0].period);
}

// Evaluates the expressions of an exercise at one size; expected values are calculated by hand.

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
  exercise.arithmetic = timing::ArithmeticKind::kTensorF16;
  const auto work = required_work(exercise, {{"n", 1000}});
  EXPECT_EQ(12000U, work.bytes);
  EXPECT_EQ(2e6, work.operations);
  EXPECT_EQ(timing::ArithmeticKind::kTensorF16, work.arithmetic);
}

}  // namespace warpgrade::grader::cases::sized_case_test

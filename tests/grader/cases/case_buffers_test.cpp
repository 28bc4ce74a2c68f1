// SPDX-License-Identifier: Apache-2.0
// The buffers of a case before a launch: two of 2 x 8 floats.
#include "grader/cases/case_buffers.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/grader/cases/small_kernel.h"

namespace warpgrade::grader::cases::case_buffers_test {

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

}  // namespace warpgrade::grader::cases::case_buffers_test

// SPDX-License-Identifier: Apache-2.0
// The launch of a case: its extents and arguments.
#include "grader/cases/case_launch.h"

#include "tests/grader/cases/small_kernel.h"

namespace warpgrade::grader::cases::case_launch_test {

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

}  // namespace warpgrade::grader::cases::case_launch_test

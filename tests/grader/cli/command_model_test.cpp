// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/command_model.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "common/gpu/platform.h"

namespace warpgrade::grader::cli::command_model_test {
namespace {

TEST(CommandModel, TheNumberOfAGpuIsAValueAndNoStateOfTheProcess) {
  ASSERT_EQ(nullptr, std::getenv(gpu::kGpuVariable));
  CommandModel model;
  EXPECT_FALSE(model.grade.gpu);
  model.app.parse("grade --gpu 3");
  EXPECT_EQ(3, model.grade.gpu);
  EXPECT_FALSE(model.check.gpu);
  EXPECT_EQ(nullptr, std::getenv(gpu::kGpuVariable));
}

TEST(CommandModel, AProfilersChildTakesTheNumberOfTheGpu) {
  CommandModel model;
  model.app.parse("counted-launch job --gpu 2");
  EXPECT_EQ("job", model.counted_launch);
  EXPECT_EQ(2, model.device_gpu);
}

TEST(CommandModel, ANegativeNumberIsNoGpu) {
  CommandModel model;
  EXPECT_THROW(model.app.parse("calibrate --gpu=-1"), CLI::ParseError);
}

}  // namespace
}  // namespace warpgrade::grader::cli::command_model_test

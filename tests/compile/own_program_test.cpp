// SPDX-License-Identifier: Apache-2.0
// Kernels that come with the program are compiled once for each architecture.
#include "common/compile/own_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::compile::own_program_test {

constexpr const char* kSource = "extern \"C\" __global__ void own(int* out) { out[0] = 1; }\n";

TEST(OwnProgram, IsKeptByFileAndArchitecture) {
  const auto& first = own_program("the test", "own_test.cu", kSource, "compute_75");
  EXPECT_EQ(&first, &own_program("the test", "own_test.cu", kSource, "compute_75"));
  EXPECT_NE(&first, &own_program("the test", "own_test.cu", kSource, "compute_80"));
  EXPECT_THAT(first.ptx, testing::HasSubstr(".entry own("));
}

TEST(OwnProgram, ThatDoesNotCompileIsOurMistake) {
  try {
    own_program("the test", "own_broken.cu", "broken", "compute_75");
    FAIL() << "compiled";
  } catch (const base::ToolError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("the test does not compile for compute_75: "));
  }
}

}  // namespace warpgrade::compile::own_program_test

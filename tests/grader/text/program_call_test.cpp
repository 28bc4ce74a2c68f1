// SPDX-License-Identifier: Apache-2.0
// Messages name the program as the user called it.
#include "grader/text/program_call.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace warpgrade::grader::text::program_call_test {

TEST(ProgramCall, IsTheWrappersOrTheInstalledProgram) {
  setenv("WARPGRADE_CALL", "../warpgrade", 1);
  EXPECT_EQ("../warpgrade", program_call());
  setenv("WARPGRADE_CALL", "./warp\x1bgrade", 1);
  EXPECT_EQ("./warp\\x1bgrade", program_call());
  unsetenv("WARPGRADE_CALL");
  EXPECT_EQ("warpgrade", program_call());
}

}  // namespace warpgrade::grader::text::program_call_test

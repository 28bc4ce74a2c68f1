// SPDX-License-Identifier: Apache-2.0
// Instructions of a launch, counted per thread.
#include "common/measure/measurement.h"

#include <gtest/gtest.h>

namespace warpgrade::measure::measurement_test {

TEST(Measurement, InstructionsAreTheSumOverAllOfTheKernel) {
  run::Result result;
  result.instructions = {{2, 64}, {1, 7}, {0, 0}};
  EXPECT_EQ(71U, thread_instructions(result));
}

TEST(Measurement, ALaunchThatExecutedNothingHasNone) { EXPECT_EQ(0U, thread_instructions({})); }

}  // namespace warpgrade::measure::measurement_test

// SPDX-License-Identifier: Apache-2.0
// The devices and backends on which the cases of an exercise run.
#include "grader/grade/target.h"

#include <gtest/gtest.h>

#include "tests/grader/grade/gate_cases.h"

namespace warpgrade::grader {
namespace target_test {

TEST(Target, TheBackendFollowsFromTheBench) {
  EXPECT_EQ(run::Backend::kSim, simulated("k40").backend());
  EXPECT_EQ(run::Backend::kGpu, on_gpu("h200").backend());
  EXPECT_FALSE(simulated("k40").is_gpu());
  EXPECT_TRUE(on_gpu("h200").is_gpu());
}

}  // namespace target_test
}  // namespace warpgrade::grader

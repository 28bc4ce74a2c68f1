// SPDX-License-Identifier: Apache-2.0
// Bytes and operations of a case, calculated by hand.
#include "grader/cases/required_work.h"

#include <gtest/gtest.h>

#include "tests/grader/course/manifest_text.h"

namespace warpgrade::grader {
namespace required_work_test {

// 1,000 floats are read and 1,000 are written.
TEST(RequiredWork, IsTheInputsAndOutputsOnceByDefault) {
  const auto work = required_work(kernel_in(small_lab()), {{"n", 1000}});
  EXPECT_EQ(8000U, work.bytes);
  EXPECT_EQ(0, work.operations);
}

TEST(RequiredWork, FollowsTheManifestsExpressions) {
  auto exercise = kernel_in(small_lab());
  exercise.bytes = Expression{"12 * n", {}};
  exercise.operations = Expression{"2 * n ^ 2", {}};
  const auto work = required_work(exercise, {{"n", 1000}});
  EXPECT_EQ(12000U, work.bytes);
  EXPECT_EQ(2e6, work.operations);
}

}  // namespace required_work_test
}  // namespace warpgrade::grader

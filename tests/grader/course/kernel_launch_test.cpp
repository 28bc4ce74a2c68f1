// SPDX-License-Identifier: Apache-2.0
#include "grader/course/kernel_launch.h"

#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::grader {
namespace kernel_launch_test {

TEST(KernelName, TakesTheVariablesOfTheCase) {
  EXPECT_EQ("copy", kernel_name("copy", {{"factor", 4}}));
  EXPECT_EQ("reduce_threads<4>", kernel_name("reduce_threads<{factor}>", {{"factor", 4}}));
  EXPECT_EQ("f<2, 3>", kernel_name("f<{a}, {b}>", {{"a", 2}, {"b", 3}}));
}

TEST(KernelName, AVariableThatIsNotThereIsAMistake) {
  EXPECT_THROW(kernel_name("f<{n}>", {}), base::UsageError);
  EXPECT_THROW(kernel_name("f<{}>", {{"n", 1}}), base::UsageError);
  EXPECT_THROW(kernel_name("f<{n", {{"n", 1}}), base::UsageError);
}

}  // namespace kernel_launch_test
}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
// The progress line of a grade.
#include "grader/cli/commands/commands.h"

#include <gtest/gtest.h>

#include "grader/grade/plan/plan.h"

namespace warpgrade::grader::cli::commands_test {

TEST(ProgressLine, NamesTheExerciseAndTheCase) {
  EXPECT_EQ("[###.......] 7 of 16  coalescing/copy, case ragged",
            progress_line({6, 16, "coalescing/copy", "ragged"}, 80));
  EXPECT_EQ("[..........] 1 of 2  coalescing/copy",
            progress_line({0, 2, "coalescing/copy", ""}, 80));
  EXPECT_EQ("[#####.....] 2 of 2  a/b, case c", progress_line({1, 2, "a/b", "c"}, 80));
}

TEST(ProgressLine, IsCutToTheWidth) {
  EXPECT_EQ(20U, progress_line({0, 2, "coalescing/transpose", "ragged"}, 20).size());
}

}  // namespace warpgrade::grader::cli::commands_test

// SPDX-License-Identifier: Apache-2.0
// The progress line; expected numbers are calculated by hand.
#include "grader/class/progress.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::progress_test {

TEST(Progress, TellsCountRateAndTimeLeft) {
  EXPECT_EQ("graded 0 of 10", progress_line(0, 10, 0, 5));
  EXPECT_EQ("graded 120 of 4800, 8.0 a second, 9 min 45 s left", progress_line(120, 4800, 0, 15));
  EXPECT_EQ("graded 9 of 10, 3.0 a second, 0 s left, 2 not judged", progress_line(9, 10, 2, 3));
  EXPECT_EQ("graded 10 of 10, 5.0 a second", progress_line(10, 10, 0, 2));
}

}  // namespace warpgrade::grader::class_book::progress_test

// SPDX-License-Identifier: Apache-2.0
// A whole class in Canvas's import format.
#include "grader/report/formats/canvas.h"

#include <gtest/gtest.h>

#include "tests/grader/report/formats/class_of_two.h"

namespace warpgrade::grader::report::canvas_test {

TEST(RenderCanvas, AClassOfTwo) {
  EXPECT_EQ(
      "Student,ID,SIS User ID,SIS Login ID,Section,coalescing/copy,bank_conflicts/padded\r\n"
      "    Points Possible,,,,,10,8\r\n"
      "\"Love,\"\"lace, Ada\",,1815,ada,A,7.5,\r\n"
      "'=bob,,,=bob,,,0\r\n",
      render_canvas(class_of_two()));
}

}  // namespace warpgrade::grader::report::canvas_test

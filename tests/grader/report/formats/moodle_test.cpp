// SPDX-License-Identifier: Apache-2.0
// A whole class in Moodle's import format.
#include "grader/report/formats/moodle.h"

#include <gtest/gtest.h>

#include "tests/grader/report/formats/class_of_two.h"

namespace warpgrade::grader::report::moodle_test {

TEST(RenderMoodle, AClassOfTwo) {
  EXPECT_EQ(
      "Username,First name,Last name,ID number,Email address,coalescing/copy,"
      "bank_conflicts/padded\r\n"
      "ada,Ada,\"Love,\"\"lace\",1815,ada@example.org,7.5,-\r\n"
      "=bob,,,,,-,0\r\n",
      render_moodle(class_of_two()));
}

}  // namespace warpgrade::grader::report::moodle_test

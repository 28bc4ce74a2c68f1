// SPDX-License-Identifier: Apache-2.0
// A whole class in nbgrader's export format.
#include "grader/report/formats/nbgrader.h"

#include <gtest/gtest.h>

#include "tests/grader/report/formats/class_of_two.h"

namespace warpgrade::grader::report::nbgrader_test {

TEST(RenderNbgrader, AClassOfTwo) {
  EXPECT_EQ(
      "assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,"
      "late_submission_penalty,score,max_score\r\n"
      "coalescing-copy,2026-11-21 00:00:00,2026-11-22 14:20:00,ada,\"Love,\"\"lace\",Ada,"
      "ada@example.org,10.0,2.5,7.5,10.0\r\n"
      "bank_conflicts-padded,,,=bob,,,,0.0,0.0,0.0,8.0\r\n",
      render_nbgrader(class_of_two()));
}

}  // namespace warpgrade::grader::report::nbgrader_test

// SPDX-License-Identifier: Apache-2.0
// A class of two students and two exercises, for the tests of its formats.
#pragma once

#include <vector>

#include "grader/report/formats/class_grades.h"

namespace warpgrade::grader::report {

// Ada's copy was late (7.5 of 10 points count), and her padded could not be judged. Only the login
// of =Bob is known, and he handed in only padded.
inline std::vector<ClassGrade> class_of_two() {
  ClassGrade copy{"ada",
                  "Ada",
                  "Love,\"lace",
                  "ada@example.org",
                  "1815",
                  "A",
                  "coalescing",
                  "copy",
                  7.5,
                  10,
                  10,
                  "2026-11-22T14:20:00Z",
                  "2026-11-21T00:00:00Z"};
  auto open = copy;
  open.lab = "bank_conflicts";
  open.exercise = "padded";
  open.points.reset();
  open.max_points = 8;
  ClassGrade bob;
  bob.student = "=bob";
  bob.lab = "bank_conflicts";
  bob.exercise = "padded";
  bob.points = 0;
  bob.max_points = 8;
  return {copy, open, bob};
}

}  // namespace warpgrade::grader::report

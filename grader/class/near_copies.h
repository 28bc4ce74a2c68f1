// SPDX-License-Identifier: Apache-2.0
// Near-copies among the attempts that count: a list for the instructor to review, not a verdict.
#pragma once

#include <string>
#include <vector>

#include "grader/class/sqlite.h"
#include "grader/course/course.h"

namespace warpgrade::grader::class_book {

struct NearCopy {
  std::string exercise;                     ///< "LAB/EXERCISE".
  std::vector<std::string> students;        ///< Students with the first content.
  std::vector<std::string> other_students;  ///< Students with the other; empty: all have the same
                                            ///< bytes.
  double share = 0;                         ///< 0 to 1, as in similarity.h.
  std::size_t shared = 0;                   ///< Fingerprints; 0 for the same bytes.
  std::size_t line = 0;  ///< First line of the shared part; 0 for the same bytes.
  std::size_t other_line = 0;
};

/// By exercise, the most alike first. The course's files (skeleton, solution, wrong solutions) do
/// not count, and unchanged copies of them are not listed. Exercises of questions are left out,
/// since right answers are alike.
std::vector<NearCopy> near_copies(Sqlite& book, const course::Course& course);

/// The list as CSV: lab/exercise, both groups of students, share, lines.
std::string similar_csv(const std::vector<NearCopy>& copies);

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// Measures the speed of the course's own solution and skeleton of an exercise on this machine's
// GPU.
//
// A gate on speed has no number for a card that the course's authors did not have. Its bound is
// then a share of the solution's speed there, and the skeleton's value shows whether passing means
// anything. Both are measured once per run of the program, in the same way as a submission: every
// launch is checked, and a wrong one has no value. The student's copy of a course has no solutions.
#pragma once

#include <filesystem>
#include <map>
#include <utility>

#include "grader/grade/course_values.h"
#include "grader/grade/grading_services.h"

namespace warpgrade::grader {

class CourseOnCard {
 public:
  /// `services` have a GPU and outlive this.
  explicit CourseOnCard(const GradingServices& services) : services_(services) {}

  /// For the exercise of `task`; kept, so asking again is free.
  const CourseValues& of(const GradingTask& task);

 private:
  CaseFractions fractions(const GradingTask& task, std::string& trouble) const;

  const GradingServices& services_;
  std::map<const Exercise*, CourseValues> known_;
};

/// The path of the course's solution of an exercise, beside its lab's folder.
std::filesystem::path solution_file(const Lab& lab, const Exercise& exercise);

}  // namespace warpgrade::grader

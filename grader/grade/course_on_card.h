// SPDX-License-Identifier: Apache-2.0
// Measures what the course's own solution and skeleton of an exercise reach on this machine's GPU.
//
// A gate on speed has no number for a card that the course's authors have never seen. Its bound is
// then a share of what the solution reaches there, and the skeleton's value says whether to pass it
// shows anything. Both are measured once a run of the program, as a submission is: every launch is
// checked, and one that is wrong has no value. A course as students get it has no solutions.
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

/// The path of the course's solution of an exercise: beside the folder that holds its lab.
std::filesystem::path solution_file(const Lab& lab, const Exercise& exercise);

}  // namespace warpgrade::grader

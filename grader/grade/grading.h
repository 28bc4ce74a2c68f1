// SPDX-License-Identifier: Apache-2.0
// Grades one submission for one exercise: compile, run every case on every device that a gate
// names, compare with the reference, measure, decide the gates, judge, advise.
//
// Each stage takes values and returns one; assemble() makes the report of them. Nothing is measured
// for a submission whose smaller cases are wrong. Where the GPU itself fails, or tells a time that
// cannot be, that exercise is not graded, and the next one is. The services (compiler, benches,
// reference) are handed in, so that the logic of grading is tested without a simulator.
#pragma once

#include <string>
#include <vector>

#include "grader/grade/grading_services.h"
#include "grader/report/report.h"

namespace warpgrade::grader {

class Grading {
 public:
  /// `only_device`: grade on that profile alone, with its gates; empty for all.
  Grading(GradingServices services, std::string only_device);

  /// Begins the compilations that grade() will need.
  void prepare(const GradingTask& task) const;
  /// The verdict is `error` where the submission cannot be read, compiled or run for a reason that
  /// is not its own. Throws base::ToolError where another tool fails.
  ExerciseReport grade(const GradingTask& task) const;

 private:
  std::vector<Target> targets(const Exercise& exercise) const;
  ExerciseReport grade_kernel(const GradingTask& task) const;

  GradingServices services_;
  std::string only_device_;
};

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
// Grades one submission for one exercise: compile, run every case on every device that a gate
// names, compare with the reference, measure, evaluate the gates.
//
// A small case that is right runs in further orders of warps and blocks, which the seed decides: a
// kernel that is right in one order only is wrong. Counts come from the order by number alone.
//
// The launch of a measured case is checked, compared and measured in one: what is timed is what
// was found right. Nothing is measured for a submission whose smaller cases are wrong. Where the
// GPU itself fails, or tells what cannot be, that exercise is not graded, and the next one is. What
// grading works with (compiler, benches, runner of the reference) is handed in, so that its logic
// is tested without a simulator.
#pragma once

#include <string>
#include <vector>

#include "grader/grade/gates.h"
#include "grader/grade/grading_services.h"
#include "grader/report/report.h"

namespace warpgrade::grader {

class Grading {
 public:
  /// `only_device`: grade on that profile alone, with its gates; empty for all.
  Grading(GradingServices services, std::string only_device);

  /// Begins the compilations that grade() will need.
  void prepare(const GradingTask& task);
  /// The verdict is `error` where the submission cannot be read, compiled or run for a reason that
  /// is not its own. Throws base::ToolError where another tool fails.
  ExerciseReport grade(const GradingTask& task);

 private:
  std::vector<Target> targets(const Exercise& exercise) const;
  void waive_gates(ExerciseReport& report) const;

  GradingServices services_;
  std::string only_device_;
};

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
// Grades one submission for one exercise in five stages, a folder each: plan, execute, time, judge,
// explain.
//
// Each stage takes values and returns one. Nothing is measured for a submission whose smaller cases
// are wrong. If the GPU itself fails, or reports an impossible time, that exercise is not graded,
// and grading goes on with the next one. The services (compiler, benches, reference) are injected,
// so that tests of the grading logic need no simulator.
#pragma once

#include <string>

#include "grader/grade/plan/grading_services.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

class Grading {
 public:
  /// `only_device`: grade on that profile alone, with its gates; empty for all.
  Grading(GradingServices services, std::string only_device);

  /// Begins the compilations that grade() will need.
  void prepare(const GradingTask& task) const;
  /// The verdict is `error` if the submission cannot be read, compiled or run through no fault of
  /// its own. Throws base::ToolError if another tool fails.
  report::ExerciseReport grade(const GradingTask& task) const;

 private:
  report::ExerciseReport grade_kernel(const GradingTask& task) const;

  GradingServices services_;
  std::string only_device_;
};

}  // namespace warpgrade::grader::grade

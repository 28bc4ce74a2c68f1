// SPDX-License-Identifier: Apache-2.0
// Measured cases on the GPU, beside the copy baseline.
//
// One launch is checked, compared and timed, so the timed result is the one that was found right.
// The expected results are also made on the GPU, from inputs that nobody could predict. Every
// failure of the GPU ends as GpuTrouble.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "common/measure/copy_comparison.h"
#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/plan/plan.h"

namespace warpgrade::grader::grade {

/// The measured cases of a submission on the GPU. The first call of time() prepares all of them.
class GpuTiming {
 public:
  /// Decides the bounds of `gates`, the plan's with the values of the course's files. All
  /// references outlive this.
  GpuTiming(const Plan& plan, const GatePlan& gates, std::vector<Place> places)
      : plan_(plan), gates_(gates), places_(std::move(places)) {}

  /// The outcome of the place with this number. Do not call it after an outcome that ends grading.
  CaseOutcome time(std::size_t number);

 private:
  void begin();
  measure::TimedCase timed_case(const Place& place) const;

  const Plan& plan_;
  const GatePlan& gates_;
  std::vector<Place> places_;
  std::unique_ptr<measure::CopyComparisons> comparisons_;
};

/// The outcome of a small case on the GPU with its speed, if a gate needs it.
CaseOutcome with_gpu_speed(const Plan& plan, const Place& place, CaseOutcome checked);

}  // namespace warpgrade::grader::grade

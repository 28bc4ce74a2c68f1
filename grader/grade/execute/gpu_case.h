// SPDX-License-Identifier: Apache-2.0
// Cases on the GPU: small ones launched and checked, measured ones timed beside the copy baseline.
//
// One launch of a measured case is checked, compared and timed, so the timed result is the one that
// was found right. The expected results are also made on the GPU, from inputs that nobody could
// predict. Every failure of the GPU ends as GpuTrouble.
#pragma once

#include <memory>
#include <vector>

#include "common/measure/copy_comparison.h"
#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/plan/gate_plan.h"
#include "grader/grade/plan/grading_services.h"

namespace warpgrade::grader {

/// Launches a small case once.
CaseOutcome check_on_gpu(const GradingServices& services, const GradingTask& task,
                         const GatePlan& plan, const Place& place);

/// The measured cases of a submission on the GPU: they go there together, at the first one.
class GpuTiming {
 public:
  /// All references outlive this.
  GpuTiming(const GradingServices& services, const GradingTask& task, const GatePlan& plan,
            std::vector<Place> places)
      : services_(services), task_(task), plan_(plan), places_(std::move(places)) {}

  /// The outcome of the place with this number. Do not call it after an outcome that ends grading.
  CaseOutcome time(std::size_t number);

 private:
  void begin();
  measure::TimedCase timed_case(const Place& place) const;

  const GradingServices& services_;
  const GradingTask& task_;
  const GatePlan& plan_;
  std::vector<Place> places_;
  std::unique_ptr<measure::CopyComparisons> comparisons_;
};

}  // namespace warpgrade::grader

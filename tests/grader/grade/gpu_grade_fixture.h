// SPDX-License-Identifier: Apache-2.0
// The small lab of grade_fixture.h, graded with a fake GPU.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tests/grader/grade/grade_fixture.h"

namespace warpgrade::grader::grade {

// The speed gate requires 0.5 on this card.
class GradeOnGpu : public Grade {
 protected:
  void SetUp() override {
    Grade::SetUp();
    kernel_in(lab_).gates[1].device = "h200";
  }
  report::ExerciseReport grade_on_gpu(FakeBody body = right, const std::string& only_device = {}) {
    gpu_ = std::make_unique<FakeGpuBench>("h200", "sm_90", std::move(body));
    gpu_->fraction = fraction_;
    gpu_->impossible = impossible_;
    gpu_->counters = gpu_counters_;
    return grade(simulated_, only_device, gpu_.get());
  }

  FakeBody simulated_ = right;  ///< The body of a simulated kernel.
  measure::Fraction fraction_{measure::FractionEstimate{0.7, 0.69, 0.71}, true, {{1, 2, 2, 1}}, ""};
  std::string impossible_;
  std::optional<measure::GpuCounters> gpu_counters_;
  std::unique_ptr<FakeGpuBench> gpu_;
};

}  // namespace warpgrade::grader::grade

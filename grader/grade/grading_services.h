// SPDX-License-Identifier: Apache-2.0
// What grading works with, and what it is asked to grade.
//
// The compiler, the benches and the reference are handed in, so that the logic of grading is tested
// without a simulator.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "common/measure/measure.h"
#include "grader/cases/compilations.h"
#include "grader/cases/reference.h"
#include "grader/cases/submission.h"
#include "grader/course/manifest.h"
#include "grader/grade/gpu_calibration.h"

namespace warpgrade::grader {

struct GradingServices {
  Compilations* compilations = nullptr;
  Reference* reference = nullptr;      ///< For launches in the simulator's sizes.
  Reference* gpu_reference = nullptr;  ///< For a GPU's; needed where there is one.
  std::function<measure::Bench&(const std::string& device)> sim;  ///< The simulated device.
  /// Simulated cases of an exercise that run at a time; their services are called by as many
  /// threads.
  unsigned cases_at_once = 1;
  std::uint64_t seed = 0;         ///< Of the orders in which warps and blocks run, too.
  measure::Bench* gpu = nullptr;  ///< Set: the card grades what its profile's gates ask of speed.
  const GpuCalibration* calibration = nullptr;  ///< Of it, where there is one.
  /// Another number each time, for the inputs of launches that are timed on it; nobody should be
  /// able to know it beforehand.
  std::function<std::uint64_t()> timed_variant = [] { return 1; };
  bool counters = false;  ///< Count on it, too, what the gates on its profile count simulated.
};

struct GradingTask {
  const Lab* lab = nullptr;
  const Exercise* exercise = nullptr;
  Submission submission;
};

}  // namespace warpgrade::grader

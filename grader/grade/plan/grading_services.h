// SPDX-License-Identifier: Apache-2.0
// The services that grading works with, and the tasks that it is given.
//
// The compiler, the benches and the reference are injected, so that tests of the grading logic need
// no simulator.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "common/measure/gpu_bench.h"
#include "grader/cases/compilations.h"
#include "grader/cases/reference.h"
#include "grader/cases/submission.h"
#include "grader/course/manifest.h"
#include "grader/grade/plan/course_values.h"
#include "grader/grade/plan/gpu_calibration.h"
#include "grader/grade/plan/target.h"

namespace warpgrade::grader::grade {

struct GradingTask {
  const course::Lab* lab = nullptr;
  const course::Exercise* exercise = nullptr;
  cases::Submission submission;

  /// The exercise's form. Call it only if that is a kernel.
  const course::KernelExercise& kernel() const {
    return std::get<course::KernelExercise>(exercise->form);
  }
};

struct SimulatorServices {
  SimBenches bench;
  cases::Reference* reference = nullptr;  ///< For launches in the simulator's sizes.
  /// Simulated cases of an exercise that run at a time; the services are called by as many threads.
  unsigned cases_at_once = 1;
};

struct GpuServices {
  measure::GpuBench* bench = nullptr;
  cases::Reference* reference = nullptr;        ///< For launches in a GPU's sizes.
  const GpuCalibration* calibration = nullptr;  ///< nullptr if the GPU is not calibrated.
  /// Returns another unpredictable number each time, for the inputs of timed launches.
  std::function<std::uint64_t()> timed_variant = [] { return 1; };
  /// The values that the course's own files reach on this GPU; empty: unknown.
  std::function<CourseValues(const GradingTask& task)> course_values = {};
  bool counters = false;  ///< Also count on the GPU the counters of simulated gates on its profile.
};

/// The exercise and case that is being graded.
struct GradingProgress {
  std::size_t done = 0;  ///< Exercises.
  std::size_t all = 0;
  std::string exercise;   ///< "LAB/EXERCISE" of the current one.
  std::string case_name;  ///< Empty before its first case.
};

struct GradingServices {
  cases::Compilations* compilations = nullptr;
  SimulatorServices simulator;
  std::optional<GpuServices> gpu;  ///< Set: it decides the gates on speed, see gate_plan.h.
  std::uint64_t seed = 0;          ///< Seed of inputs and of the orders in which warps run.
  bool pictures = false;           ///< Also make the data of pictures.
  /// Called with the case's name when grading starts to wait for it; may be empty.
  std::function<void(const std::string& case_name)> on_case = {};
};

}  // namespace warpgrade::grader::grade

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

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "common/measure/measure.h"
#include "grader/calibration_card.h"
#include "grader/compilations.h"
#include "grader/gates.h"
#include "grader/manifest.h"
#include "grader/reference.h"
#include "grader/report.h"
#include "grader/submission.h"

namespace warpgrade::grader {

struct Tools {
  Compilations* compilations = nullptr;
  Reference* reference = nullptr;      ///< For launches in the simulator's sizes.
  Reference* gpu_reference = nullptr;  ///< For a GPU's; needed where there is one.
  std::function<measure::Bench&(const std::string& device)> sim;  ///< The simulated device.
  /// Simulated cases of an exercise that run at a time; their tools are called by as many threads.
  unsigned cases_at_once = 1;
  std::uint64_t seed = 0;         ///< Of the orders in which warps and blocks run, too.
  measure::Bench* gpu = nullptr;  ///< Set: the card grades what its profile's gates ask of speed.
  const CalibrationCard* card = nullptr;  ///< Of it, where there is one.
  /// Another number each time, for the inputs of launches that are timed on it; nobody should be
  /// able to know it beforehand.
  std::function<std::uint64_t()> timed_variant = [] { return 1; };
  bool counters = false;  ///< Count on it, too, what the gates on its profile count simulated.
};

struct Work {
  const Lab* lab = nullptr;
  const Exercise* exercise = nullptr;
  Submission submission;
};

class Grading {
 public:
  /// `only_device`: grade on that profile alone, with its gates; empty for all.
  Grading(Tools tools, std::string only_device);

  /// Begins the compilations that grade() will need.
  void prepare(const Work& work);
  /// The verdict is `error` where the submission cannot be read, compiled or run for a reason that
  /// is not its own. Throws base::ToolError where another tool fails.
  ExerciseReport grade(const Work& work);

 private:
  std::vector<Target> targets(const Exercise& exercise) const;
  void waive_gates(ExerciseReport& report) const;

  Tools tools_;
  std::string only_device_;
};

}  // namespace warpgrade::grader

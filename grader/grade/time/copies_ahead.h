// SPDX-License-Identifier: Apache-2.0
// Predicts times of copies before the submissions that need them.
//
// A judge grades each submission in a child process and must not trust its results, so it cannot
// keep a child's predictions. The judge predicts the times itself: first the sizes that every
// submission for the exercise needs, then one more size per submission, until all are known. So
// unused sizes never cost the judge more than copies cost its children.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/grade/plan/gate_plan.h"

namespace warpgrade::grader::grade {

class CopiesAhead {
 public:
  /// A case with more sizes is not predicted ahead: few submissions would have the same size.
  static constexpr std::size_t kMostSizes = 16;

  /// Call it before each submission for the exercise. `targets` are simulated devices; `plan` is
  /// the exercise's plan on them.
  void predict(const course::KernelExercise& exercise, const std::vector<Target>& targets,
               const GatePlan& plan);

 private:
  // Bytes that are not predicted yet, each once, by exercise and device.
  std::map<std::pair<const course::KernelExercise*, std::string>, std::vector<std::uint64_t>> open_;
};

}  // namespace warpgrade::grader::grade

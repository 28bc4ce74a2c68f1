// SPDX-License-Identifier: Apache-2.0
// The changes between two attempts at an exercise, one per line, the most important first:
//
//   points: 3 -> 7 of 10
//   loads_coalesced: 4 -> 32, passes now
//   speed_h200: 0.124 -> 0.311
//
// Gates whose number stayed the same are not named.
#pragma once

#include <string>
#include <vector>

#include "grader/report/report.h"

namespace warpgrade::grader::watch {

enum class Direction { kBetter, kWorse, kMoved };

struct AttemptChange {
  std::string text;
  Direction direction = Direction::kMoved;

  friend bool operator==(const AttemptChange&, const AttemptChange&) = default;
};

/// Both are of the same exercise.
std::vector<AttemptChange> changes_between(const report::ExerciseReport& before,
                                           const report::ExerciseReport& after);

}  // namespace warpgrade::grader::watch

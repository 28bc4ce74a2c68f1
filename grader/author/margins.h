// SPDX-License-Identifier: Apache-2.0
// How far a gate stands from what it must let through and from what it must stop.
//
// For each gate of an exercise: what the solution reaches, and the best that any submission reaches
// which the gate stops. The time model has errors of its own, so a bound on fraction_of_copy that
// lies within 3 % of either is a finding: a right solution could fall below it, or a wrong one
// pass. Counters are exact, so their bounds may touch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/author/course_check.h"
#include "grader/report/report.h"

namespace warpgrade::grader {

struct Margin {
  std::string exercise;  ///< "coalescing/copy".
  GateReport gate;       ///< The gate as the solution met it.
  std::optional<double> solution;
  std::optional<double> best_stopped;  ///< Nothing where no submission failed the gate.
  std::string best_stopped_file;
};

/// One for each gate of each exercise, in the order of `expectations`; `reports` are theirs.
std::vector<Margin> margins(const std::vector<Expectation>& expectations,
                            const std::vector<ExerciseReport>& reports);

/// Says what is too near, a sentence each; empty where the bound stands well.
std::vector<std::string> too_near(const Margin& margin);

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
// How far a gate stands from what it must let through and from what it must stop.
//
// For each gate of an exercise: what the solution reaches, and the best that any submission reaches
// that misses its bound. The time model has errors of its own, so a bound on fraction_of_copy that
// lies within 3 % of the solution is a finding, and so is what it stops within 3 % of where it
// still passes. Counters are exact, so their bounds may touch. A gate whose margin is smaller than
// the model's error on its device decides less than its author may think: it is told, and is no
// finding.
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
  std::optional<double> best_outside;  ///< Nothing where no submission misses the bound.
  std::string best_outside_file;
};

/// One for each gate of each exercise, in the order of `expectations`; `reports` are theirs.
std::vector<Margin> margins(const std::vector<Expectation>& expectations,
                            const std::vector<ExerciseReport>& reports);

/// Says what is too near, a sentence each; empty where the bound stands well.
std::vector<std::string> too_near(const Margin& margin);

/// Says of a modelled gate on speed that the model's error is wider than the margin between its
/// bound and what it should stop; empty where it is not.
std::string too_wide(const Margin& margin);

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
// Measures the margin of each gate's bound to the values that it must pass and fail.
//
// Each gate of an exercise has two neighbours: the value that the solution reaches, and the best
// value of any submission that misses the bound. The time model has errors of its own. A bound on
// fraction_of_copy within 3 % of the solution is therefore a finding, and so is one within 3 % of
// the best submission that it fails. Counters are exact, so their bounds may touch. The report
// also lists gates whose margin is smaller than the model's error on the device; these are no
// findings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/author/course_check.h"
#include "grader/report/report.h"

namespace warpgrade::grader::author {

struct Margin {
  std::string exercise;     ///< "coalescing/copy".
  report::GateReport gate;  ///< The gate as the solution met it.
  std::optional<double> solution;
  std::optional<double> best_outside;  ///< Nullopt if no submission misses the bound.
  std::string best_outside_file;
};

/// One for each gate of each exercise, in the order of `expectations`; `reports` are theirs.
std::vector<Margin> margins(const std::vector<Expectation>& expectations,
                            const std::vector<report::ExerciseReport>& reports);

/// One sentence for each neighbour that is too near; empty if the bound is good.
std::vector<std::string> too_near(const Margin& margin);

/// For a modelled gate on speed: a message if the model's error exceeds the margin between the
/// bound and the best submission that it should fail. Empty otherwise.
std::string too_wide(const Margin& margin);

}  // namespace warpgrade::grader::author

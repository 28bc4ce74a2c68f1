// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/case_outcome.h"

#include <algorithm>
#include <utility>

#include "grader/cases/case_launch.h"

namespace warpgrade::grader {

run::Sequence launches_of(const KernelExercise& exercise, const Place& place,
                          const Variables& variables) {
  std::vector<std::string> names;
  for (const auto* kernel : place.kernels) names.push_back(kernel->name);
  return make_sequence(exercise, names, variables);
}

CaseOutcome ended_by(CaseEnding ending) {
  CaseOutcome out;
  out.ending = std::move(ending);
  return out;
}

void take_speed(const RequiredWork& required, double copy_seconds, double peak_seconds,
                double seconds, CaseOutcome& out) {
  out.fraction_of_roof = quotient_of(std::max(copy_seconds, peak_seconds), seconds);
  if (required.operations <= 0 || !number_of(out.fraction_of_roof)) return;
  out.roofline = measure::Roofline{static_cast<double>(required.bytes), required.operations,
                                   copy_seconds, peak_seconds, seconds};
}

bool is_right(const CaseOutcome& outcome) {
  return std::holds_alternative<RightResult>(outcome.ending);
}

bool ends_grading(const CaseOutcome& outcome) {
  return !is_right(outcome) && !std::holds_alternative<WrongResult>(outcome.ending);
}

}  // namespace warpgrade::grader

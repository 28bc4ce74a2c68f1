// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/plan/place.h"

#include "grader/cases/case_launch.h"

namespace warpgrade::grader {

run::Sequence launches_of(const KernelExercise& exercise, const Place& place,
                          const Variables& variables) {
  std::vector<std::string> names;
  for (const auto* kernel : place.kernels) names.push_back(kernel->name);
  return make_sequence(exercise, names, variables);
}

}  // namespace warpgrade::grader

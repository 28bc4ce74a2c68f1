// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/required_work.h"

#include "grader/cases/case_launch.h"

namespace warpgrade::grader {

RequiredWork required_work(const KernelExercise& exercise, const Variables& variables) {
  RequiredWork out;
  out.bytes = exercise.bytes ? evaluate_count(*exercise.bytes, variables)
                             : least_traffic(exercise.parameters, variables);
  if (exercise.operations) out.operations = evaluate(*exercise.operations, variables);
  return out;
}

}  // namespace warpgrade::grader

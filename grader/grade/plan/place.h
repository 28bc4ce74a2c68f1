// SPDX-License-Identifier: Apache-2.0
// A case on a target: what runs where, and at which sizes.
#pragma once

#include <vector>

#include "common/compile/program.h"
#include "common/run/sequence.h"
#include "grader/course/exercise.h"
#include "grader/grade/plan/target.h"

namespace warpgrade::grader {

struct Place {
  const Target* target = nullptr;
  const Case* item = nullptr;
  const compile::Program* program = nullptr;         ///< nullptr until it is compiled.
  std::vector<const compile::Kernel*> kernels = {};  ///< One a step of the exercise; likewise.
  Variables speed_variables = {};                    ///< The size whose speed is graded.

  /// The size that is executed whole here; a GPU's may be larger.
  const Variables& variables() const {
    return target->is_gpu() ? speed_variables : item->variables;
  }
};

/// The launches of a compiled case at the size of `variables`.
run::Sequence launches_of(const KernelExercise& exercise, const Place& place,
                          const Variables& variables);

}  // namespace warpgrade::grader

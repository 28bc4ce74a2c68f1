// SPDX-License-Identifier: Apache-2.0
// The bytes and floating-point operations that any solution of a case needs: the manifest's
// expressions, or by default the inputs and outputs once, and no operations.
#pragma once

#include <cstdint>

#include "grader/course/exercise.h"

namespace warpgrade::grader {

struct RequiredWork {
  std::uint64_t bytes = 0;  ///< Read and written together.
  double operations = 0;
};

RequiredWork required_work(const KernelExercise& exercise, const Variables& variables);

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
// The submission compiled for each target, and its kernel for each case.
#pragma once

#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "grader/grade/plan/plan.h"

namespace warpgrade::grader::grade {

/// Places are empty if there are diagnostics or trouble.
struct Compiled {
  std::vector<Place> small;     ///< Cases that are not measured, target by target.
  std::vector<Place> measured;  ///< The others.
  std::vector<base::Diagnostic> diagnostics;
  std::string left_out;  ///< Names of host code that was not compiled; may be empty.
  std::string trouble;   ///< Why the file cannot be read or compiled for a reason not its own.
};

/// Begins the compilations that compile_submission() will need.
void begin_compilations(const Plan& plan);

/// Compiles for each target. Also finds the kernel of every case, to report a missing one before
/// anything runs. The programs belong to the services' compilations.
Compiled compile_submission(const Plan& plan);

}  // namespace warpgrade::grader::grade

// SPDX-License-Identifier: Apache-2.0
// The submission compiled for each target, and its kernel for each case: all that is run follows
// from it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "grader/cases/compilations.h"
#include "grader/course/manifest.h"
#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/plan/grading_services.h"
#include "grader/grade/plan/target.h"

namespace warpgrade::grader {

/// Places are empty if there are diagnostics or trouble.
struct Compiled {
  std::vector<Place> small;     ///< Cases that are not measured, target by target.
  std::vector<Place> measured;  ///< The others.
  std::uint64_t salt = 0;       ///< For the contents of measured cases, see input_salt.h.
  std::vector<base::Diagnostic> diagnostics;
  std::string left_out;  ///< Names of host code that was not compiled; may be empty.
  std::string trouble;   ///< Why the file cannot be read or compiled for a reason not its own.
};

/// Begins the compilations that compile_submission() will need.
void begin_compilations(const GradingTask& task, const std::vector<Target>& targets,
                        Compilations& compilations);

/// Compiles for each of `targets`; these, `task` and `compilations` must outlive the result. Also
/// finds the kernel of every case, to report a missing one before anything runs.
Compiled compile_submission(const GradingTask& task, const std::vector<Target>& targets,
                            Compilations& compilations);

}  // namespace warpgrade::grader

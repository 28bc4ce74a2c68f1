// SPDX-License-Identifier: Apache-2.0
// The second stage of a grade: compiles the submission and runs its small cases.
#pragma once

#include <vector>

#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/execute/compiled.h"
#include "grader/grade/plan/plan.h"

namespace warpgrade::grader::grade {

struct Execution {
  Compiled compiled;
  std::vector<CaseRun> small;  ///< No speeds yet.

  /// Whether all small cases are right, as far as they were checked.
  bool is_right() const;
};

/// A submission that does not compile has no places, so it does not run.
Execution execute(const Plan& plan);

}  // namespace warpgrade::grader::grade

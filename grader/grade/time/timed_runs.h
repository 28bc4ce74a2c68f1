// SPDX-License-Identifier: Apache-2.0
// The third stage of a grade: runs the measured cases, and determines the speed of every case that
// a gate requires.
#pragma once

#include <vector>

#include "grader/grade/execute/execution.h"
#include "grader/report/case_report.h"

namespace warpgrade::grader::grade {

struct TimedRuns {
  Compiled compiled;
  /// Small cases before measured ones; these are missing if a small one is not right.
  std::vector<CaseRun> runs;
  GatePlan gates;                            ///< The plan's, with the values of the course's files.
  std::vector<report::CountedCase> counted;  ///< Counters of the GPU itself, if they are wanted.
};

TimedRuns time_cases(const Plan& plan, Execution execution);

}  // namespace warpgrade::grader::grade

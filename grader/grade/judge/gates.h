// SPDX-License-Identifier: Apache-2.0
// Decides gates from the cases that were run.
//
// A gate over several cases is decided by its worst case, after all of them were measured. A failed
// gate gets a table of the source lines behind its number.
#pragma once

#include <vector>

#include "grader/course/manifest.h"
#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/plan/gate_plan.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

struct DecidedGates {
  std::vector<report::GateReport> gates;  ///< One for each planned gate, in order; no points yet.
  std::vector<report::LineTable> lines;   ///< For gates that fail, see lines_that_matter().
};

/// The gates of `plan` after `runs`, in their order. Only right cases count.
DecidedGates decide_gates(const GatePlan& plan, const course::KernelExercise& exercise,
                          const std::vector<CaseRun>& runs);

/// The tables of mechanism gates if any exist, else the first one of a speed gate; leaves out
/// tables without lines.
std::vector<report::LineTable> lines_that_matter(const DecidedGates& decided);

}  // namespace warpgrade::grader::grade

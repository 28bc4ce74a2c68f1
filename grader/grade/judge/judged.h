// SPDX-License-Identifier: Apache-2.0
// The fourth stage of a grade: its findings, the decisions on its gates, and its points.
// In: a plan and its timed runs. Out: the report, judged.
// A gate over several cases is decided by its worst case, after all of them were measured. A
// failed gate gets a table of the source lines behind its number. If no memory counter locates
// the cause, the source does: lines with a division, arrays in shared memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/judge/findings.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/time/timed_runs.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

// Finds causes of a failed gate that no memory counter locates: lines with a division, arrays in
// shared memory.

/// Whether a gate on `metric` is about such places, and not about lines that access memory.
bool has_places(std::string_view metric);

/// "Integer divisions are in line 4." or "tile[32][33] (line 2) takes 4224 bytes."; empty if no
/// place is found.
std::string places_text(std::string_view metric, const Place& place);

// Decides gates from the cases that were run.

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

/// The report of the plan's task with its findings, verdict and points; no advice yet.
report::ExerciseReport judge_runs(const Plan& plan, const TimedRuns& timed);

}  // namespace warpgrade::grader::grade

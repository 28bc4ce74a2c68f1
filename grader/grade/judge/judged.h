// SPDX-License-Identifier: Apache-2.0
// The fourth stage of a grade: its findings, the decisions on its gates, and its points.
// In: a plan, the outcomes of its cases, and its gates. Out: the report, judged.
// A gate over several cases is decided by its worst case, after all of them were measured. A
// failed gate gets a table of the source lines behind its number. If no memory counter locates
// the cause, the source does: lines with a division, arrays in shared memory.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/grade/execute/execution.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/plan/planned_case.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

// Finds causes of a failed gate that no memory counter locates: lines with a division, arrays in
// shared memory.

/// Whether a gate on `metric` is about such places, and not about lines that access memory.
bool has_places(std::string_view metric);

/// The lines of the submission with an integer division.
std::set<std::uint32_t> division_lines(const compile::Program& program);

/// "Integer divisions are in line 4." or "tile[32][33] (line 2) uses 4,224 bytes."; empty if no
/// place is found.
std::string places_text(std::string_view metric, const PlannedCase& planned);

// Decides gates from the cases that were run.

/// Measures and decides `report.gates`, as planned, by `cases`; only right ones count. Adds a table
/// of lines for each gate that fails.
void decide_gates(const std::vector<PlannedCase>& cases, report::ExerciseReport& report);

/// Keeps the tables of mechanism gates if any exist, else the first one of a speed gate, and none
/// without lines.
void keep_lines_that_matter(report::ExerciseReport& report);

/// The report of the plan's task with its findings, verdict and points; no advice yet.
report::ExerciseReport judge_cases(const Plan& plan, const Execution& execution,
                                   std::vector<report::Gate> gates);

/// The report of `task` before anything was found: it names the submission.
report::ExerciseReport report_on(const GradingTask& task);

/// Adds the `cases` with all findings of those that ran; the others are reported as not run.
void add_cases(const GradingTask& task, const std::vector<PlannedCase>& cases,
               report::ExerciseReport& report);

// The verdict and the points that follow from the findings.
//
// The reason is the first that applies: it does not compile; a diagnostic; a wrong result; a gate
// on the mechanism; a gate on fraction_of_copy; the tool could not judge.

/// Judges a kernel; a right result earns `correctness_points`.
void judge(std::uint32_t correctness_points, report::ExerciseReport& report);

/// Judges an exercise that asks questions, each a gate. No question depends on another, so each
/// earns its points; of several answers, each wrong one costs a point.
void judge_answers(report::ExerciseReport& report);

}  // namespace warpgrade::grader::grade

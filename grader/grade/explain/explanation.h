// SPDX-License-Identifier: Apache-2.0
// The last stage of a grade: its report, with remarks, pictures and advice. None of them affects
// the points.
// In: a plan, the outcomes of its cases, and its judged report. Out: the report, complete.
// The report ends with advice: what the student should do next. Remarks name parts of the source
// that are ignored, which its author may not expect.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/grade/plan/plan.h"
#include "grader/grade/plan/planned_case.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

// Remarks on parts of a submission's text that are ignored, which its author may not expect.

/// Sentences about thrust, whose calls run on the host, and about a file without a kernel of its
/// own, whose kernel `name` comes from an include.
std::vector<std::string> source_remarks(std::string_view source, std::string_view name);

/// Adds the advice that a judged report ends with: what the student should do next, and a hint,
/// unless the lab's hints, which are about speed, would not help.
void add_advice(const course::Exercise& exercise, report::ExerciseReport& report);

/// Adds remarks, pictures and advice to the judged `report`.
void explain(const Plan& plan, const std::vector<PlannedCase>& cases,
             report::ExerciseReport& report);

}  // namespace warpgrade::grader::grade

// SPDX-License-Identifier: Apache-2.0
// The last stage of a grade: its report, with remarks, pictures and advice. None of them affects
// the points.
// In: a plan, its timed runs and its judgement. Out: the report of an exercise; no other file
// fills one.
// The report ends with advice: what the student should do next. Remarks name parts of the source
// that are ignored, which its author may not expect.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/grade/judge/findings.h"
#include "grader/grade/judge/judged.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/time/timed_runs.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

// Remarks on parts of a submission's text that are ignored, which its author may not expect.

/// Sentences about thrust, whose calls run on the host, and about a file without a kernel of its
/// own, whose kernel `name` comes from an include.
std::vector<std::string> source_remarks(std::string_view source, std::string_view name);

// The advice that a report ends with: what the student should do next.

struct Advice {
  std::string next;  ///< Empty if all passed.
  std::string hint;  ///< Empty if the lab's hints, which are about speed, would not help.
};

Advice advice_for(const Findings& found, const Judgement& judgement,
                  const course::Exercise& exercise);

// Fills the report of an exercise; no other file does.

/// Makes the report of `task` and adds advice.
report::ExerciseReport assemble(const GradingTask& task, Judged judged);

report::ExerciseReport explain(const Plan& plan, const TimedRuns& timed, Judged judged);

}  // namespace warpgrade::grader::grade

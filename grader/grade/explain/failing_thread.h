// SPDX-License-Identifier: Apache-2.0
// Moves the output of the first wrong element's thread before the others' output.
//
// A student's printf prints for every thread, and one thread's lines explain a wrong element. The
// case runs once more to find the thread that writes that element. This never affects the grade,
// and nothing runs if nothing was printed. The thread is unknown for a sequence of launches, and
// for a sum of elements.
#pragma once

#include <vector>

#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/judge/findings.h"
#include "grader/grade/plan/plan.h"

namespace warpgrade::grader::grade {

/// `runs` are the runs in `found`.
void put_failing_thread_first(const Plan& plan, const std::vector<CaseRun>& runs, Findings& found);

}  // namespace warpgrade::grader::grade

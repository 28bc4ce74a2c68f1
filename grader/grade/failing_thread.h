// SPDX-License-Identifier: Apache-2.0
// Puts what the thread of the first wrong element has printed before what the others have.
//
// A student's printf prints for every thread, and one thread's lines tell why its element is wrong.
// The case is run once more, with a look at who writes that element. Nothing of it has a say in the
// grade, and nothing is run where nothing was printed. Of a sequence of launches, and of a sum of
// elements, no thread is looked for.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/grade/case_outcome.h"
#include "grader/grade/findings.h"
#include "grader/grade/grading_services.h"

namespace warpgrade::grader {

/// `runs` are those that `found` is of; `salt` is that of measured cases.
void put_failing_thread_first(const GradingServices& services, const GradingTask& task,
                              const std::vector<CaseRun>& runs, std::uint64_t salt,
                              Findings& found);

}  // namespace warpgrade::grader

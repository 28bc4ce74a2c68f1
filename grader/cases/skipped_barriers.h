// SPDX-License-Identifier: Apache-2.0
// Barriers of the block that some threads never reach, in diagnostics.
//
// Since Volta a barrier does not wait for threads that have ended, so such a kernel may run. It is
// wrong on older cards, and often the cause of a race: the barrier that should order two accesses
// does not order them for the threads that skip it.
#pragma once

#include <string>
#include <vector>

#include "common/base/diagnostic.h"

namespace warpgrade::grader::cases {

/// A warning at the first of them; `all` has each line once and is not empty. `own_file` is the
/// name of the submission, whose lines need no file name.
base::Diagnostic skipped_barriers_warning(const std::vector<base::SkippedBarrier>& all,
                                          const std::string& own_file);

/// Replaces the advice of each race that has such a barrier between its two lines.
void explain_races(std::vector<base::Diagnostic>& diagnostics,
                   const std::vector<base::SkippedBarrier>& skipped);

}  // namespace warpgrade::grader::cases

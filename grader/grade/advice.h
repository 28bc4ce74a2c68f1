// SPDX-License-Identifier: Apache-2.0
// What a report tells the student to do next.
#pragma once

#include "grader/course/manifest.h"
#include "grader/report/report.h"

namespace warpgrade::grader {

/// Fills `next` and `hint` of a report that is judged. Nothing where it passed; no hint where the
/// lab's hints, which are about how to be fast, would not help.
void say_what_next(ExerciseReport& report, const Exercise& exercise);

}  // namespace warpgrade::grader

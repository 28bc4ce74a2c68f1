// SPDX-License-Identifier: Apache-2.0
// The gates of an exercise as text: a table of them, and more on those that failed.
//
//   gate              device  skeleton  yours  ideal     gate  points
//   loads_coalesced   h200           4      4     32  >= 28       0/2  FAIL
//
// `yours` is what this submission reached; the gate passes at the bound in the column before the
// points.
#pragma once

#include <string>

#include "grader/report/report.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader {

/// The table of all gates; empty where none was measured.
std::string render_gates(const ExerciseReport& item, const Style& style);

/// Meaning and source lines of the gates that are the reason of the failure.
std::string render_failed_gates(const ExerciseReport& item, const Style& style);

/// ">= 0.6", "= 4096", "1 to 2": the values that the bounds let through.
std::string render_bound(const GateBounds& bounds);

}  // namespace warpgrade::grader

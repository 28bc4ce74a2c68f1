// SPDX-License-Identifier: Apache-2.0
// The gates of an exercise as text: a table, and details of the failed ones.
//
//   gate              device  skeleton  yours  ideal  needed  points
//   loads_coalesced   h200           4      4     32  >= 28      0/2  FAIL
//   speed_h200        h200         0.1    0.8      1  >= 0.6     0/2  pass, see below
//   speed_h200 passes, but earns nothing until loads_coalesced passes.
//   4 guards pass
//
// `yours` is this submission's value, `needed` the bound at which the gate passes. Failed gates
// come first. A guard is a gate without points: passing ones are only counted.
#pragma once

#include <string>

#include "grader/report/report.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::report {

/// The table, and details that do not fit into it; empty if no gate was measured.
std::string render_gates(const ExerciseReport& item, const text::Style& style);

/// "loads_coalesced on h200: 4, needed >= 28 (global load in line 28)": the first gate that is a
/// reason of the failure; empty if no gate is.
std::string first_failed_gate(const ExerciseReport& item);

/// Meaning and source lines of the gates that are the reason of the failure.
std::string render_failed_gates(const ExerciseReport& item, const text::Style& style);

/// Why a gate passes although its value misses its bound; empty for any other gate.
std::string spared_text(const GateReport& gate);

/// ">= 0.6", "= 4096", "1 to 2": the values that the bounds let through.
std::string render_bound(const GateBounds& bounds);

}  // namespace warpgrade::grader::report

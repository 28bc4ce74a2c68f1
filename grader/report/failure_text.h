// SPDX-License-Identifier: Apache-2.0
// One sentence on the fault of a graded submission, for the first lines of a report.
#pragma once

#include <string>

#include "grader/report/report.h"

namespace warpgrade::grader::report {

/// The first wrong element, answer or gate; empty if the submission passes, was not graded, or has
/// diagnostics, which name the fault themselves.
std::string failure_text(const ExerciseReport& item);

}  // namespace warpgrade::grader::report

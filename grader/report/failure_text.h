// SPDX-License-Identifier: Apache-2.0
// What is wrong with a graded submission, in one sentence, for the first lines of a report.
#pragma once

#include <string>

#include "grader/report/report.h"

namespace warpgrade::grader::report {

/// The first wrong element, answer or gate; empty if the submission passes, was not graded, or has
/// diagnostics, which name the fault themselves.
std::string failure_text(const ExerciseReport& item);

}  // namespace warpgrade::grader::report

// SPDX-License-Identifier: Apache-2.0
// The two accesses of a race side by side, with the missing synchronization between them.
#pragma once

#include <string>

#include "grader/report/report.h"

namespace warpgrade::grader::html {

/// Empty if `found` names no other access.
std::string race_view(const report::ExerciseReport& item, const base::Diagnostic& found);

}  // namespace warpgrade::grader::html

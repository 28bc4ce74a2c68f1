// SPDX-License-Identifier: Apache-2.0
// The source with counters in its margin, as a profiler shows it.
#pragma once

#include <string>

#include "grader/report/report.h"

namespace warpgrade::grader::html {

/// A table of the source's lines; of a long source, only lines near those with counters or
/// diagnostics. Empty without a source.
std::string source_view(const report::ExerciseReport& item);

}  // namespace warpgrade::grader::html

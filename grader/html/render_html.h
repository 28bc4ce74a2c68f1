// SPDX-License-Identifier: Apache-2.0
// A report, or a profiled launch, as one complete page: it needs no network and no other file.
// A submission's text appears as text only: all outside text goes through escaped() or JSON
// without "<". A content security policy allows only the page's own script.
#pragma once

#include <string>

#include "grader/report/profile_report.h"
#include "grader/report/report.h"

namespace warpgrade::grader::html {

// The two accesses of a race side by side, with the missing synchronization between them.

/// Empty if `found` names no other access.
std::string race_view(const report::ExerciseReport& item, const base::Diagnostic& found);

// The source with counters in its margin, as a profiler shows it.

/// A table of the source's lines; of a long source, only lines near those with counters or
/// diagnostics. Empty without a source.
std::string source_view(const report::ExerciseReport& item);

/// The whole page, valid for every report.
std::string render(const report::Report& report);

// A profiled launch as one complete page, with the rules of render_html.h.

/// The whole page, also for a report of a launch that failed or did not compile.
std::string render(const report::ProfileReport& report);

}  // namespace warpgrade::grader::html

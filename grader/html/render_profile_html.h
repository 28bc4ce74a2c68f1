// SPDX-License-Identifier: Apache-2.0
// A profiled launch as one complete page, with the rules of render_html.h.
#pragma once

#include <string>

#include "grader/report/profile_report.h"

namespace warpgrade::grader::html {

/// The whole page, also for a report of a launch that failed or did not compile.
std::string render(const report::ProfileReport& report);

}  // namespace warpgrade::grader::html

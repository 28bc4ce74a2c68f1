// SPDX-License-Identifier: Apache-2.0
// The report of `warpgrade profile` as text for a terminal.
#pragma once

#include <string>

#include "grader/report/profile_report.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::report {

std::string render_text(const ProfileReport& report, const text::Style& style);

}  // namespace warpgrade::grader::report

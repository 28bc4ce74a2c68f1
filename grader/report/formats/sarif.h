// SPDX-License-Identifier: Apache-2.0
// Reports as SARIF 2.1.0, which editors and code scanners show beside the source.
//
// One result per remark (remarks.h): a diagnostic is an error, a failed gate a warning; the other
// access of a race is a related location. An exercise that could not be judged is a notification of
// the tool, and the invocation is then unsuccessful. Rules:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/.
#pragma once

#include <string>

#include "grader/report/report.h"

namespace warpgrade::grader::report {

/// Valid by OASIS's schema; columns are counted in Unicode code points.
std::string render_sarif(const Report& report);

}  // namespace warpgrade::grader::report

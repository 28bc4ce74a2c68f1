// SPDX-License-Identifier: Apache-2.0
// Describes the roofline of a measured case for the text report and the page.
#pragma once

#include <string>

#include "grader/report/case_report.h"

namespace warpgrade::grader::report {

/// "On h200, 34.4 GFLOP and 50.3 MB are 683 FLOP per byte: arithmetic is the limit, at 66.9
/// TFLOP/s. The kernel reaches 12.1 TFLOP/s, 0.18 of the roof."
std::string roofline_text(const CaseRoofline& item);

}  // namespace warpgrade::grader::report

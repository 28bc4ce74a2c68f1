// SPDX-License-Identifier: Apache-2.0
// The graded report as text for a terminal. It only formats the report.
//
//   coalescing/copy: A copy whose warps move along rows
//   FAIL  3 of 10 points  labs/coalescing/copy.cu
//     result  right in 18 of 18 runs (h200, k40)
//     gate              device  skeleton  yours  ideal  needed  points
//     loads_coalesced   h200           4      4     32  >= 28      0/2  FAIL
//     4 guards pass
//     loads_coalesced: Bytes of each 32-byte sector that the loads use; ...
//       line  operation    requests  per request
//       14    global load    131072       32 sectors  | out[i] = in[i * 32];
#pragma once

#include <string>

#include "grader/report/report.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::report {

std::string render_text(const Report& report, const text::Style& style);

}  // namespace warpgrade::grader::report

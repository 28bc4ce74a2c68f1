// SPDX-License-Identifier: Apache-2.0
// The graded report as text for a terminal. It reads the report and computes nothing of its own.
//
//   coalescing/copy: A copy whose warps move along rows
//   FAIL  3 of 10 points  labs/coalescing/copy.cu
//     result  right in 18 of 18 runs (h200, k40)
//     gate              device  skeleton  yours  ideal     gate  points
//     loads_coalesced   h200           4      4     32  >= 28       0/2  FAIL
//     ...
//     loads_coalesced: Bytes of each 32-byte sector that the loads use; ...
//        14 | out[row * width + column] = in[row * width + column];
#pragma once

#include <string>

#include "grader/report/report.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader {

std::string render_text(const Report& report, const Style& style);

}  // namespace warpgrade::grader

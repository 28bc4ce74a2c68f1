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
//
// `yours` is what this submission reached; the gate passes at the bound in the column before the
// points.
#pragma once

#include <string>

#include "grader/report/report.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader {

std::string render_text(const Report& report, const Style& style);

/// The table of source lines with their counters and the source beside them; `source` is of `file`.
std::string render_lines(const std::vector<memory::LineCounters>& lines, const std::string& file,
                         const std::string& source, std::size_t indent, const Style& style);

/// ">= 0.6", "= 4096", "1 to 2": what `gate` lets through.
std::string render_bound(const GateResult& gate);

/// "dram 1.2 us, issue 0.3 us": what bounds a launch, longest first.
std::string render_shares(const std::vector<timing::Share>& shares);

}  // namespace warpgrade::grader

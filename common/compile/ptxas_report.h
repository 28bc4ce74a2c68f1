// SPDX-License-Identifier: Apache-2.0
// Parses the output of ptxas -v for each kernel, as contained in NVRTC's log:
//
//   ptxas info    : Compiling entry function 'copy' for 'sm_90'
//   ptxas info    : Function properties for copy
//   ptxas         .     8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
//   ptxas info    : Used 6 registers, used 1 barriers, 1600 bytes smem, 372 bytes cmem[0]
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "common/compile/program.h"

namespace warpgrade::compile {

/// Resources by the kernel's name in the machine code; other lines are ignored. The last report on
/// a kernel counts, because ptxas runs after the front end, whose messages can quote student text
/// that looks like a report.
std::map<std::string, Resources> parse_ptxas_report(std::string_view log);

}  // namespace warpgrade::compile

// SPDX-License-Identifier: Apache-2.0
// Calls of constexpr functions of the host at run time, which nvcc refuses in device code unless
// its command line has --expt-relaxed-constexpr.
//
// NVRTC compiles no function of the host, so constexpr functions without a space, and std::min()
// and the like, are functions of the device as well, marked as deprecated (host_code.h). Each use
// is a warning with a place. If the place is in the body of a function for the device only, the
// call is an error here. nvcc refuses such calls in constant expressions as well (`constexpr int n
// = f(2);` in a kernel). They stay legal, since they cost nothing at run time and many projects
// compile with that option.
//
// Member functions of std::numeric_limits and std::array come from CCCL and carry no mark. Their
// calls are found by their spelling.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::compile {

struct HostConstexprCalls {
  std::string errors;       ///< Log entries for the calls; empty if there is none.
  std::string rest_of_log;  ///< The log without the warnings that stem from the marks.
};

/// Calls in `source`, whose name in the compiler's `log` is `name`.
HostConstexprCalls calls_of_host_constexpr(std::string_view log, const std::string& name,
                                           std::string_view source);

}  // namespace warpgrade::compile

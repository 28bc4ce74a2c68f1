// SPDX-License-Identifier: Apache-2.0
// Run-time calls of the host's constexpr functions, which nvcc refuses in device code without
// --expt-relaxed-constexpr.
//
// NVRTC compiles no host functions, so constexpr functions without a space, std::min() and similar
// functions also become device functions, marked as deprecated (host_code.h). Each use causes a
// warning with its place. If the place is in the body of a device-only function, the call is an
// error here. nvcc also refuses such calls in constant expressions (`constexpr int n = f(2);` in a
// kernel). They remain legal here, because they cost nothing at run time and many projects compile
// with that option.
//
// Member functions of std::numeric_limits and std::array come from CCCL without a mark. Their calls
// are recognised by their spelling.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::compile {

struct HostConstexprCalls {
  std::string errors;       ///< Log entries for the calls; may be empty.
  std::string rest_of_log;  ///< The log without warnings that come from the marks.
};

/// Finds the calls in `source`, which has the name `name` in the compiler's `log`.
HostConstexprCalls calls_of_host_constexpr(std::string_view log, const std::string& name,
                                           std::string_view source);

}  // namespace warpgrade::compile

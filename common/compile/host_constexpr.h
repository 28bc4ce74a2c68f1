// SPDX-License-Identifier: Apache-2.0
// Calls of the host's constexpr functions, which nvcc refuses in device code without
// --expt-relaxed-constexpr, in constant expressions too.
//
// NVRTC compiles no host functions, so constexpr functions without a space, std::min() and similar
// functions also become device functions, marked as deprecated (host_code.h). Each use causes a
// warning with its place. If the place is in the body of a device-only function, the call is an
// error here; in a function of both host and device it is a warning. Calls in operands of sizeof
// and similar, in members of a local class and outside functions are legal, as in nvcc.
//
// std::array (shims.h) has the mark, too. Members of std::numeric_limits, std::pair, std::plus and
// similar types come from CCCL without a mark. Their uses are recognised by their spelling.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::compile {

struct HostConstexprCalls {
  std::string errors;       ///< Log entries for the calls in device functions; may be empty.
  std::string warnings;     ///< The same for functions of both host and device.
  std::string rest_of_log;  ///< The log without warnings that come from the marks.
};

/// Finds the calls in `source`, which has the name `name` in the compiler's `log`.
HostConstexprCalls calls_of_host_constexpr(std::string_view log, const std::string& name,
                                           std::string_view source);

}  // namespace warpgrade::compile

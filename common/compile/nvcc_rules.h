// SPDX-License-Identifier: Apache-2.0
// Finds code that nvcc refuses and NVRTC compiles.
//
// The rules are about calls of kernels without `<<<...>>>`, inline variables of the device, and
// lambdas with a space. They are also about functions of host and device that call one of the
// device, and calls of the host's constexpr functions. Findings have the format of the compiler's
// log, so they are parsed like its errors.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::compile {

/// A log entry for the first kernel of `source` that its device code calls like a function. Empty
/// without such a call, or if the name is ambiguous there.
std::string kernel_called_as_function(std::string_view source, const std::string& name);

/// Likewise for the functions of the host, which the compiler does not see. A call needs as many
/// arguments as the kernel has parameters.
std::string kernel_called_by_host(std::string_view source, const std::string& name);

/// A log entry for the first `inline __device__` variable that other files could name.
std::string inline_device_variable(std::string_view source, const std::string& name);

/// A log entry for the first call of a function of the device in one of host and device. A function
/// with a directive in its body, or a template, may make a difference between the two.
std::string device_function_called_by_both(std::string_view source, const std::string& name);

/// A log entry for the first lambda with an execution space, which nvcc compiles only with
/// --extended-lambda. Lambdas between #if and #endif may depend on that option.
std::string extended_lambda(std::string_view source, const std::string& name);

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

struct HostConstexprCalls {
  std::string errors;       ///< Log entries for the calls in device functions; may be empty.
  std::string warnings;     ///< The same for functions of both host and device.
  std::string rest_of_log;  ///< The log without warnings that come from the marks.
};

/// Finds the calls in `source`, which has the name `name` in the compiler's `log`.
HostConstexprCalls calls_of_host_constexpr(std::string_view log, const std::string& name,
                                           std::string_view source);

}  // namespace warpgrade::compile

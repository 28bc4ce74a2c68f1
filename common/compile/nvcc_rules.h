// SPDX-License-Identifier: Apache-2.0
// Finds code that nvcc refuses and NVRTC compiles: calls of kernels without `<<<...>>>`, inline
// variables of the device, functions of host and device that call one of the device, and lambdas
// with a space.
//
// Findings have the format of the compiler's log, so they are parsed like its errors.
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

}  // namespace warpgrade::compile

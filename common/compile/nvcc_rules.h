// SPDX-License-Identifier: Apache-2.0
// Calls of kernels like functions, which nvcc refuses and NVRTC compiles: nvcc demands `<<<...>>>`.
//
// A finding has the form of the compiler's own log, so that it is read as its errors are.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::compile {

/// A log entry for the first kernel of `source` that its device code calls like a function. Empty
/// without such a call, or if the name is ambiguous there.
std::string kernel_called_as_function(std::string_view source, const std::string& name);

}  // namespace warpgrade::compile

// SPDX-License-Identifier: Apache-2.0
// Device code that nvcc refuses and NVRTC compiles: arrays of host constants, and calls of kernels.
//
// NVRTC gives the device a copy of `const float weights[9]` at file scope; nvcc says that `weights`
// is undefined in device code as soon as an element is used outside a constant expression. Whether
// that is so shows in PTX without optimization, where each use is a reference to the array.
// NVRTC compiles a call of a kernel like one of a function; nvcc demands `<<<...>>>`.
//
// Findings have the form of the compiler's own log, so that they are read as its errors are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::compile {

/// Names of the constant arrays in `source` at file, namespace or class scope that no space of the
/// device is named for, and that device code of `source` mentions.
std::vector<std::string> host_constant_arrays(std::string_view source);

/// Log entries for the uses of `arrays` in `debug_ptx`, which NVRTC made of `source`, called
/// `name`, with -G. Empty if no array is used but in constant expressions.
std::string uses_of_host_arrays(std::string_view debug_ptx, const std::vector<std::string>& arrays,
                                const std::string& name, std::string_view source);

/// A log entry for the first kernel of `source` that its device code calls like a function. Empty
/// if there is none, or if the name can mean something else there.
std::string kernel_called_as_function(std::string_view source, const std::string& name);

}  // namespace warpgrade::compile

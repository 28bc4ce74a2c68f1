// SPDX-License-Identifier: Apache-2.0
// The C++ types of a kernel's parameters, which neither PTX nor the name of an `extern "C"` kernel
// contains.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/compile/compiler.h"

namespace warpgrade::grader::profile {

struct ParameterType {
  std::string name;                 ///< Without typedefs, const after the type: "float const*".
  std::uint64_t pointee_bytes = 0;  ///< sizeof what a pointer points to; 0: none, or incomplete.
};

/// The types of the parameters of `kernel` in the source of `request`, in order. Empty if they
/// cannot be found, for example for overloads.
std::vector<ParameterType> parameter_types(compile::CompileRequest request,
                                           const std::string& kernel);

}  // namespace warpgrade::grader::profile

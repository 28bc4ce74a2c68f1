// SPDX-License-Identifier: Apache-2.0
// The names that the source gives a kernel's parameters, which PTX does not keep.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::grader::profile {

/// The names of the parameters of `kernel` ("copy", "reduce<4>") as `source` defines it, in order.
/// Empty if it cannot find the definition (macros may hide it). For messages only: it searches the
/// text without compiling it.
std::vector<std::string> parameter_names(std::string_view source, std::string_view kernel);

}  // namespace warpgrade::grader::profile

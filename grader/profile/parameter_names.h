// SPDX-License-Identifier: Apache-2.0
// The names that the source gives a kernel's parameters, which PTX does not keep.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::grader {

/// The names of the parameters of `kernel` ("copy", "reduce<4>") as `source` defines it, in order.
/// Empty where it cannot tell, because macros hide the definition, say. For messages only: the text
/// is searched, not compiled.
std::vector<std::string> parameter_names(std::string_view source, std::string_view kernel);

}  // namespace warpgrade::grader

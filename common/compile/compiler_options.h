// SPDX-License-Identifier: Apache-2.0
// The options of NVRTC that a user of `profile` may pass on.
//
// Options that choose the architecture, the output or the search path are not among them, because
// the program sets these itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpgrade::compile {

/// The option as CompileRequest::options requires it: in NVRTC's long form, or "-std=c++17" or
/// "-std=c++20". Older standards become C++17, which contains them. Returns nullopt for an option
/// that is not permitted.
std::optional<std::string> permitted_option(std::string_view option);

}  // namespace warpgrade::compile

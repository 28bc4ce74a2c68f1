// SPDX-License-Identifier: Apache-2.0
// The variables by which a service tells a program where it runs.
#pragma once

#include <functional>
#include <string>

namespace warpgrade::grader {

/// The value of an environment variable; empty where it is not set.
using Environment = std::function<std::string(const std::string& name)>;

/// The process's own.
std::string process_environment(const std::string& name);

}  // namespace warpgrade::grader

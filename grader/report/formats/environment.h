// SPDX-License-Identifier: Apache-2.0
// Environment variables, by which a service identifies itself to a program.
#pragma once

#include <functional>
#include <string>

namespace warpgrade::grader::report {

/// The value of an environment variable; empty if it is not set.
using Environment = std::function<std::string(const std::string& name)>;

/// The process's own.
std::string process_environment(const std::string& name);

}  // namespace warpgrade::grader::report

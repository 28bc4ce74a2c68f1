// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/environment.h"

#include <cstdlib>

namespace warpgrade::grader::report {

std::string process_environment(const std::string& name) {
  const auto* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

}  // namespace warpgrade::grader::report

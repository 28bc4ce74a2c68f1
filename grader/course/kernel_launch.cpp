// SPDX-License-Identifier: Apache-2.0
#include "grader/course/kernel_launch.h"

#include <fmt/format.h>

#include "common/base/error.h"

namespace warpgrade::grader {

std::string kernel_name(const std::string& kernel, const Variables& variables) {
  std::string out;
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    if (kernel[i] != '{') {
      out += kernel[i];
      continue;
    }
    const auto end = kernel.find('}', i);
    const auto name = kernel.substr(i + 1, end == std::string::npos ? end : end - i - 1);
    const auto found = variables.find(name);
    if (end == std::string::npos || found == variables.end()) {
      throw base::UsageError(fmt::format("{{{}}} is no variable of the cases", name));
    }
    out += fmt::format("{}", found->second);
    i = end;
  }
  return out;
}

}  // namespace warpgrade::grader

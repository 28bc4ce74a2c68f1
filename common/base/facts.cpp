// SPDX-License-Identifier: Apache-2.0
#include "common/base/facts.h"

#include <fmt/format.h>

namespace warpgrade::base {

std::string text(const Dim3& index) {
  return fmt::format("({}, {}, {})", index.x, index.y, index.z);
}

std::string extent_text(const Dim3& extent) {
  return fmt::format("{} x {} x {}", extent.x, extent.y, extent.z);
}

std::string text(const LineRef& line) {
  if (line.line == 0) return fmt::format("PTX line {}", line.ptx_line);
  return line.file.empty() ? fmt::format("line {}", line.line)
                           : fmt::format("line {} of {}", line.line, line.file);
}

std::string text(const Between& between) {
  const auto first = text(between.first);
  if (between.form == Between::Form::kPasses) {
    return fmt::format("between two iterations of {}", first);
  }
  const auto second = text(between.second);
  if (between.form == Between::Form::kLines) {
    return fmt::format("between {} and {}", first, second);
  }
  return fmt::format("between {} and {} (in a loop, also between {} and the next iteration of {})",
                     first, second, second, first);
}

Place* place_of(Facts& facts) {
  return std::visit(
      [](auto& one) -> Place* {
        if constexpr (requires { one.place; }) {
          return &one.place;
        } else {
          return nullptr;
        }
      },
      facts);
}

}  // namespace warpgrade::base

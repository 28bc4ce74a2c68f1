// SPDX-License-Identifier: Apache-2.0
#include "common/base/diagnostic.h"

#include <array>

namespace warpgrade::base {

std::string_view name(DiagnosticKind kind) {
  static constexpr std::array<std::string_view, 11> kNames = {
      "out_of_bounds", "misaligned",        "uninitialized_read", "input_modified",
      "race",          "divergent_barrier", "deadlock",           "runaway",
      "trap",          "unsupported",       "compile_error"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string_view name(Severity severity) {
  return severity == Severity::kError ? "error" : "warning";
}

}  // namespace warpgrade::base

// SPDX-License-Identifier: Apache-2.0
#include "common/base/diagnostic.h"

namespace warpgrade::base {

std::string_view name(DiagnosticKind kind) {
  switch (kind) {
    case DiagnosticKind::kOutOfBounds:
      return "out_of_bounds";
    case DiagnosticKind::kMisaligned:
      return "misaligned";
    case DiagnosticKind::kUninitializedRead:
      return "uninitialized_read";
    case DiagnosticKind::kInputModified:
      return "input_modified";
    case DiagnosticKind::kRace:
      return "race";
    case DiagnosticKind::kDivergentBarrier:
      return "divergent_barrier";
    case DiagnosticKind::kDeadlock:
      return "deadlock";
    case DiagnosticKind::kRunaway:
      return "runaway";
    case DiagnosticKind::kTrap:
      return "trap";
    case DiagnosticKind::kUnsupported:
      return "unsupported";
    case DiagnosticKind::kCompileError:
      return "compile_error";
  }
  return "";
}

std::string_view name(Severity severity) {
  return severity == Severity::kError ? "error" : "warning";
}

}  // namespace warpgrade::base

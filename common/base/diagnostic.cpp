// SPDX-License-Identifier: Apache-2.0
// A failure of the program under test, as a value: its place, its kind, and the facts behind it.
//
// A checker fills in the facts that it has. Later stages add shapes of arrays, or the barrier
// that some threads skip. finding_text.h turns the facts into sentences.
#include "common/base/diagnostic.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <variant>

#include "common/base/place.h"

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
  if (between.form == Between::Form::kNext) {
    return fmt::format("between {} and the next iteration of {}", first, second);
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

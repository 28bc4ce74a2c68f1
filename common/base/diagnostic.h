// SPDX-License-Identifier: Apache-2.0
// A failure of the program under test, as a value.
//
// Failures have three forms. A Diagnostic is an error of the student's program (or reports that we
// cannot judge it, kind kUnsupported), a verdict is a value of the grader, and our own failures are
// the exceptions of error.h. A diagnostic contains the source line, block and thread, as far as
// they are known. Its message describes the error and the next step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/dim3.h"
#include "common/base/outside_access.h"

namespace warpgrade::base {

enum class DiagnosticKind {
  kOutOfBounds,
  kMisaligned,
  kUninitializedRead,
  kInputModified,
  kRace,
  kDivergentBarrier,
  kDeadlock,
  kRunaway,
  kTrap,
  kUnsupported,
  kCompileError,
};

/// A warning concerns a program that is right on every card, but violates the rules of the
/// language. It has no deduction.
enum class Severity { kError, kWarning };

/// "error" or "warning".
std::string_view name(Severity severity);

/// The name of a kind in JSON and in reports: "out_of_bounds", "misaligned", ...
std::string_view name(DiagnosticKind kind);

struct SourceLocation {
  std::string file;          ///< Name for the user; empty if unknown.
  std::uint32_t line = 0;    ///< 1-based; 0 if unknown.
  std::uint32_t column = 0;  ///< 1-based, in bytes; 0 if unknown.

  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

/// A second place in a diagnostic: the earlier access of a race.
struct RelatedPlace {
  SourceLocation where;
  std::string message;        ///< The event there: "thread (16, 0, 0) writes it".
  std::optional<Dim3> block;  ///< The block, as in Diagnostic.
  std::optional<Dim3> thread;

  friend bool operator==(const RelatedPlace&, const RelatedPlace&) = default;
};

struct Diagnostic {
  DiagnosticKind kind{};
  SourceLocation where;
  std::string message;                     ///< One or more sentences, no trailing newline.
  std::optional<Dim3> block;               ///< Block index, if a thread is at fault.
  std::optional<Dim3> thread;              ///< Thread index within that block.
  std::vector<RelatedPlace> related = {};  ///< Also described in the message.
  Severity severity = Severity::kError;
  std::size_t advice_at = 0;  ///< Start of the next step in the message; 0: unknown.
  /// The facts behind the message on an access outside of an array with a name.
  std::optional<OutsideAccess> outside = std::nullopt;

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// The message for reports: control characters are escaped, and text beyond 4,000 columns is
/// omitted (the compiler's messages can contain a whole source line).
std::string shown_message(const Diagnostic& diagnostic);

/// Renders `file:line:column: kind: message`, then the source line from `source` with a caret
/// under the column, then block and thread. A long line is cut around the column. Without `source`
/// there is no excerpt. Control characters are escaped in all parts; a tab in the excerpt is one
/// space.
std::string render(const Diagnostic& diagnostic, std::string_view source);

}  // namespace warpgrade::base

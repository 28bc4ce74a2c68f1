// SPDX-License-Identifier: Apache-2.0
// A failure of the program under test, as a value.
//
// Failures are kept apart: a Diagnostic is the student's (or says that we cannot judge, kind
// kUnsupported), a verdict is a value of the grader, and our own failures are the exceptions of
// error.h. A diagnostic names the source line where it is known, and block and thread where there
// are any; its message says what was wrong and what to do next.
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
  std::string file;          ///< Name shown to the user; empty where unknown.
  std::uint32_t line = 0;    ///< 1-based; 0 where unknown.
  std::uint32_t column = 0;  ///< 1-based, in bytes; 0 where unknown.

  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

/// A further place that a diagnostic is about: the earlier access of a race.
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
  std::optional<Dim3> block;               ///< Block index, where a thread was at fault.
  std::optional<Dim3> thread;              ///< Thread index within that block.
  std::vector<RelatedPlace> related = {};  ///< Told in the message, too.
  Severity severity = Severity::kError;
  std::size_t advice_at = 0;  ///< Where the next step begins in the message; 0: unknown.
  /// The facts behind the message on an access outside of an array with a name.
  std::optional<OutsideAccess> outside = std::nullopt;

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// The message as a report shows it: control characters are escaped, and of a message of more than
/// 4000 columns (the compiler's can hold a whole source line) the rest is left out.
std::string shown_message(const Diagnostic& diagnostic);

/// Renders `file:line:column: kind: message`, then the source line out of `source` and a caret
/// under the column, then block and thread. A long line is cut around the column. `source` may be
/// empty: then there is no excerpt. Control characters in any part are escaped; a tab in the
/// excerpt is one space.
std::string render(const Diagnostic& diagnostic, std::string_view source);

}  // namespace warpgrade::base

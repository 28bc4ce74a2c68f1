// SPDX-License-Identifier: Apache-2.0
// A failure of the program under test, as a value.
//
// Failures have three forms. A Diagnostic is an error of the student's program (or reports that we
// cannot judge it, kind kUnsupported), a verdict is a value of the grader, and our own failures are
// the exceptions of error.h. A diagnostic contains the source line, block and thread, as far as
// they are known, and the facts of the error. finding_text.h turns the facts into sentences, which
// also describe the next step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/dim3.h"
#include "common/base/facts.h"

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

/// A second place in a diagnostic: the earlier access of a race.
struct RelatedPlace {
  SourceLocation where;
  Does does{};                ///< Kind of access there.
  std::optional<Dim3> block;  ///< The block, as in Diagnostic.
  std::optional<Dim3> thread;

  friend bool operator==(const RelatedPlace&, const RelatedPlace&) = default;
};

/// A launch of a sequence.
struct InLaunch {
  std::uint64_t number = 0;  ///< From 1.
  std::uint64_t count = 0;
  std::string kernel;

  friend bool operator==(const InLaunch&, const InLaunch&) = default;
};

/// The limit of work that a case has.
struct CaseLimit {
  std::string name;
  std::uint64_t units = 0;
  std::uint64_t block_units = 0;
  std::uint64_t reference_instructions = 0;  ///< Warp instructions of the course's reference.

  friend bool operator==(const CaseLimit&, const CaseLimit&) = default;
};

/// The circumstances of a diagnostic: number of occurrences, launch, order of warps, limit.
struct Circumstances {
  std::uint64_t occurrences = 1;
  std::size_t left_out = 0;  ///< Findings at other lines that are not shown.
  std::optional<InLaunch> launch = std::nullopt;
  std::string replay;  ///< Command that reproduces it, if another order of warps revealed it.
  std::optional<CaseLimit> limit = std::nullopt;
  /// Variables of the size whose speed is graded, if it was found there.
  std::optional<std::map<std::string, double, std::less<>>> timed_size = std::nullopt;

  friend bool operator==(const Circumstances&, const Circumstances&) = default;
};

struct Diagnostic {
  DiagnosticKind kind{};
  SourceLocation where;
  std::string message;                     ///< One or more sentences; empty if there are facts.
  std::optional<Dim3> block;               ///< Block index, if a thread is at fault.
  std::optional<Dim3> thread;              ///< Thread index within that block.
  std::vector<RelatedPlace> related = {};  ///< Also described in the text.
  Severity severity = Severity::kError;
  Facts facts = {};
  Circumstances seen = {};

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

}  // namespace warpgrade::base

// SPDX-License-Identifier: Apache-2.0
// Turns the facts of a diagnostic into sentences.
//
// In: a complete diagnostic. Out: what happened, where, in which thread, and the next step. The
// first part describes races and barriers that some threads skip; the second, all other findings.
// Renderers call it when all facts are complete. No code reads the sentences again: decisions use
// the facts.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "common/base/diagnostic.h"

namespace warpgrade::base {

// The sentences for races and for barriers that some threads skip; a part of finding_text.
std::string skipped_barriers_text(const SkippedBarriers& skipped);

/// "thread (16, 0, 0) writes it".
std::string text(const RelatedPlace& place);

/// Sentences that describe the error, its occurrences and the next step; no trailing newline.
std::string text(const Diagnostic& diagnostic);

/// "when warps and blocks do not run in numerical order; to reproduce it: warpgrade grade ...".
std::string order_text(const std::string& replay);

/// " (width = 8192, height = 8192, the size whose speed is graded)".
std::string timed_size_text(const std::map<std::string, double, std::less<>>& variables);

/// "message (in launch 3 of 12, scan_step)".
std::string in_launch(const std::string& message, const InLaunch& launch);

/// The text for reports: control characters are escaped, and text beyond 4,000 columns is omitted
/// (the compiler's messages can contain a whole source line).
std::string shown_message(const Diagnostic& diagnostic);

/// A diagnostic for a terminal, in parts that can be coloured separately. Control characters are
/// escaped in all parts.
struct RenderedDiagnostic {
  std::string place;      ///< "file:line:column: ", and "warning: " if it is one.
  std::string_view kind;  ///< "race".
  std::string message;
  std::string excerpt;  ///< The source line with its number; empty if it is unknown.
  std::string caret;    ///< The line below it with a caret at the column, or empty.
  std::string thread;   ///< "      block (1, 0, 0), thread (31, 7, 0)", or empty.
};

/// The excerpt comes from `source` and is empty without it. A long line is cut around the column; a
/// tab is one space.
RenderedDiagnostic rendered(const Diagnostic& diagnostic, std::string_view source);

/// The parts in lines: `file:line:column: kind: message`, excerpt, caret, block and thread.
std::string render(const Diagnostic& diagnostic, std::string_view source);

}  // namespace warpgrade::base

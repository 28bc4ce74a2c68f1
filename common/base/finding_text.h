// SPDX-License-Identifier: Apache-2.0
// The one place that turns the facts of a diagnostic into sentences.
//
// Renderers call it last, when every part has added what it knows. Nothing reads the sentences
// again: code that needs to know what a diagnostic is about looks at its facts.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "common/base/diagnostic.h"

namespace warpgrade::base {

/// "thread (16, 0, 0) writes it".
std::string text(const RelatedPlace& place);

/// What was wrong, how often and where, and what to do next; no trailing newline.
std::string text(const Diagnostic& diagnostic);

/// "with warps and blocks in another order than by number; to see it again: warpgrade grade ...".
std::string order_text(const std::string& replay);

/// " (width = 8192, height = 8192, where the speed is graded)".
std::string timed_size_text(const std::map<std::string, double, std::less<>>& variables);

/// "message (in launch 3 of 12, scan_step)".
std::string in_launch(const std::string& message, const InLaunch& launch);

/// The text as a report shows it: control characters are escaped, and of a text of more than 4000
/// columns (the compiler's can hold a whole source line) the rest is left out.
std::string shown_message(const Diagnostic& diagnostic);

/// A diagnostic for a terminal, in parts that may have colours of their own. Control characters in
/// any part are escaped.
struct RenderedDiagnostic {
  std::string place;      ///< "file:line:column: ", and "warning: " if it is one.
  std::string_view kind;  ///< "race".
  std::string message;
  std::string excerpt;  ///< The source line with its number; empty if it is unknown.
  std::string caret;    ///< The line below it with a caret at the column, or empty.
  std::string thread;   ///< "      block (1, 0, 0), thread (31, 7, 0)", or empty.
};

/// `source` may be empty: then there is no excerpt. A long line is cut around the column; a tab in
/// the excerpt is one space.
RenderedDiagnostic rendered(const Diagnostic& diagnostic, std::string_view source);

/// The parts in lines: `file:line:column: kind: message`, excerpt, caret, block and thread.
std::string render(const Diagnostic& diagnostic, std::string_view source);

}  // namespace warpgrade::base

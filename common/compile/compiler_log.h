// SPDX-License-Identifier: Apache-2.0
// Converts the entries of NVRTC's log (log_entries.h) to diagnostics, with corrections of typing
// mistakes. A compile error is the only kind of diagnostic that this stage creates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/log_context.h"
#include "common/compile/program.h"

namespace warpgrade::compile {

// Recognises typing mistakes behind compiler errors and suggests corrections.
//
// The compiler reports the token that it met (`expected a ";"`, `identifier "threadidx" is
// undefined`). The text around it often shows the cause: a name with one wrong letter, a missing
// brace above, a quotation mark from a text editor, a keyword used as a name.

/// "; did you mean 'threadIdx'?" and similar hints for the compiler's `message` at `line` and
/// `column` (from 1) of `source`; empty if no mistake is recognised.
std::string hint_for_slip(std::string_view message, std::string_view source, std::uint32_t line,
                          std::uint32_t column);

/// The line of `source` before an #include that lacks its end, for a syntax error that the compiler
/// reports in the header, such as `struct A { int x; }` without `;`; 0 if no line lacks one.
std::uint32_t line_before_include(std::string_view source);

/// Limit on the diagnostics of one compilation, not counting the line about omitted ones.
inline constexpr std::size_t kMaxDiagnostics = 10;

/// Limit on the warnings that are shown, the most useful first.
inline constexpr std::size_t kMostWarnings = 3;

struct CompilerWarning {
  base::Diagnostic found;  ///< Its severity is kWarning.
  std::string excerpt;     ///< As the compiler prints it.
};

struct CompilerLog {
  std::vector<base::Diagnostic> errors;   ///< At most kMaxDiagnostics plus one about the rest.
  std::vector<CompilerWarning> warnings;  ///< All; unused variables come last.
  bool has_expression_errors = false;     ///< Some name expression cannot be instantiated.
  bool is_out_of_memory = false;          ///< The compiler ran out of memory.
};

/// "file:line: text" with excerpts, for the first kMostWarnings; empty without warnings.
std::string text_of(const std::vector<CompilerWarning>& warnings);

CompilerLog parse_compiler_log(std::string_view log, const LogContext& context);

/// The error for an #include of a file that the compiler cannot see.
base::Diagnostic missing_include(const LeftOut& item, const LogContext& context);

}  // namespace warpgrade::compile

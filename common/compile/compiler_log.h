// SPDX-License-Identifier: Apache-2.0
// Words the entries of NVRTC's log (log_entries.h) as diagnostics.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/left_out.h"

namespace warpgrade::compile {

/// Most diagnostics that one compilation gives, the line on those left out not counted.
inline constexpr std::size_t kMaxDiagnostics = 10;

struct LogContext {
  std::string compiled_name;                 ///< The main file's name as NVRTC was told.
  std::string shown_name;                    ///< The same for the user.
  std::string folder;                        ///< Has the file's own headers; may be empty.
  std::vector<std::string> include_folders;  ///< Have the course's.
  std::vector<std::string> toolkit_folders;
  std::string_view source;        ///< The main file's text.
  std::vector<LeftOut> left_out;  ///< Code that was not compiled, with files as they are shown.
};

struct CompilerLog {
  std::vector<base::Diagnostic> errors;  ///< At most kMaxDiagnostics and one on the rest.
  std::string warnings;                  ///< "file:line: text" with excerpts, empty for none.
  bool has_expression_errors = false;    ///< Some name expression cannot be instantiated.
  bool is_out_of_memory = false;         ///< The compiler gave up for want of memory.
};

CompilerLog parse_compiler_log(std::string_view log, const LogContext& context);

/// The error that an #include is, of a file that the compiler does not see.
base::Diagnostic missing_include(const LeftOut& item, const LogContext& context);

/// The name under which a user knows `path`: the main file, a header beside it, one of an include
/// folder behind the folder's name, a header of the toolkit as in #include.
std::string shown_path(std::string_view path, const LogContext& context);

/// Whether the file is one of the toolkit's headers.
bool is_of_toolkit(std::string_view path, const LogContext& context);

}  // namespace warpgrade::compile

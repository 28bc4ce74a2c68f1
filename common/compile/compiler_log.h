// SPDX-License-Identifier: Apache-2.0
// Converts the entries of NVRTC's log (log_entries.h) to diagnostics.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/left_out.h"

namespace warpgrade::compile {

/// Limit on the diagnostics of one compilation, not counting the line about omitted ones.
inline constexpr std::size_t kMaxDiagnostics = 10;

struct LogContext {
  std::string compiled_name;                 ///< The main file's name in NVRTC's messages.
  std::string shown_name;                    ///< The same for the user.
  std::string folder;                        ///< Folder of the file's own headers; may be empty.
  std::vector<std::string> include_folders;  ///< Folders of the course's headers.
  std::vector<std::string> toolkit_folders;
  std::string_view source;        ///< The main file's text.
  std::vector<LeftOut> left_out;  ///< Code that was not compiled, with file names for the user.
};

struct CompilerLog {
  std::vector<base::Diagnostic> errors;  ///< At most kMaxDiagnostics plus one about the rest.
  std::string warnings;                  ///< "file:line: text" with excerpts; may be empty.
  bool has_expression_errors = false;    ///< Some name expression cannot be instantiated.
  bool is_out_of_memory = false;         ///< The compiler ran out of memory.
};

CompilerLog parse_compiler_log(std::string_view log, const LogContext& context);

/// The error for an #include of a file that the compiler cannot see.
base::Diagnostic missing_include(const LeftOut& item, const LogContext& context);

/// The name by which a user knows `path`: the main file, a header beside it, a header with the name
/// of its include folder, or a header of the toolkit as in #include.
std::string shown_path(std::string_view path, const LogContext& context);

/// Whether the file is a header of the toolkit.
bool is_of_toolkit(std::string_view path, const LogContext& context);

}  // namespace warpgrade::compile

// SPDX-License-Identifier: Apache-2.0
// Cuts NVRTC's log into entries. One of them looks like this, and is followed by a blank line; the
// caret stands two columns right of its place in the source:
//
//   x.cu(4): error: identifier "foo" is undefined
//     int x = foo();
//             ^
//             detected during instantiation of class "S<T> [with T=int]" at line 9
//
// A message can carry a string of the student's with newlines in it, which could look like
// further entries. Such a message has an open quote at the end of its first line; what follows it
// is not believed and not read.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpgrade::compile {

/// NVRTC's file of name expressions.
inline constexpr std::string_view kNameMap = "__nv_name_map";

/// One message of the compiler; the texts are parts of the log.
struct LogEntry {
  std::string_view file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;  ///< 1-based; 0 where the compiler shows none.
  bool is_error = false;     ///< Else a warning.
  std::string_view message;
  std::string_view excerpt;  ///< The lines below the first, as printed.
};

/// The last text in double quotes in `message`: x of `identifier "x" is undefined`; empty if there
/// is none.
inline std::string_view last_quoted(std::string_view message) {
  const auto end = message.rfind('"');
  if (end == std::string_view::npos || end == 0) return {};
  const auto begin = message.rfind('"', end - 1);
  if (begin == std::string_view::npos) return {};
  return message.substr(begin + 1, end - begin - 1);
}

/// The entries of `log`; `main_file` is the main file's name as the compiler was told.
std::vector<LogEntry> log_entries(std::string_view log, std::string_view main_file);

}  // namespace warpgrade::compile

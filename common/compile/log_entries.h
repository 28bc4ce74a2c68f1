// SPDX-License-Identifier: Apache-2.0
// Splits NVRTC's log into entries. An entry has this form, followed by a blank line; the caret is
// two columns right of its place in the source:
//
//   x.cu(4): error: identifier "foo" is undefined
//     int x = foo();
//             ^
//             detected during instantiation of class "S<T> [with T=int]" at line 9
//
// A message can contain a student's string with newlines, which could look like further entries.
// Such a message has an open quote at the end of its first line, and the text behind it is
// ignored.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpgrade::compile {

/// NVRTC's name for the file of name expressions.
inline constexpr std::string_view kNameMap = "__nv_name_map";

/// One message of the compiler; the texts point into the log.
struct LogEntry {
  std::string_view file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;  ///< 1-based; 0 if the compiler shows none.
  bool is_error = false;     ///< If not, a warning.
  std::string_view message;
  std::string_view excerpt;  ///< The lines below the first, as printed.
};

/// The last text in double quotes in `message`: x in `identifier "x" is undefined`; empty without
/// quotes.
inline std::string_view last_quoted(std::string_view message) {
  const auto end = message.rfind('"');
  if (end == std::string_view::npos || end == 0) return {};
  const auto begin = message.rfind('"', end - 1);
  if (begin == std::string_view::npos) return {};
  return message.substr(begin + 1, end - begin - 1);
}

/// The entries of `log`; `main_file` is the main file's name in it.
std::vector<LogEntry> log_entries(std::string_view log, std::string_view main_file);

}  // namespace warpgrade::compile

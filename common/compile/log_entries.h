// SPDX-License-Identifier: Apache-2.0
// Splits NVRTC's log into entries. An entry has this form, followed by a blank line; the caret is
// two columns right of its place in the source:
//
//   x.cu(4): error: identifier "foo" is undefined
//     int x = foo();
//             ^
//             detected during instantiation of class "S<T> [with T=int]" at line 9
//
// A warning of the optimizer has no caret, and its file name follows "warning: ". An error behind
// the last token of the text begins with "At end of source: error: " and has no line. Below an
// error, the compiler may add notes, in the same form: candidates of a call, or the brace without
// an end.
//
// A message can contain a student's string with newlines, which could look like further entries.
// Such a message has an open quote at the end of its first line, and the text after it is ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::compile {

/// NVRTC's name for the file of name expressions.
inline constexpr std::string_view kNameMap = "__nv_name_map";

/// A remark of the compiler on an error, such as a candidate of a call.
struct LogNote {
  std::string_view file;   ///< Empty for functions of the compiler itself.
  std::uint32_t line = 0;  ///< 0 for them, too.
  std::uint32_t column = 0;
  std::string_view message;
};

/// One message of the compiler; the texts point into the log.
struct LogEntry {
  std::string_view file;
  std::uint32_t line = 0;    ///< 0 at the end of the source.
  std::uint32_t column = 0;  ///< 1-based; 0 if the compiler shows none.
  bool is_error = false;     ///< If not, a warning.
  std::string_view message;
  std::string_view excerpt;  ///< The lines below the first, as printed.
  std::size_t begin = 0;     ///< Offset of its first line in the log.
  std::vector<LogNote> notes = {};
};

inline bool has_part(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The last text in double quotes in `message`: x in `identifier "x" is undefined`; empty without
/// quotes.
inline std::string_view last_quoted(std::string_view message) {
  const auto end = message.rfind('"');
  if (end == std::string_view::npos || end == 0) return {};
  const auto begin = message.rfind('"', end - 1);
  if (begin == std::string_view::npos) return {};
  return message.substr(begin + 1, end - begin - 1);
}

/// The offset of a place in `text`, whose first line is 1; the end of the text if the place does
/// not exist. Column 0 is the line's first character that is not blank.
std::size_t offset_of(std::string_view text, std::uint32_t line, std::size_t column);

/// The line of `text`, from 1, that contains `offset`.
std::uint32_t line_of_offset(std::string_view text, std::size_t offset);

/// An entry in the compiler's format: `message`, such as "error: ...", about `offset` of the file
/// `name` with the text `text`.
std::string entry_at(std::string_view name, std::string_view text, std::size_t offset,
                     std::string_view message);

/// The errors of the assembler in `log`, about lines of `ptx`, as entries about the lines of the
/// source that these come from; empty without such errors.
std::string assembler_entries(std::string_view log, std::string_view ptx,
                              std::string_view main_file);

/// The entries of `log`; `main_file` is the main file's name in it.
std::vector<LogEntry> log_entries(std::string_view log, std::string_view main_file);

}  // namespace warpgrade::compile

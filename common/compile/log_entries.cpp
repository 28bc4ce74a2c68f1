// SPDX-License-Identifier: Apache-2.0
#include "common/compile/log_entries.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::compile {
namespace {

// Precedes a warning of the optimizer: "warning: x.cu(4): Warning: Cannot store to pointer ...".
constexpr std::string_view kOfAssembler = "ptxas application ptx input, line ";
constexpr std::string_view kOfOptimizer = "warning: ";
constexpr std::string_view kAtEnd = "At end of source: ";
// Precedes a note on a function that the compiler itself declares.
constexpr std::string_view kNoteOfCompiler = "Note #";

std::string_view next_line(std::string_view& text) {
  const auto end = text.find('\n');
  const auto line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// The first line of an entry or of a note.
struct Head {
  LogEntry entry;
  bool is_note = false;
};

// Reads "SEVERITY: MESSAGE".
std::optional<Head> parse_message(LogEntry entry, std::string_view text) {
  const auto colon = text.find(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  const auto severity = text.substr(0, colon);
  entry.is_error = severity == "error" || severity == "catastrophic error";
  const bool is_warning = severity.starts_with("warning") || severity == "Warning";
  const bool is_note = severity.starts_with("note #");
  if (!entry.is_error && !is_warning && !is_note) return std::nullopt;
  entry.message = text.substr(colon + 2);
  return Head{std::move(entry), is_note};
}

// Reads "(LINE): SEVERITY: MESSAGE", the part of a first line after the file name.
std::optional<Head> parse_tail(std::string_view file, std::string_view tail) {
  const auto close = tail.find("): ");
  if (!tail.starts_with('(') || close == std::string_view::npos) return std::nullopt;
  LogEntry entry;
  entry.file = file;
  const auto* end = tail.data() + close;
  const auto number = std::from_chars(tail.data() + 1, end, entry.line);
  if (number.ec != std::errc{} || number.ptr != end) return std::nullopt;
  return parse_message(std::move(entry), tail.substr(close + 3));
}

// Reads an entry's first line. The main file's name may contain anything; other names are absolute
// paths or short names of texts in memory.
std::optional<Head> parse_head(std::string_view line, std::string_view main_file) {
  if (line.starts_with(kAtEnd)) {
    LogEntry entry;
    entry.file = main_file;
    return parse_message(std::move(entry), line.substr(kAtEnd.size()));
  }
  if (line.starts_with(kNoteOfCompiler)) {
    const auto colon = line.find(": ");
    if (colon == std::string_view::npos) return std::nullopt;
    LogEntry entry;
    entry.message = line.substr(colon + 2);
    return Head{std::move(entry), /*is_note=*/true};
  }
  if (line.starts_with(kOfOptimizer)) line.remove_prefix(kOfOptimizer.size());
  if (line.starts_with(main_file)) {
    if (auto head = parse_tail(line.substr(0, main_file.size()), line.substr(main_file.size())))
      return head;
  }
  if (line.starts_with(' ') ||
      line.find("detected in the compilation of") != std::string_view::npos)
    return std::nullopt;
  for (auto open = line.find('('); open != std::string_view::npos;
       open = line.find('(', open + 1)) {
    if (auto head = parse_tail(line.substr(0, open), line.substr(open))) return head;
  }
  return std::nullopt;
}

// Column of the caret: the first line of `excerpt` with only blanks and one '^', minus NVRTC's
// indent of two columns; 0 if not found.
std::uint32_t caret_column(std::string_view excerpt) {
  while (!excerpt.empty()) {
    const auto line = next_line(excerpt);
    const auto at = line.find_first_not_of(" \t");
    if (at != std::string_view::npos && at >= 2 && line.substr(at) == "^") {
      return static_cast<std::uint32_t>(at) - 1;
    }
  }
  return 0;
}

bool has_open_quote(std::string_view message) { return std::ranges::count(message, '"') % 2 != 0; }

// The number at the start of `text`; 0 without one.
std::uint32_t leading_number(std::string_view text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Source file and line of line `number` of `ptx`, from the last .loc before it. Names of files
// follow the code.
LogEntry source_place(std::string_view ptx, std::uint32_t number) {
  constexpr std::string_view kLoc = "\t.loc\t";
  LogEntry place;
  std::string file;
  auto rest = ptx;
  for (std::uint32_t i = 0; i < number && !rest.empty(); ++i) {
    const auto line = next_line(rest);
    if (!line.starts_with(kLoc)) continue;
    const auto words = line.substr(kLoc.size());
    file = "\t.file\t" + std::to_string(leading_number(words)) + " \"";
    place.line = leading_number(words.substr(std::min(words.find(' ') + 1, words.size())));
  }
  const auto found = file.empty() ? std::string_view::npos : ptx.rfind(file);
  if (found != std::string_view::npos) {
    const auto name = ptx.substr(found + file.size());
    place.file = name.substr(0, name.find('"'));
  }
  return place;
}

}  // namespace

std::size_t offset_of(std::string_view text, std::uint32_t line, std::size_t column) {
  std::size_t at = 0;
  for (std::uint32_t i = 1; i < line && at < text.size(); ++i) {
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  const auto end = std::min(text.find('\n', at), text.size());
  if (column == 0) return std::min(text.find_first_not_of(" \t", at), end);
  return std::min(at + column - 1, end);
}

std::uint32_t line_of_offset(std::string_view text, std::size_t offset) {
  return static_cast<std::uint32_t>(std::ranges::count(text.substr(0, offset), '\n')) + 1;
}

std::string entry_at(std::string_view name, std::string_view text, std::size_t offset,
                     std::string_view message) {
  const auto line = line_of_offset(text, offset);
  const auto begin = offset_of(text, line, 1);
  std::string out(name);
  out.append("(").append(std::to_string(line)).append("): ").append(message).append("\n  ");
  out.append(text.substr(begin, text.find('\n', begin) - begin)).append("\n  ");
  return out.append(offset - begin, ' ').append("^\n\n");
}

std::string assembler_entries(std::string_view log, std::string_view ptx,
                              std::string_view main_file) {
  std::string out;
  while (!log.empty()) {
    const auto line = next_line(log);
    if (!line.starts_with(kOfAssembler)) continue;
    const auto number = leading_number(line.substr(kOfAssembler.size()));
    const auto severity = line.find("; ");
    const auto colon = line.find(": ", kOfAssembler.size());
    const bool is_error = severity < colon && !line.substr(severity + 2).starts_with("warning");
    if (colon == std::string_view::npos || !is_error) continue;
    const auto place = source_place(ptx, number);
    if (place.line == 0) continue;
    const bool is_main = place.file.empty() || place.file.substr(1) == main_file;
    const auto head = std::string(is_main ? main_file : place.file)
                          .append("(")
                          .append(std::to_string(place.line))
                          .append("): error: ");
    if (out.find(head) != std::string::npos) continue;
    out.append(head)
        .append("the assembler refuses this line of inline assembly: ")
        .append(line.substr(colon + 2))
        .append("\n\n");
  }
  return out;
}

std::vector<LogEntry> log_entries(std::string_view log, std::string_view main_file) {
  std::vector<LogEntry> entries;
  const auto size = log.size();
  while (!log.empty()) {
    const auto begin = size - log.size();
    auto head = parse_head(next_line(log), main_file);
    if (!head) continue;
    auto& entry = head->entry;
    entry.begin = begin;
    const bool open = has_open_quote(entry.message);
    const auto below = log;
    while (!open && !log.empty() && log.front() == ' ') next_line(log);
    entry.excerpt = below.substr(0, below.size() - log.size());
    entry.column = caret_column(entry.excerpt);
    if (!head->is_note) {
      entries.push_back(std::move(entry));
    } else if (!entries.empty() && entries.back().is_error) {
      entries.back().notes.push_back({entry.file, entry.line, entry.column, entry.message});
    }
    if (open) break;
  }
  return entries;
}

}  // namespace warpgrade::compile

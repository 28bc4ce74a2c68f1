// SPDX-License-Identifier: Apache-2.0
// Reads the PTX of a submission, without a full parse: kernels, and directives of inline
// assembly.
//
// It lists the kernels with the layout of their parameters. It reports inline assembly that
// writes directives reserved for the compiler: places, files, functions.
#include "common/compile/ptx_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/compiler_log.h"
#include "common/compile/directives.h"
#include "common/compile/source_outline.h"

namespace warpgrade::compile {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kTypeLetters = "bsuf";

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::uint32_t number_at(std::string_view text) {
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Reads ".param .u64 .ptr .global .align 4 copy_param_0" or ".param .align 16 .b8 k_param_1[16]".
Parameter parse_parameter(std::string_view text) {
  Parameter parameter;
  for (auto dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1)) {
    const auto word = text.substr(dot + 1);
    const bool is_type = word.size() > 1 && kTypeLetters.find(word[0]) != std::string_view::npos &&
                         std::isdigit(static_cast<unsigned char>(word[1])) != 0;
    if (!is_type) continue;
    parameter.size_bytes = number_at(word.substr(1)) / 8;
    parameter.is_float = word[0] == 'f';
  }
  const auto bracket = text.find('[');
  if (bracket != std::string_view::npos) {
    parameter.size_bytes *= number_at(text.substr(bracket + 1));
  }
  return parameter;
}

std::vector<Parameter> parse_parameters(std::string_view list) {
  std::vector<Parameter> parameters;
  while (!trimmed(list).empty()) {
    const auto comma = list.find(',');
    parameters.push_back(parse_parameter(list.substr(0, comma)));
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return parameters;
}

}  // namespace

std::vector<PtxEntry> parse_ptx_entries(std::string_view text) {
  static constexpr std::string_view kEntry = ".entry ";
  // Inline assembly can put comments that look like a kernel into PTX.
  const auto plain = blank_comments_and_literals(text);
  std::string_view ptx = plain;
  std::vector<PtxEntry> entries;
  for (auto at = ptx.find(kEntry); at != std::string_view::npos; at = ptx.find(kEntry)) {
    ptx.remove_prefix(at + kEntry.size());
    const auto open = ptx.find('(');
    const auto close = ptx.find(')');
    if (close == std::string_view::npos || open > close) break;
    entries.push_back({std::string(trimmed(ptx.substr(0, open))),
                       parse_parameters(ptx.substr(open + 1, close - open - 1))});
  }
  return entries;
}

std::string unescape_ptx(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text.front() != '\\' || text.size() < 2) {
      out += text.front();
      text.remove_prefix(1);
    } else if (text.size() >= 4 && text[1] >= '0' && text[1] <= '3') {
      out += static_cast<char>((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0'));
      text.remove_prefix(4);
    } else {
      out += text[1];
      text.remove_prefix(2);
    }
  }
  return out;
}

namespace {

constexpr std::string_view kBegin = "\t// begin inline asm";
constexpr std::string_view kEnd = "\t// end inline asm";
constexpr std::string_view kPlace = "\t.loc\t1 ";            // file 1 is the compiled file ...
constexpr std::string_view kOtherFirst = "\t.file\t1 \"./";  // ... unless it has no code
constexpr std::string_view kAnyPlace = "\t.loc\t";
constexpr std::string_view kRefused[] = {".address_size", ".const",  ".entry", ".file",
                                         ".func",         ".global", ".loc",   ".section",
                                         ".target",       ".version"};

// The first refused directive in a line without comments, or empty. `.global` after an opcode is a
// modifier.
std::string_view refused_in(std::string_view line) {
  for (auto dot = line.find('.'); dot != std::string_view::npos; dot = line.find('.', dot + 1)) {
    auto end = dot + 1;
    while (end < line.size() && is_word(line[end])) ++end;
    const auto word = line.substr(dot, end - dot);
    const auto* found = std::ranges::find(kRefused, word);
    if (dot > 0 && is_word(line[dot - 1])) continue;
    if (found != std::ranges::end(kRefused)) return *found;
  }
  return {};
}

// The number after `prefix` at the start of `line`; 0 without a number.
std::uint32_t number_after(std::string_view line, std::string_view prefix) {
  std::uint32_t number = 0;
  if (line.starts_with(prefix)) {
    line.remove_prefix(prefix.size());
    std::from_chars(line.data(), line.data() + line.size(), number);
  }
  return number;
}

std::string_view take_line(std::string_view& text) {
  const auto line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

}  // namespace

std::optional<base::Diagnostic> check_inline_assembly(std::string_view ptx, const std::string& file,
                                                      std::string_view source) {
  const auto is_newline = [](char c) { return c == '\n' || c == '\r'; };
  const auto lines = std::ranges::count_if(source, is_newline) + 1;
  const auto plain = blank_comments_and_literals(ptx);
  std::string_view rest = plain;
  const bool is_own = ptx.find(kOtherFirst) == std::string_view::npos;
  std::uint32_t place = 0;  // of the previous code
  bool inside = false;
  while (!ptx.empty()) {
    const auto line = take_line(ptx);
    const auto code = take_line(rest);
    if (line == kBegin || line == kEnd) {
      inside = line == kBegin;
    } else if (inside) {
      if (const auto word = refused_in(code); !word.empty()) {
        return compile_error(file, place, 0,
                             fmt::format("inline assembly must not hold the directive {}: it may "
                                         "have instructions, labels, and registers or other "
                                         "variables of the function; take it out",
                                         word));
      }
    } else if (code.starts_with(kAnyPlace)) {
      const auto named = is_own ? number_after(code, kPlace) : 0;
      if (named > lines) {
        return compile_error(file, place, 0,
                             fmt::format("the PTX names line {} of this file, which ends at line "
                                         "{}: take .loc out of the inline assembly",
                                         named, lines));
      }
      place = named;
    }
  }
  return std::nullopt;
}

}  // namespace warpgrade::compile

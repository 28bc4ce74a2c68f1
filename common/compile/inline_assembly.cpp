// SPDX-License-Identifier: Apache-2.0
#include "common/compile/inline_assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "common/compile/compile_error.h"
#include "common/compile/directives.h"
#include "common/compile/words.h"

namespace warpgrade::compile {
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

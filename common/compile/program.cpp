// SPDX-License-Identifier: Apache-2.0
// A compiled kernel file: its kernels, their resources, and the host code that it lacks.
//
// In: NVRTC's log with the output of ptxas -v, the PTX, and the list of host code that was left
// out. Out: the resources and parameters of each kernel, directives of inline assembly that are
// reserved for the compiler, and a sentence for reports about the code that was left out.
#include "common/compile/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/text.h"
#include "common/compile/directives.h"
#include "common/compile/source_outline.h"

namespace warpgrade::compile {

bool is_include(const LeftOut& item) {
  return item.name.starts_with('<') || item.name.starts_with('"');
}

std::string describe(const std::vector<LeftOut>& items, std::string_view main_file) {
  constexpr std::size_t kMostNames = 8;
  constexpr std::size_t kMostColumns = 40;  // of a name
  if (items.empty()) return {};
  std::string out = "left out as host code: ";
  const auto count = std::min(items.size(), kMostNames);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& item = items[i];
    const bool is_last = i + 1 == items.size();
    if (i != 0) out += is_last ? " and " : ", ";
    const auto name = base::excerpt(base::escape_controls(item.name), 0, kMostColumns).text;
    const auto place = item.file == main_file
                           ? fmt::format("line {}", item.line)
                           : fmt::format("{}:{}", base::escape_controls(item.file), item.line);
    out += name.empty() ? place : fmt::format("{} ({})", name, place);
  }
  if (items.size() > count) out += fmt::format(" and {} more", items.size() - count);
  return out;
}

namespace {

// The number directly before `unit` in `line`; 0 without a number.
std::uint32_t number_before(std::string_view line, std::string_view unit) {
  const auto at = line.find(unit);
  if (at == std::string_view::npos) return 0;
  const auto head = line.substr(0, at);
  const auto begin = head.find_last_not_of("0123456789") + 1;
  std::uint32_t value = 0;
  std::from_chars(head.data() + begin, head.data() + head.size(), value);
  return value;
}

// The name between the first pair of apostrophes.
std::string_view quoted(std::string_view line) {
  const auto begin = line.find('\'');
  if (begin == std::string_view::npos) return {};
  return line.substr(begin + 1, line.find('\'', begin + 1) - begin - 1);
}

// The sum over all banks of "372 bytes cmem[0], 8 bytes cmem[2]".
std::uint32_t constant_bytes(std::string_view line) {
  std::uint32_t sum = 0;
  for (auto at = line.find(" bytes cmem["); at != std::string_view::npos;
       at = line.find(" bytes cmem[")) {
    sum += number_before(line, " bytes cmem[");
    line.remove_prefix(at + 1);
  }
  return sum;
}

}  // namespace

std::map<std::string, Resources> parse_ptxas_report(std::string_view log) {
  std::map<std::string, Resources> kernels;
  Resources* current = nullptr;
  while (!log.empty()) {
    const auto end = log.find('\n');
    const auto line = log.substr(0, end);
    log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
    if (!line.starts_with("ptxas")) continue;
    if (line.find("Compiling entry function '") != std::string_view::npos) {
      current = &kernels[std::string(quoted(line))];
      *current = {};
    } else if (current != nullptr && line.find(" bytes stack frame") != std::string_view::npos) {
      current->stack_frame_bytes = number_before(line, " bytes stack frame");
      current->spill_store_bytes = number_before(line, " bytes spill stores");
      current->spill_load_bytes = number_before(line, " bytes spill loads");
    } else if (current != nullptr && line.find(": Used ") != std::string_view::npos) {
      current->registers_per_thread = number_before(line, " registers");
      current->barriers = number_before(line, " barriers");
      current->static_shared_bytes = number_before(line, " bytes smem");
      current->constant_bytes = constant_bytes(line);
      current = nullptr;
    }
  }
  return kernels;
}

namespace {

constexpr std::string_view kTypeLetters = "bsuf";

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
  while (!base::trimmed(list).empty()) {
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
    entries.push_back({std::string(base::trimmed(ptx.substr(0, open))),
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
constexpr std::string_view kPlace = "\t.loc\t1 ";  // file 1 is the compiled file ...
constexpr std::string_view kOtherFirst[] = {
    "\t.file\t1 \"./",  // ... unless it has no code,
    "\t.file\t1 \"<"};  // or without optimization another file of the toolkit comes first
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
  const bool is_own = std::ranges::none_of(kOtherFirst, [&](std::string_view other) {
    return ptx.find(other) != std::string_view::npos;
  });
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

// SPDX-License-Identifier: Apache-2.0
#include "common/compile/nvcc_rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "common/compile/outline.h"
#include "common/compile/tokens.h"
#include "common/compile/words.h"

namespace warpgrade::compile {
namespace {

// A source with its tokens and declarations.
struct Outlined {
  explicit Outlined(std::string_view source) : text(source), tokens(tokens_of(source)) {
    Macros macros;
    add_macros(text, tokens, macros);
    items = outline(text, tokens, macros);
  }

  std::string_view word(const Token& token) const {
    return text.substr(token.begin, token.end - token.begin);
  }
  // The tokens that begin in [begin, end).
  std::span<const Token> within(std::size_t begin, std::size_t end) const {
    const auto first = std::ranges::lower_bound(tokens, begin, {}, &Token::begin);
    const auto last = std::ranges::lower_bound(tokens, end, {}, &Token::begin);
    return {first, last};
  }
  bool has_word(std::span<const Token> part, std::string_view wanted) const {
    return std::ranges::any_of(part, [&](const Token& token) { return word(token) == wanted; });
  }

  std::string_view text;
  std::vector<Token> tokens;
  std::vector<Item> items;
};

bool is_device_function(const Item& item) {
  return item.kind == ItemKind::kFunction && item.is_device && item.head_end < item.end;
}

// Line `number` of `source`, counted from 1, without its newline.
std::string_view line_text(std::string_view source, std::uint32_t number) {
  for (; number > 1 && !source.empty(); --number) {
    source.remove_prefix(std::min(source.find('\n'), source.size() - 1) + 1);
  }
  return source.substr(0, source.find('\n'));
}

// An entry of the log as NVRTC prints it: the message, the line, a caret below the place.
std::string log_entry(const std::string& name, std::string_view source, std::uint32_t line,
                      std::size_t column, const std::string& message) {
  return name + "(" + std::to_string(line) + "): error: " + message + "\n  " +
         std::string(line_text(source, line)) + "\n  " + std::string(column - 1, ' ') + "^\n\n";
}

std::string entry_at(const std::string& name, std::string_view source, std::size_t offset,
                     const std::string& message) {
  const auto before = source.substr(0, offset);
  const auto line = static_cast<std::uint32_t>(std::ranges::count(before, '\n')) + 1;
  return log_entry(name, source, line, offset - (before.rfind('\n') + 1) + 1, message);
}

// The number at the front of `text`, which is shortened by it and the blank behind it.
std::uint32_t take_number(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with(' ')) text.remove_prefix(1);
  return error == std::errc() ? number : 0;
}

// The number that `ptx` gives to the file `name`; 0 if it has none.
std::uint32_t file_number(std::string_view ptx, const std::string& name) {
  constexpr std::string_view kFile = "\n\t.file\t";
  for (auto at = ptx.find(kFile); at != std::string_view::npos; at = ptx.find(kFile, at + 1)) {
    auto rest = ptx.substr(at + kFile.size());
    rest = rest.substr(0, rest.find('\n'));
    const auto number = take_number(rest);
    if (rest.ends_with("/" + name + "\"")) return number;
  }
  return 0;
}

// "weights" of "weights" and of "_ZN1n7weightsE": the last part of a name in a namespace or class.
bool is_symbol_of(std::string_view symbol, const std::string& array) {
  if (symbol == array) return true;
  return symbol.starts_with("_ZN") && symbol.ends_with(std::to_string(array.size()) + array + "E");
}

// The array that an instruction of PTX names; empty if there is none.
std::string array_in(std::string_view instruction, const std::vector<std::string>& arrays) {
  for (std::size_t at = 0; at < instruction.size();) {
    auto end = at;
    while (end < instruction.size() && (is_word(instruction[end]) || instruction[end] == '$'))
      ++end;
    const auto symbol = instruction.substr(at, end - at);
    const auto found = std::ranges::find_if(
        arrays, [&](const std::string& array) { return is_symbol_of(symbol, array); });
    if (found != arrays.end()) return *found;
    at = std::max(end, at + 1);
  }
  return {};
}

// The column of the word `name` in line `line`; 1 if it is not there, as behind a macro.
std::size_t column_of(std::string_view source, std::uint32_t line, std::string_view name) {
  const auto text = line_text(source, line);
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    const bool is_whole =
        (at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]));
    if (is_whole) return at + 1;
  }
  return 1;
}

// Index behind the template arguments at `at`, or `at` itself; nothing if they are not closed.
std::optional<std::size_t> skip_template_arguments(const Outlined& source,
                                                   std::span<const Token> part, std::size_t at) {
  if (at >= part.size() || source.word(part[at]) != "<") return at;
  int depth = 0;
  for (; at < part.size(); ++at) {
    const auto word = source.word(part[at]);
    if (word == "<") ++depth;
    if (word == ">" && --depth == 0) return at + 1;
    if (word == ";" || word == "{") return std::nullopt;
  }
  return std::nullopt;
}

// Kernels whose name means nothing else in the file.
std::set<std::string_view> names_of_kernels(const Outlined& source) {
  std::set<std::string_view> kernels;
  std::set<std::string_view> others;
  for (const auto& item : source.items) {
    const auto head = source.within(item.begin, item.head_end);
    const bool is_kernel = item.kind == ItemKind::kFunction && source.has_word(head, "__global__");
    (is_kernel ? kernels : others).insert(item.name);
  }
  for (const auto& token : source.tokens) {  // A macro may be called like a kernel.
    if (token.kind != TokenKind::kDirective) continue;
    const auto inside = source.text.substr(token.begin + 1, token.end - token.begin - 1);
    for (const auto& part : tokens_of(inside)) {
      others.insert(inside.substr(part.begin, part.end - part.begin));
    }
  }
  for (const auto name : others) kernels.erase(name);
  kernels.erase("");
  return kernels;
}

// Whether the word before a name lets the two be a call: `return f(x)`, and not `float f(x)`.
bool can_be_before_call(const Token& token, std::string_view word) {
  static constexpr std::array<std::string_view, 3> kStatements = {"return", "else", "do"};
  static constexpr std::array<std::string_view, 5> kOther = {".", "->", "::", "&", "*"};
  if (token.kind == TokenKind::kWord) return std::ranges::count(kStatements, word) != 0;
  return std::ranges::count(kOther, word) == 0;
}

}  // namespace

std::vector<std::string> host_constant_arrays(std::string_view text) {
  const Outlined source(text);
  std::set<std::string> found;
  for (const auto& item : source.items) {
    if (item.kind != ItemKind::kOther || item.is_device || item.name.empty()) continue;
    const auto part = source.within(item.begin, item.end);
    if (!source.has_word(part, "const") && !source.has_word(part, "constexpr")) continue;
    const auto name = std::ranges::find_if(
        part, [&](const Token& token) { return source.word(token) == item.name; });
    const bool is_array =
        name != part.end() && name + 1 != part.end() && source.word(*(name + 1)) == "[";
    if (is_array) found.insert(item.name);
  }
  std::vector<std::string> out;
  for (const auto& name : found) {
    const bool is_mentioned = std::ranges::any_of(source.items, [&](const Item& item) {
      return is_device_function(item) && source.has_word(source.within(item.begin, item.end), name);
    });
    if (is_mentioned) out.push_back(name);
  }
  return out;
}

std::string uses_of_host_arrays(std::string_view debug_ptx, const std::vector<std::string>& arrays,
                                const std::string& name, std::string_view source) {
  std::map<std::string, std::uint32_t> lines;  // By array: of its first use.
  const auto main_file = file_number(debug_ptx, name);
  std::uint32_t line = 0;
  while (!debug_ptx.empty()) {
    auto text = debug_ptx.substr(0, debug_ptx.find('\n'));
    debug_ptx.remove_prefix(std::min(text.size() + 1, debug_ptx.size()));
    if (text.starts_with("\t.section")) break;  // Debug information names every variable.
    if (text.starts_with("\t.loc\t")) {
      text.remove_prefix(6);
      const auto file = take_number(text);
      line = file == main_file ? take_number(text) : 0;
    } else if (text.starts_with("\t") && line != 0) {
      if (auto array = array_in(text, arrays); !array.empty()) lines.try_emplace(array, line);
    }
  }
  std::string out;
  for (const auto& [array, at] : lines) {
    out += log_entry(name, source, at, column_of(source, at, array),
                     "identifier \"" + array + "\" is undefined in device code");
  }
  return out;
}

std::string kernel_called_as_function(std::string_view text, const std::string& name) {
  const Outlined source(text);
  const auto kernels = names_of_kernels(source);
  for (const auto& item : source.items) {
    if (!is_device_function(item)) continue;
    const auto head = source.within(item.begin, item.head_end);
    const auto body = source.within(item.head_end, item.end);
    std::set<std::string_view> shadowed;
    for (std::size_t i = 1; i + 1 < body.size(); ++i) {
      const auto word = source.word(body[i]);
      if (!kernels.contains(word) || shadowed.contains(word)) continue;
      const bool is_parameter = std::ranges::count(head, word, [&](const Token& token) {
                                  return source.word(token);
                                }) > (item.name == word ? 1 : 0);
      const auto after = skip_template_arguments(source, body, i + 1);
      const bool is_called = after && *after < body.size() && source.word(body[*after]) == "(";
      const bool follows = can_be_before_call(body[i - 1], source.word(body[i - 1]));
      if (is_called && follows && !is_parameter) {
        return entry_at(name, text, body[i].begin, "a __global__ function call must be configured");
      }
      if (!follows || is_parameter) shadowed.insert(word);  // A variable or member of that name.
    }
  }
  return {};
}

}  // namespace warpgrade::compile

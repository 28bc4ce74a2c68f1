// SPDX-License-Identifier: Apache-2.0
#include "common/compile/host_constants.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/compile/log_entries.h"
#include "common/compile/source_outline.h"

namespace warpgrade::compile {
namespace {

// A declaration of constants: its names, and the word `const` if constexpr can replace it.
struct ConstantDeclaration {
  std::vector<std::string> names;
  const Token* plain_const = nullptr;
  bool is_kept_variable = false;  // a pointer or volatile: every use reads the variable
};

// Whether the words `part` may declare `name` for something else.
bool may_declare(const SourceOutline& source, std::span<const Token> part, std::string_view name) {
  static constexpr std::array<std::string_view, 5> kStatements = {"return", "else", "case", "do",
                                                                  "throw"};
  for (std::size_t i = 1; i < part.size(); ++i) {
    if (source.word(part[i]) != name) continue;
    const auto before = source.word(part[i - 1]);
    const bool is_word = part[i - 1].kind == TokenKind::kWord;
    if (is_word && std::ranges::count(kStatements, before) == 0) return true;
    if (before == "*" || before == "&" || before == ">") return true;
  }
  return false;
}

// The place of the name that the reference at `i` is bound to, alone: `& r = n;`, `& r{n}`, `&
// r(n)` or `& r = n, ...`, each also with scopes before the name.
std::optional<std::size_t> bound_name(const SourceOutline& source, std::span<const Token> part,
                                      std::size_t i) {
  if (i + 4 >= part.size() || source.word(part[i]) != "&") return std::nullopt;
  if (part[i + 1].kind != TokenKind::kWord) return std::nullopt;
  auto at = i + (source.word(part[i + 3]) == "::" ? 4 : 3);
  while (at + 2 < part.size() && source.word(part[at + 1]) == "::") at += 2;
  if (at + 1 >= part.size()) return std::nullopt;
  const auto opens = source.word(part[i + 2]);
  const auto closes = source.word(part[at + 1]);
  const bool is_whole = opens == "="   ? closes == ";" || closes == ","
                        : opens == "{" ? closes == "}"
                                       : opens == "(" && closes == ")";
  return is_whole ? std::optional(at) : std::nullopt;
}

// Names in a declaration of variables: words before an initial value or a bracket.
std::vector<std::string> declared_names(const SourceOutline& source, std::span<const Token> part) {
  std::vector<std::string> names;
  int depth = 0;
  bool is_initial = false;  // between a `=` and the comma after the value
  for (std::size_t i = 0; i + 1 < part.size(); ++i) {
    const auto word = source.word(part[i]);
    const auto next = source.word(part[i + 1]);
    const bool opens_type = word == "<" && !is_initial;
    const bool closes_type = word == ">" && !is_initial;
    if (word == "(" || word == "[" || word == "{" || opens_type) ++depth;
    if (word == ")" || word == "]" || word == "}" || closes_type) --depth;
    if (word == ">>" && !is_initial) depth -= 2;
    if (depth > 0) continue;
    if (word == "=") is_initial = true;
    if (word == ",") is_initial = false;
    const bool is_declared = next == "=" || next == "[" || next == "{";
    if (is_declared && !is_initial && part[i].kind == TokenKind::kWord) names.emplace_back(word);
  }
  return names;
}

// Whether `head`, a declaration up to its first value, has `const` after its last `*`.
bool is_constant_pointer(const SourceOutline& source, std::span<const Token> head) {
  bool is_constant = false;
  for (const auto& token : head) {
    if (source.word(token) == "*") is_constant = false;
    if (source.word(token) == "const") is_constant = true;
  }
  return is_constant;
}

// Whether the first value of the declaration is a string. nvcc knows the value of other constant
// pointers: nullptr, or the address of a constant.
bool is_string(const SourceOutline& source, std::span<const Token> part) {
  for (const auto& token : part) {
    const auto word = source.word(token);
    if (word.find('"') != std::string_view::npos) return true;
    if (word == ",") return false;
  }
  return false;
}

ConstantDeclaration constants_of(const SourceOutline& source, const Item& item) {
  static constexpr std::array<std::string_view, 4> kOthers = {"extern", "using", "typedef",
                                                              "operator"};
  ConstantDeclaration out;
  if (item.kind != ItemKind::kOther || item.is_device || item.is_assertion) return out;
  const auto part = source.within(item.begin, item.end);
  const bool is_other = std::ranges::any_of(
      kOthers, [&](std::string_view word) { return source.has_word(part, word); });
  const auto begin = std::ranges::find_if(part, [&](const Token& token) {
    const auto word = source.word(token);
    return word == "=" || word == "[" || word == "{";
  });
  const std::span<const Token> head(part.begin(), begin);
  const bool is_constexpr = source.has_word(head, "constexpr");
  const auto plain =
      std::ranges::find_if(head, [&](const Token& token) { return source.word(token) == "const"; });
  if (is_other || begin == part.end() || (!is_constexpr && plain == head.end())) return out;
  const bool has_value = source.has_word(part, "=") || source.has_word(part, "{");
  const bool is_reference = source.has_word(head, "&");
  if (!is_constexpr && (is_reference || !has_value)) return out;
  if (!is_constexpr && source.has_word(head, "*")) {
    if (!is_string(source, part) || !is_constant_pointer(source, head)) return out;
    out.names = declared_names(source, part);
    out.is_kept_variable = true;
    return out;
  }
  out.names = declared_names(source, part);
  out.is_kept_variable = source.has_word(head, "volatile");
  if (!is_constexpr && !out.is_kept_variable) out.plain_const = &*plain;
  return out;
}

// Words that device code can use: those in its functions and in all macros.
std::set<std::string, std::less<>> words_of_device_code(const SourceOutline& source) {
  std::set<std::string, std::less<>> words;
  for (const auto& item : source.items) {
    if (!is_device_function(item)) continue;
    for (const auto& token : source.within(item.begin, item.end)) words.emplace(source.word(token));
  }
  for (const auto& token : source.tokens) {
    if (token.kind != TokenKind::kDirective) continue;
    const auto inside = source.text.substr(token.begin + 1, token.end - token.begin - 1);
    for (const auto& part : tokens_of(inside)) {
      words.emplace(inside.substr(part.begin, part.end - part.begin));
    }
  }
  return words;
}

// Removes the number at the start of `text`, and the blank after it, and returns it.
std::uint32_t take_number(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with(' ')) text.remove_prefix(1);
  return error == std::errc() ? number : 0;
}

// The sources, by their file numbers in `ptx`.
std::map<std::uint32_t, const SourceText*> numbered(std::string_view ptx,
                                                    std::span<const SourceText> sources) {
  constexpr std::string_view kFile = "\n\t.file\t";
  std::map<std::uint32_t, const SourceText*> out;
  for (auto at = ptx.find(kFile); at != std::string_view::npos; at = ptx.find(kFile, at + 1)) {
    auto rest = ptx.substr(at + kFile.size());
    rest = rest.substr(0, rest.find('\n'));
    const auto number = take_number(rest);
    for (const auto& source : sources) {  // NVRTC prepends its folder, /, to a relative name
      const bool is_absolute = source.name.starts_with('/');
      const auto path = '"' + std::string(is_absolute ? "" : "/") + source.name + '"';
      if (rest.starts_with(path)) out[number] = &source;
    }
  }
  return out;
}

// "weights" matches "weights" and "_ZN1n7weightsE": the last part of a name in a namespace or
// class.
bool is_symbol_of(std::string_view symbol, const std::string& name) {
  if (symbol == name) return true;
  return symbol.starts_with("_ZN") && symbol.ends_with(std::to_string(name.size()) + name + "E");
}

struct Use {
  std::string symbol;
  std::string name;
};

// The constant that a PTX instruction names; empty if it names none.
Use use_in(std::string_view instruction, const std::vector<std::string>& constants) {
  for (std::size_t at = 0; at < instruction.size();) {
    auto end = at;
    while (end < instruction.size() && (is_word(instruction[end]) || instruction[end] == '$'))
      ++end;
    const auto symbol = instruction.substr(at, end - at);
    const auto found = std::ranges::find_if(
        constants, [&](const std::string& name) { return is_symbol_of(symbol, name); });
    const bool is_name = at == 0 || (instruction[at - 1] != '.' && instruction[at - 1] != '%');
    if (found != constants.end() && is_name) return {std::string(symbol), *found};
    at = std::max(end, at + 1);
  }
  return {};
}

// "n::w" for "_ZN33_INTERNAL_..._cu_1n1wE", without the part that the compiler adds per file.
std::string shown_name(const Use& use) {
  if (use.symbol == use.name) return use.name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(use.symbol.c_str(), nullptr, nullptr, &status), &std::free);
  if (text == nullptr) return use.name;
  std::string name = text.get();
  if (name.starts_with("_INTERNAL_")) name.erase(0, name.find("::") + 2);
  const auto unnamed = name.find("_GLOBAL__N_");
  if (unnamed != std::string::npos) {
    name.replace(unnamed, name.find("::", unnamed) - unnamed, "_NV_ANON_NAMESPACE");
  }
  return name;
}

struct Place {
  std::uint32_t line = 0;
  std::size_t column = 1;
};

// The first whole word `name` at or after line `line` of `source`, within the length of a
// statement; the start of `line` if it is missing, for example inside a macro.
Place place_of_word(std::string_view source, std::uint32_t line, std::string_view name) {
  constexpr std::uint32_t kLines = 8;
  for (std::uint32_t i = 0; i < kLines; ++i) {
    const auto text = line_text(source, line + i);
    for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
      const auto end = at + name.size();
      const bool is_whole =
          (at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]));
      if (is_whole) return {line + i, at + 1};
    }
    if (text.find_first_of(";{}") != std::string_view::npos) break;
  }
  return {line, 1};
}

std::string undefined_in_device_code(const SourceText& source, std::uint32_t line,
                                     std::size_t column, std::string_view name) {
  return entry_at(source.name, source.text, offset_of(source.text, line, column),
                  "error: identifier \"" + std::string(name) + "\" is undefined in device code");
}

}  // namespace

std::vector<std::string> host_constants(std::span<const SourceText> sources, ConstantKind kind) {
  std::set<std::string, std::less<>> names;
  std::set<std::string, std::less<>> of_device;
  std::set<std::string, std::less<>> mentioned;
  for (const auto& source : sources) {
    const SourceOutline outlined(source.text);
    mentioned.merge(words_of_device_code(outlined));
    for (const auto& item : outlined.items) {
      auto constants = constants_of(outlined, item);
      const bool is_array = outlined.has_word(outlined.within(item.begin, item.end), "[");
      const bool is_meant = kind == ConstantKind::kAll || is_array ||
                            constants.plain_const == nullptr || constants.is_kept_variable;
      if (is_meant) names.insert(constants.names.begin(), constants.names.end());
      if (item.kind != ItemKind::kOther || !item.is_device) continue;
      const auto part = outlined.within(item.begin, item.end);
      for (const auto& token : part) of_device.emplace(outlined.word(token));
    }
  }
  std::vector<std::string> out;
  for (const auto& name : names) {
    if (mentioned.contains(name) && !of_device.contains(name)) out.push_back(name);
  }
  return out;
}

std::string with_constexpr_constants(std::string_view text) {
  static_assert(kConstexprConst.size() == std::string_view("const").size());
  const SourceOutline source(text);
  std::string out(text);
  for (const auto& item : source.items) {
    const auto* word = constants_of(source, item).plain_const;
    if (word != nullptr) out.replace(word->begin, kConstexprConst.size(), kConstexprConst);
  }
  return out;
}

std::string uses_of_host_constants(std::string_view debug_ptx,
                                   const std::vector<std::string>& constants,
                                   std::span<const SourceText> sources) {
  std::map<std::string, std::string> entries;  // by symbol: its first use
  const auto files = numbered(debug_ptx, sources);
  const SourceText* source = nullptr;
  std::uint32_t line = 0;
  while (!debug_ptx.empty()) {
    auto text = debug_ptx.substr(0, debug_ptx.find('\n'));
    debug_ptx.remove_prefix(std::min(text.size() + 1, debug_ptx.size()));
    if (text.starts_with("\t.section")) break;  // debug information names every variable
    if (text.starts_with("\t.loc\t")) {
      text.remove_prefix(6);
      const auto file = files.find(take_number(text));
      source = file == files.end() ? nullptr : file->second;
      line = take_number(text);
    } else if (text.starts_with("\t") && source != nullptr && line != 0) {
      const auto use = use_in(text, constants);
      if (use.symbol.empty() || entries.contains(use.symbol)) continue;
      const auto place = place_of_word(source->text, line, use.name);
      entries[use.symbol] =
          undefined_in_device_code(*source, place.line, place.column, shown_name(use));
    }
  }
  std::string out;
  for (const auto& [symbol, entry] : entries) out += entry;
  return out;
}

std::string references_to_host_constants(const std::vector<std::string>& constants,
                                         std::span<const SourceText> sources) {
  std::map<std::string_view, std::string> entries;  // by name: its first use
  for (const auto& text : sources) {
    const SourceOutline source(text.text);
    for (const auto& item : source.items) {
      if (!is_device_function(item)) continue;
      const auto part = source.within(item.begin, item.end);
      for (std::size_t i = 0; i < part.size(); ++i) {
        const auto at = bound_name(source, part, i);
        if (!at) continue;
        const auto name = source.word(part[*at]);
        if (std::ranges::count(constants, name) == 0) continue;
        const bool is_qualified = source.word(part[*at - 1]) == "::";
        if (!is_qualified && may_declare(source, part, name)) continue;
        const auto offset = part[*at].begin;
        const auto line = 1 + std::ranges::count(text.text.substr(0, offset), '\n');
        const auto column = offset - text.text.rfind('\n', offset);
        entries.try_emplace(
            name, undefined_in_device_code(text, static_cast<std::uint32_t>(line), column, name));
      }
    }
  }
  std::string out;
  for (const auto& [name, entry] : entries) out += entry;
  return out;
}

namespace {

using Names = std::vector<std::string>;

template <std::size_t kCount>
bool is_one_of(std::string_view word, const std::array<std::string_view, kCount>& words) {
  return std::ranges::find(words, word) != words.end();
}

// Headers without operator functions and macros with arguments for numbers.
constexpr std::array<std::string_view, 10> kPlainHeaders = {
    "<cuda_runtime.h>", "<cuda.h>",  "<device_launch_parameters.h>",
    "<cstdio>",         "<stdio.h>", "<cstdint>",
    "<stdint.h>",       "<cstddef>", "<cassert>",
    "<assert.h>"};

constexpr std::array<std::string_view, 22> kWordsOfNumbers = {
    "const",   "constexpr", "static",  "inline",   "unsigned", "signed",  "int",    "long",
    "short",   "char",      "bool",    "float",    "double",   "size_t",  "int8_t", "uint8_t",
    "int16_t", "uint16_t",  "int32_t", "uint32_t", "int64_t",  "uint64_t"};

// The operators whose right operand is a value. `&` is not one of them: it may take an address.
constexpr std::array<std::string_view, 25> kBefore = {
    "*", "/", "%", "+",  "-",  "<<", "<",  ">",  "<=", ">=", "==",  "!=",  "^",
    "|", "~", "!", "+=", "-=", "*=", "/=", "%=", "^=", "|=", "<<=", "case"};

// The operators whose left operand is a value, unless an operator before it takes its address.
constexpr std::array<std::string_view, 13> kBehind = {"*",  "/",  "%",  "+",  "-", "<<", "<",
                                                      "<=", ">=", "==", "!=", "^", "|"};
constexpr std::array<std::string_view, 9> kOpens = {"(", "[", "{", ",",     "=",
                                                    ";", "?", ":", "return"};

// Returns false for a directive that may change what an expression means.
bool is_plain(std::string_view directive) {
  const auto words = tokens_of(directive.substr(1));
  if (words.empty()) return true;
  const auto first = directive.substr(1 + words[0].begin, words[0].end - words[0].begin);
  if (first == "pragma") return true;
  if (first != "include") return false;
  auto name = directive.substr(1 + words[0].end);
  name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
  return is_one_of(name, kPlainHeaders);
}

class UseReader {
 public:
  UseReader(const SourceText& source, const Names& constants)
      : source_(source.text), constants_(constants) {}

  bool is_clear() const {
    return std::ranges::all_of(source_.tokens,
                               [&](const Token& token) {
                                 const auto word = source_.word(token);
                                 return token.kind == TokenKind::kDirective ? is_plain(word)
                                                                            : word != "operator";
                               }) &&
           std::ranges::all_of(source_.items, [&](const Item& item) {
             const auto part = source_.within(item.begin, item.end);
             if (is_device_function(item)) return uses_values(part);
             return item.kind != ItemKind::kOther || !mentions_constant(part) ||
                    declares_numbers(part);
           });
  }

 private:
  bool is_constant(const Token& token) const {
    return token.kind == TokenKind::kWord &&
           std::ranges::find(constants_, source_.word(token)) != constants_.end();
  }
  bool mentions_constant(std::span<const Token> part) const {
    return std::ranges::any_of(part, [&](const Token& token) { return is_constant(token); });
  }
  // The word at `i`; empty outside of `part`.
  std::string_view word(std::span<const Token> part, std::size_t i) const {
    return i < part.size() ? source_.word(part[i]) : std::string_view();
  }

  // Whether `part` declares numbers with initial values that are numbers.
  bool declares_numbers(std::span<const Token> part) const {
    bool has_value = false;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto now = word(part, i);
      if (part[i].kind == TokenKind::kLiteral || part[i].kind == TokenKind::kDirective)
        return false;
      if (part[i].kind == TokenKind::kNumber || now == ";") continue;
      if (part[i].kind == TokenKind::kWord) {
        const bool is_known = is_one_of(now, kWordsOfNumbers) || is_constant(part[i]);
        if (!is_known) return false;
        continue;
      }
      if (now == "=" || now == ",") {
        has_value = now == "=";
        continue;
      }
      const bool is_arithmetic =
          has_value && std::string_view("+-*/%()").find(now) != std::string_view::npos;
      if (!is_arithmetic) return false;
    }
    return true;
  }

  bool uses_values(std::span<const Token> part) const {
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (is_constant(part[i]) && !uses_value(part, i)) return false;
    }
    return true;
  }

  // Whether the constant at `i` is used by its value.
  bool uses_value(std::span<const Token> part, std::size_t i) const {
    auto first = i;  // of its scopes
    while (first >= 2 && word(part, first - 1) == "::" &&
           part[first - 2].kind == TokenKind::kWord) {
      first -= 2;
    }
    if (first == 0) return false;
    const auto before = word(part, first - 1);
    const auto behind = word(part, i + 1);
    if (before == "[" && behind == "]") {
      return first >= 2 &&
             (part[first - 2].kind == TokenKind::kWord || word(part, first - 2) == "]");
    }
    const bool ends_argument = behind == ">" || behind == ",";
    if ((before == "<" || before == ",") && ends_argument) return false;  // perhaps of a template
    if (is_one_of(before, kBefore)) return true;
    if (behind == ">") return before == "(";
    return is_one_of(before, kOpens) && is_one_of(behind, kBehind);
  }

  SourceOutline source_;
  const Names& constants_;
};

}  // namespace

bool uses_only_values(const Names& constants, std::span<const SourceText> sources) {
  return std::ranges::all_of(
      sources, [&](const SourceText& source) { return UseReader(source, constants).is_clear(); });
}

}  // namespace warpgrade::compile

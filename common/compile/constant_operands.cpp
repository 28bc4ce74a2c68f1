// SPDX-License-Identifier: Apache-2.0
#include "common/compile/constant_operands.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "common/compile/source_outline.h"

namespace warpgrade::compile {
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

// SPDX-License-Identifier: Apache-2.0
#include "common/compile/signature.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/compile/source_outline.h"

namespace warpgrade::compile {
namespace {

using Tokens = std::vector<std::string>;

bool is_word_or_scope(char c) { return is_word(c) || c == ':'; }

// Splits into words (with ::), template arguments as part of their word, and single marks.
Tokens tokenize(std::string_view text) {
  Tokens tokens;
  for (std::size_t i = 0; i < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
      ++i;
      continue;
    }
    auto end = i;
    while (end < text.size() && is_word_or_scope(text[end])) ++end;
    if (end == i) ++end;
    if (end < text.size() && text[end] == '<' && is_word_or_scope(text[i])) {
      int depth = 0;
      do {
        depth += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
        ++end;
      } while (end < text.size() && depth > 0);
    }
    auto& token = tokens.emplace_back(text.substr(i, end - i));
    std::erase(token, ' ');
    i = end;
  }
  return tokens;
}

bool is_arithmetic_word(std::string_view word) {
  static constexpr std::array<std::string_view, 9> kWords = {
      "char", "short", "int", "long", "signed", "unsigned", "float", "double", "bool"};
  return std::ranges::find(kWords, word) != kWords.end();
}

// "unsigned int" for {unsigned}, "long" for {int, long}, "unsigned long long" in any order.
std::string arithmetic_name(const Tokens& words) {
  const auto count = [&](std::string_view word) { return std::ranges::count(words, word); };
  std::string base;
  if (count("char") != 0) {
    return count("unsigned") != 0 ? "unsigned char" : count("signed") != 0 ? "signed char" : "char";
  }
  if (count("bool") != 0) return "bool";
  if (count("float") != 0) return "float";
  if (count("double") != 0) return count("long") != 0 ? "long double" : "double";
  if (count("short") != 0) {
    base = "short";
  } else if (count("long") != 0) {
    base = count("long") > 1 ? "long long" : "long";
  } else {
    base = "int";
  }
  return count("unsigned") != 0 ? "unsigned " + base : base;
}

// Header names of arithmetic types on 64-bit Linux.
std::string resolve_alias(std::string word) {
  static const std::map<std::string, std::string> kAliases = {
      {"int8_t", "signed char"},    {"int16_t", "short"},
      {"int32_t", "int"},           {"int64_t", "long"},
      {"uint8_t", "unsigned char"}, {"uint16_t", "unsigned short"},
      {"uint32_t", "unsigned int"}, {"uint64_t", "unsigned long"},
      {"size_t", "unsigned long"},  {"uint", "unsigned int"},
      {"__half", "half"},
  };
  if (word.starts_with("std::")) word = word.substr(5);
  const auto found = kAliases.find(word);
  return found == kAliases.end() ? word : found->second;
}

bool is_restrict(std::string_view token) {
  return token == "__restrict__" || token == "__restrict" || token == "restrict";
}

// One parameter: words of the base type with const and volatile, then * and & with theirs, then an
// optional name.
std::string canonical_type(const Tokens& tokens) {
  Tokens arithmetic;
  std::string named;
  std::string qualifiers;
  std::string declarator;
  std::string level;  // qualifiers since the last * or &
  for (const auto& token : tokens) {
    const bool in_base = declarator.empty();
    if (is_restrict(token) || token == "struct" || token == "class") continue;
    if (token == "const" || token == "volatile") {
      auto& where = in_base ? qualifiers : level;
      if (where.find(token) == std::string::npos) where += " " + token;
    } else if (token == "*" || token == "&") {
      declarator += level + token;
      level.clear();
    } else if (in_base && is_arithmetic_word(token)) {
      arithmetic.push_back(token);
    } else if (in_base && named.empty() && arithmetic.empty()) {
      named = resolve_alias(token);
    } else if (!is_word_or_scope(token.front())) {
      declarator += token;  // an array or a function: kept unchanged
    }
  }
  if (qualifiers == " volatile const") qualifiers = " const volatile";
  const auto base = arithmetic.empty() ? named : arithmetic_name(arithmetic);
  // const and volatile of the parameter itself do not matter to its caller.
  return declarator.empty() ? base : base + qualifiers + declarator;
}

// Finds the start of the parameter list: the '(' that the last ')' closes; npos if there is no
// list.
std::size_t list_begin(std::string_view text) {
  const auto last = text.rfind(')');
  if (last == std::string_view::npos) return last;
  int depth = 0;
  for (auto i = last + 1; i-- > 0;) {
    depth += text[i] == ')' ? 1 : text[i] == '(' ? -1 : 0;
    if (depth == 0) return i;
  }
  return std::string_view::npos;
}

// The last word of a head such as "void w::red<(int)4>" at depth 0.
std::string last_word(std::string_view head) {
  while (!head.empty() && head.back() == ' ') head.remove_suffix(1);
  int depth = 0;
  auto begin = head.size();
  while (begin > 0) {
    const char c = head[begin - 1];
    depth += c == '>' || c == ')' ? 1 : c == '<' || c == '(' ? -1 : 0;
    if (c == ' ' && depth == 0) break;
    --begin;
  }
  std::string word(head.substr(begin));
  std::erase(word, ' ');
  return word;
}

}  // namespace

Signature parse_signature(std::string_view text) {
  const auto open = list_begin(text);
  Signature signature{last_word(text.substr(0, open)), {}};
  if (open == std::string_view::npos) return signature;
  const auto list = text.substr(open + 1, text.rfind(')') - open - 1);
  Tokens parameter;
  auto tokens = tokenize(list);
  int depth = 0;
  tokens.emplace_back(",");
  for (const auto& token : tokens) {
    depth += token == "(" ? 1 : token == ")" ? -1 : 0;
    if (token != "," || depth != 0) {
      parameter.push_back(token);
      continue;
    }
    const bool is_empty = parameter.empty() || (parameter.size() == 1 && parameter[0] == "void");
    if (!is_empty) signature.parameters.push_back(canonical_type(parameter));
    parameter.clear();
  }
  return signature;
}

std::string to_string(const Signature& signature) {
  std::string out = signature.name + "(";
  for (const auto& parameter : signature.parameters) {
    if (out.back() != '(') out += ", ";
    out += parameter;
  }
  return out + ")";
}

std::string_view base_name(std::string_view name) { return name.substr(0, name.find('<')); }

bool is_same_type(std::string_view a, std::string_view b) {
  const auto merged = [](std::string_view type) {
    std::string out(type);
    if (const auto at = out.find("long long"); at != std::string::npos) out.erase(at, 5);
    return out;
  };
  return merged(a) == merged(b);
}

std::uint32_t size_of(std::string_view type) {
  if (type.ends_with('*') || type.ends_with('&')) return 8;
  static const std::map<std::string_view, std::uint32_t> kSizes = {
      {"bool", 1},          {"char", 1},         {"signed char", 1},
      {"unsigned char", 1}, {"short", 2},        {"unsigned short", 2},
      {"int", 4},           {"unsigned int", 4}, {"float", 4},
      {"double", 8},        {"long", 8},         {"unsigned long", 8},
      {"half", 2},          {"long long", 8},    {"unsigned long long", 8},
  };
  const auto found = kSizes.find(type);
  return found == kSizes.end() ? 0 : found->second;
}

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  // Names without the prefix are extern "C", although some ("i", "f") would demangle as types.
  return status == 0 && name.starts_with("_Z") ? to_string(parse_signature(text.get())) : name;
}

}  // namespace warpgrade::compile

// SPDX-License-Identifier: Apache-2.0
#include "common/compile/nvcc_rules.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>

#include "common/compile/source_outline.h"

namespace warpgrade::compile {
namespace {

std::string entry_at(const std::string& name, std::string_view source, std::size_t offset,
                     const std::string& message) {
  const auto before = source.substr(0, offset);
  const auto line = static_cast<std::uint32_t>(std::ranges::count(before, '\n')) + 1;
  return error_entry(name, source, line, offset - (before.rfind('\n') + 1) + 1, message);
}

// Index behind the template arguments at `at`, or `at` itself; nothing if they are not closed.
std::optional<std::size_t> skip_template_arguments(const SourceOutline& source,
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
std::set<std::string_view> names_of_kernels(const SourceOutline& source) {
  std::set<std::string_view> kernels;
  std::set<std::string_view> others;
  for (const auto& item : source.items) {
    const auto head = source.within(item.begin, item.head_end);
    const bool is_kernel = item.kind == ItemKind::kFunction && source.has_word(head, "__global__");
    (is_kernel ? kernels : others).insert(item.name);
  }
  for (const auto& token : source.tokens) {  // a macro may have a kernel's name
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

// Whether the word before a name permits a call: `return f(x)`, but not `float f(x)`.
bool can_be_before_call(const Token& token, std::string_view word) {
  static constexpr std::array<std::string_view, 3> kStatements = {"return", "else", "do"};
  static constexpr std::array<std::string_view, 5> kOther = {".", "->", "::", "&", "*"};
  if (token.kind == TokenKind::kWord) return std::ranges::count(kStatements, word) != 0;
  return std::ranges::count(kOther, word) == 0;
}

}  // namespace

std::string kernel_called_as_function(std::string_view text, const std::string& name) {
  const SourceOutline source(text);
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
      if (!follows || is_parameter) shadowed.insert(word);  // a variable or member of that name
    }
  }
  return {};
}

}  // namespace warpgrade::compile

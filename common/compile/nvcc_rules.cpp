// SPDX-License-Identifier: Apache-2.0
#include "common/compile/nvcc_rules.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>

#include "common/compile/log_entries.h"
#include "common/compile/source_outline.h"

namespace warpgrade::compile {
namespace {

// Index after the template arguments at `at`, or `at` itself; nothing if they are not closed.
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

// Number of the arguments or parameters in the parentheses at `open`; nothing if they do not end.
std::optional<std::size_t> number_of_arguments(const SourceOutline& source,
                                               std::span<const Token> part, std::size_t open) {
  int depth = 0;
  std::size_t commas = 0;
  for (auto i = open; i < part.size(); ++i) {
    const auto word = source.word(part[i]);
    if (word == "<" || word == ">") return std::nullopt;  // a template, or a comparison
    if (word == "(" || word == "[" || word == "{") ++depth;
    if (word == ")" || word == "]" || word == "}") --depth;
    if (depth == 1 && word == ",") ++commas;
    if (depth == 0) return i == open + 1 ? 0 : commas + 1;
  }
  return std::nullopt;
}

// Number of the parameters of the kernel `name`; nothing if that is not clear.
std::optional<std::size_t> number_of_parameters(const SourceOutline& source,
                                                std::string_view name) {
  std::optional<std::size_t> found;
  for (const auto& item : source.items) {
    if (item.kind != ItemKind::kFunction || item.name != name) continue;
    const auto head = source.within(item.begin, item.head_end);
    if (source.has_word(head, "template") || source.has_word(head, "=")) return std::nullopt;
    const auto at =
        std::ranges::find_if(head, [&](const Token& token) { return source.word(token) == name; });
    const auto count = number_of_arguments(source, head, (at - head.begin()) + std::size_t{1});
    if (!count || (found && *found != *count)) return std::nullopt;
    found = count;
  }
  return found;
}

// Functions of CUDA that exist only on the device, according to nvcc 13.0's headers.
bool is_function_of_device(std::string_view word) {
  static constexpr std::array<std::string_view, 16> kDeviceNames = {
      "__syncthreads", "__syncwarp", "__ballot_sync", "__any_sync",   "__all_sync", "__clz",
      "__popc",        "__ffs",      "__brev",        "__expf",       "__fdividef", "__sinf",
      "__cosf",        "__logf",     "__powf",        "__threadfence"};
  return word.starts_with("__shfl_") || std::ranges::count(kDeviceNames, word) != 0;
}

bool is_for_both(const SourceOutline& source, const Item& item) {
  const auto head = source.within(item.begin, item.head_end);
  const auto whole = source.within(item.begin, item.end);
  return is_device_function(item) && !item.is_member && source.has_word(head, "__host__") &&
         source.has_word(head, "__device__") && !source.has_word(head, "template") &&
         !source.has_word(head, "auto") && std::ranges::none_of(whole, [](const Token& token) {
           return token.kind == TokenKind::kDirective;
         });
}

// Device-only functions whose names mean nothing else in the file.
std::set<std::string_view> names_for_device_alone(const SourceOutline& source) {
  std::set<std::string_view> names;
  std::set<std::string_view> others;
  for (const auto& item : source.items) {
    const auto head = source.within(item.begin, item.head_end);
    const bool is_alone = item.kind == ItemKind::kFunction && !item.is_member &&
                          source.has_word(head, "__device__") &&
                          !source.has_word(head, "__host__") && !source.has_word(head, "template");
    (is_alone ? names : others).insert(item.name);
  }
  for (const auto name : others) names.erase(name);
  return names;
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
        return entry_at(name, text, body[i].begin,
                        "error: a __global__ function call must be configured");
      }
      if (!follows || is_parameter) shadowed.insert(word);  // a variable or member of that name
    }
  }
  return {};
}

std::string kernel_called_by_host(std::string_view text, const std::string& name) {
  const SourceOutline source(text);
  if (source.has_word(source.tokens, "using")) return {};  // It may add a function of that name.
  const auto kernels = names_of_kernels(source);
  for (const auto& item : source.items) {
    const bool is_of_host = item.kind == ItemKind::kFunction && !item.is_device &&
                            !item.looks_device && !item.is_member && item.head_end < item.end;
    if (!is_of_host) continue;
    const auto head = source.within(item.begin, item.head_end);
    const auto body = source.within(item.head_end, item.end);
    for (std::size_t i = 1; i + 1 < body.size(); ++i) {
      const auto word = source.word(body[i]);
      if (!kernels.contains(word) || source.has_word(head, word)) continue;
      if (!can_be_before_call(body[i - 1], source.word(body[i - 1]))) break;
      const bool is_statement = source.word(body[i - 1]) == ";" ||
                                source.word(body[i - 1]) == "{" || source.word(body[i - 1]) == "}";
      if (!is_statement || source.word(body[i + 1]) != "(") continue;
      const auto count = number_of_arguments(source, body, i + 1);
      if (count && count == number_of_parameters(source, word)) {
        return entry_at(name, text, body[i].begin,
                        "error: a __global__ function call must be configured");
      }
    }
  }
  return {};
}

std::string inline_device_variable(std::string_view text, const std::string& name) {
  const SourceOutline source(text);
  for (const auto& item : source.items) {
    const auto part = source.within(item.begin, item.end);
    const bool is_inline = item.kind == ItemKind::kOther && item.is_device && !item.is_member &&
                           source.has_word(part, "inline") && !source.has_word(part, "static");
    const bool has_space = source.has_word(part, "__device__") ||
                           source.has_word(part, "__constant__") ||
                           source.has_word(part, "__managed__");
    if (!is_inline || !has_space) continue;
    const auto before = source.within(0, item.begin);
    for (std::size_t i = 0; i + 1 < before.size(); ++i) {  // `namespace {`
      const bool is_unnamed =
          source.word(before[i]) == "namespace" && source.word(before[i + 1]) == "{";
      if (is_unnamed) return {};
    }
    return entry_at(
        name, text, item.begin,
        "error: An inline __device__/__constant__/__managed__ variable must have internal "
        "linkage when the program is compiled in whole program mode (-rdc=false); put "
        "static in the place of inline");
  }
  return {};
}

std::string device_function_called_by_both(std::string_view text, const std::string& name) {
  const SourceOutline source(text);
  const auto own = names_for_device_alone(source);
  for (const auto& item : source.items) {
    if (!is_for_both(source, item)) continue;
    const auto head = source.within(item.begin, item.head_end);
    const auto body = source.within(item.head_end, item.end);
    for (std::size_t i = 1; i + 1 < body.size(); ++i) {
      const auto word = source.word(body[i]);
      const bool is_meant = own.contains(word) || is_function_of_device(word);
      if (!is_meant || source.word(body[i + 1]) != "(" || source.has_word(head, word)) continue;
      if (!can_be_before_call(body[i - 1], source.word(body[i - 1]))) break;
      return entry_at(name, text, body[i].begin,
                      "error: calling a __device__ function(\"" + std::string(word) +
                          "\") from a __host__ __device__ function(\"" + item.name +
                          "\") is not allowed; take __host__ away, or call it inside #ifdef "
                          "__CUDA_ARCH__");
    }
  }
  return {};
}

std::string extended_lambda(std::string_view text, const std::string& name) {
  const SourceOutline source(text);
  int conditions = 0;
  for (std::size_t i = 0; i + 1 < source.tokens.size(); ++i) {
    const auto& token = source.tokens[i];
    if (token.kind == TokenKind::kDirective) {
      const auto inside = text.substr(token.begin + 1, token.end - token.begin - 1);
      const auto words = tokens_of(inside);
      if (words.empty()) continue;
      const auto word = inside.substr(words[0].begin, words[0].end - words[0].begin);
      if (word.starts_with("if")) ++conditions;
      if (word == "endif") --conditions;
      continue;
    }
    const auto next = source.word(source.tokens[i + 1]);
    const bool is_space = next == "__device__" || next == "__host__";
    const bool is_attribute = i > 0 && source.word(source.tokens[i - 1]) == "]";  // [[nodiscard]]
    if (conditions > 0 || !is_space || is_attribute || source.word(token) != "]") continue;
    return entry_at(
        name, text, source.tokens[i + 1].begin,
        "error: __host__ or __device__ annotation on lambda requires --extended-lambda nvcc "
        "flag; a lambda inside device code needs no annotation, and a functor with "
        "__device__ operator() can be passed from the host");
  }
  return {};
}

}  // namespace warpgrade::compile

// SPDX-License-Identifier: Apache-2.0
#include "common/compile/instances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/compile/directives.h"
#include "common/compile/source_outline.h"

namespace warpgrade::compile {
namespace {

std::string_view last_name(std::string_view name) {
  const auto at = name.rfind(':');
  return at == std::string_view::npos ? name : name.substr(at + 1);
}

// The tokens of a source, for lists in angle brackets.
class Lists {
 public:
  explicit Lists(std::string_view text) : text_(text), tokens_(tokens_of(text)) {}

  std::size_t size() const { return tokens_.size(); }
  std::string_view word(std::size_t i) const {
    if (i >= tokens_.size()) return {};
    return word_of(tokens_[i], text_);
  }

  // The token behind the ">" that closes the "<" at `open`; nullopt if the list has no end nearby.
  std::optional<std::size_t> behind(std::size_t open) const {
    constexpr std::size_t kMostTokens = 64;
    int angle = 0;
    int round = 0;
    for (auto i = open; i < std::min(size(), open + kMostTokens); ++i) {
      const auto here = word(i);
      if (here == ";" || here == "{" || here == "}") return std::nullopt;
      if (here == "(") ++round;
      if (here == ")" && round-- == 0) return std::nullopt;
      if (here == "<" && round == 0) ++angle;
      if (here == ">" && round == 0 && --angle == 0) return i + 1;
    }
    return std::nullopt;
  }

  // The texts between commas of the list [open, end) in angle brackets.
  std::vector<std::string> parts(std::size_t open, std::size_t end) const {
    std::vector<std::string> out;
    int depth = 0;
    for (auto i = open + 1; i + 1 < end; ++i) {
      const auto here = word(i);
      if (out.empty()) out.emplace_back();
      if (here == "," && depth == 0) {
        out.emplace_back();
        continue;
      }
      depth += here == "<" || here == "(" ? 1 : here == ">" || here == ")" ? -1 : 0;
      auto& part = out.back();
      const bool needs_blank = !part.empty() && is_word(part.back()) && is_word(here.front());
      part += (needs_blank ? " " : "") + std::string(here);
    }
    return out;
  }

  // The number that a constant of the source has: 256 of `const int kThreads = 256;`. nullopt
  // without one, or if two constants have the name.
  std::optional<std::string> constant(std::string_view name) const {
    std::optional<std::string> out;
    for (std::size_t i = 0; i + 3 < size(); ++i) {
      if (word(i) != name || word(i + 1) != "=" || word(i + 3) != ";") continue;
      if (tokens_[i + 2].kind != TokenKind::kNumber || !is_constant(i)) continue;
      if (out && *out != word(i + 2)) return std::nullopt;
      out = word(i + 2);
    }
    return out;
  }

 private:
  bool is_constant(std::size_t i) const {
    for (; i > 0; --i) {
      const auto before = word(i - 1);
      if (before == "const" || before == "constexpr") return true;
      if (before == ";" || before == "{" || before == "}") return false;
    }
    return false;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
};

// The parameters of the template that is the kernel `name`: {"typename T", "int N = 4"}. nullopt if
// the source has no such template.
std::optional<std::vector<std::string>> template_parameters(const Lists& lists,
                                                            std::string_view name) {
  for (std::size_t i = 0; i + 1 < lists.size(); ++i) {
    if (lists.word(i) != "template" || lists.word(i + 1) != "<") continue;
    const auto behind = lists.behind(i + 1);
    if (!behind) continue;
    for (auto at = *behind; at + 1 < lists.size(); ++at) {
      const auto here = lists.word(at);
      if (here == ";" || here == "{" || here == "}" || here == "template") break;
      if (here == name && lists.word(at + 1) == "(") return lists.parts(i + 1, *behind);
    }
  }
  return std::nullopt;
}

bool is_kernel_template(const Declaration& one) {
  return one.is_global && one.is_template && one.is_definition;
}

}  // namespace

bool is_name_expression(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_:<>,()*& -").find(c) != std::string_view::npos;
  });
}

std::vector<std::string> named_instances(std::string_view source, std::string_view name) {
  const Lists lists(source);
  const auto plain = last_name(name);
  std::vector<std::string> out;
  for (std::size_t i = 0; i + 1 < lists.size(); ++i) {
    if (lists.word(i) != plain || lists.word(i + 1) != "<") continue;
    const auto behind = lists.behind(i + 1);
    if (!behind) continue;
    const auto next = lists.word(*behind);
    const bool is_named = next == "<<<" || next == "," || next == ")" || next == ";" || next == "(";
    if (!is_named) continue;
    std::string instance;
    for (const auto& part : lists.parts(i + 1, *behind)) {
      instance += (instance.empty() ? "" : ", ") + lists.constant(part).value_or(part);
    }
    instance = fmt::format("{}<{}>", name, instance);
    if (!is_name_expression(instance)) continue;
    if (std::ranges::find(out, instance) == out.end()) out.push_back(std::move(instance));
  }
  if (!out.empty()) return out;
  const auto parameters = template_parameters(lists, plain);
  const auto has_default = [](const std::string& one) {
    return one.find('=') != std::string::npos || one.find("...") != std::string::npos;
  };
  if (parameters && !parameters->empty() && std::ranges::all_of(*parameters, has_default)) {
    out.push_back(fmt::format("{}<>", name));
  }
  return out;
}

std::string example_instance(std::string_view source, std::string_view name) {
  std::string out;
  const auto parameters = template_parameters(Lists(source), last_name(name));
  for (const auto& one : parameters.value_or(std::vector<std::string>{"int N"})) {
    const bool is_type = one.starts_with("typename") || one.starts_with("class");
    out += (out.empty() ? "" : ", ");
    out += is_type ? "float" : one.starts_with("bool") ? "true" : "4";
  }
  return fmt::format("{}<{}>", name, out);
}

std::vector<std::string> instances_for(std::string_view source,
                                       const std::vector<std::string>& kernels) {
  std::vector<std::string> out;
  const auto declarations = find_declarations(source);
  const auto add_only_instance = [&](const std::string& name) {
    auto named = named_instances(source, name);
    if (named.size() == 1) out.push_back(std::move(named.front()));
  };
  for (const auto& kernel : kernels) {
    if (kernel.find('<') != std::string::npos) {
      out.push_back(kernel);
      continue;
    }
    const auto plain = last_name(std::string_view(kernel).substr(0, kernel.find('(')));
    const auto is_called = [&](const Declaration& one) { return one.name == plain; };
    const bool has_template = std::ranges::any_of(declarations, [&](const Declaration& one) {
      return is_called(one) && is_kernel_template(one);
    });
    const bool has_plain = std::ranges::any_of(declarations, [&](const Declaration& one) {
      return is_called(one) && one.is_global && !one.is_template;
    });
    if (has_template && !has_plain) add_only_instance(kernel);
  }
  if (!kernels.empty()) return out;
  for (const auto& one : declarations) {
    if (is_kernel_template(one)) add_only_instance(one.name);
  }
  return out;
}

}  // namespace warpgrade::compile

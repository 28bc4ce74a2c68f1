// SPDX-License-Identifier: Apache-2.0
#include "common/compile/host_macros.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "common/compile/host_macro_texts.h"
#include "common/compile/tokens.h"
#include "common/compile/words.h"

namespace warpgrade::compile {
namespace {

constexpr std::string_view kText = base::embedded(kMacroTexts, "host_macros.txt").text;
constexpr std::string_view kOfCpp20 = "// Changes for -std=c++20\n";
constexpr std::string_view kCounter = "__COUNTER__";

// The toolkit's headers may use this one (cuda::std::source_location), so it has no stand-in.
constexpr std::string_view kBuiltinFile = "#define __builtin_FILE() \"kernel.cu\"\n";

// NVRTC's own definition, except that its __FILE__ is the absolute path in a header.
constexpr std::string_view kAssert =
    "#ifndef NDEBUG\n#undef assert\n"
    "#define assert(e) ((e) ? static_cast<void>(0) : __assertfail(#e, \"kernel.cu\", __LINE__, "
    "__PRETTY_FUNCTION__, sizeof(char)))\n#endif\n";

// Directives whose words are not those of the language.
bool has_other_words(std::string_view directive) {
  static constexpr auto kDirectives = std::to_array<std::string_view>(
      {"include", "include_next", "import", "pragma", "error", "warning", "line", "ident"});
  return std::ranges::count(kDirectives, directive) != 0;
}

std::string stand_in(std::string_view name) {
  std::string out(name);
  const auto last =
      std::find_if(out.rbegin(), out.rend(), [](unsigned char c) { return std::isalpha(c) != 0; });
  const auto letter = static_cast<unsigned char>(*last);
  *last =
      static_cast<char>(std::isupper(letter) != 0 ? std::tolower(letter) : std::toupper(letter));
  return out;
}

// `text` with each word replaced by `on_word(word)`, or kept if that is empty.
template <typename OnWord>
std::string with_words(std::string_view text, OnWord on_word) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    auto end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    const auto word = text.substr(at, std::max(end, at + 1) - at);
    const std::string_view other = end > at ? on_word(word) : std::string_view();
    out += other.empty() ? word : other;
    at += word.size();
  }
  return out;
}

std::string_view value_or_empty(const std::map<std::string, std::string, std::less<>>& map,
                                std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace

HostMacros::HostMacros() {
  for (auto rest = kText; !rest.empty();) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    for (const std::string_view directive : {"#define ", "#undef "}) {
      if (!line.starts_with(directive)) continue;
      auto name = line.substr(directive.size());
      name = name.substr(
          0, static_cast<std::size_t>(std::ranges::find_if_not(name, is_word) - name.begin()));
      names_.emplace(stand_in(name), name);
      stand_ins_.emplace(name, stand_in(name));
    }
  }
}

std::string HostMacros::with_stand_ins(std::string_view lines) const {
  return with_words(lines, [&](std::string_view word) { return value_or_empty(stand_ins_, word); });
}

std::string HostMacros::header(bool is_cpp20) const {
  const auto common = kText.substr(0, kText.find(kOfCpp20));
  auto out = "#pragma once\n" + with_stand_ins(common).append(kBuiltinFile).append(kAssert);
  if (is_cpp20) out += with_stand_ins(kText.substr(common.size()));
  return out;
}

std::string HostMacros::replace(std::string text) const {
  const std::string original = text;
  const std::string_view view = original;
  std::uint32_t counter = 0;
  // `on_counter` is the text in place of __COUNTER__.
  const auto put = [&](std::size_t begin, std::size_t end, auto on_counter) {
    const auto word = view.substr(begin, end - begin);
    auto other = std::string(value_or_empty(stand_ins_, word));
    if (other.empty()) return;
    if (word == kCounter) other = on_counter(other);
    other.resize(word.size(), ' ');
    text.replace(begin, word.size(), other);
  };
  for (const auto& token : tokens_of(view)) {
    if (token.kind == TokenKind::kWord) {
      put(token.begin, token.end, [&](const std::string&) { return std::to_string(counter++); });
    }
    if (token.kind != TokenKind::kDirective) continue;
    const auto first = token.begin + 1;
    const auto inside = view.substr(first, token.end - first);
    std::string_view directive;
    for (const auto& part : tokens_of(inside)) {
      if (part.kind != TokenKind::kWord) continue;
      if (directive.empty()) directive = inside.substr(part.begin, part.end - part.begin);
      if (has_other_words(directive)) break;
      put(first + part.begin, first + part.end, [&](const std::string& other) {
        return directive == "define" ? std::string("__LINE__") : other;
      });
    }
  }
  return text;
}

std::string HostMacros::restore(std::string_view log) const {
  return with_words(log, [&](std::string_view word) { return value_or_empty(names_, word); });
}

}  // namespace warpgrade::compile

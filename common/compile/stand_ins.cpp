// SPDX-License-Identifier: Apache-2.0
// Replaces names that NVRTC does not accept by stand-ins of the same length.
//
// Two kinds of names need them: identifiers with non-ASCII letters, and the macros that nvcc
// predefines (host_macros.txt) and NVRTC does not. In: the submission's text. Out: the text with
// stand-ins, and the compiler's log with the original names. Lines and columns do not change.
#include "common/compile/stand_ins.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/utf8.h"
#include "common/compile/host_macro_texts.h"
#include "common/compile/source_outline.h"

namespace warpgrade::compile {
namespace {

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// Non-ASCII characters that C++17 permits in identifiers: the table [charname.allowed] of the
// standard, up to the end of plane 0, without characters that redirect or hide text, so that a name
// cannot forge a report. Quotation marks and operators are not included.
struct Range {
  std::uint32_t first;
  std::uint32_t last;
};
constexpr auto kAllowed = std::to_array<Range>({
    {0xA8, 0xA8},     {0xAA, 0xAA},     {0xAF, 0xAF},     {0xB2, 0xB5},     {0xB7, 0xBA},
    {0xBC, 0xBE},     {0xC0, 0xD6},     {0xD8, 0xF6},     {0xF8, 0x167F},   {0x1681, 0x180D},
    {0x180F, 0x1FFF}, {0x203F, 0x2040}, {0x2054, 0x2054}, {0x2070, 0x218F}, {0x2460, 0x24FF},
    {0x2776, 0x2793}, {0x2C00, 0x2DFF}, {0x2E80, 0x2FFF}, {0x3004, 0x3007}, {0x3021, 0x302F},
    {0x3031, 0xD7FF}, {0xF900, 0xFD3D}, {0xFD40, 0xFDCF}, {0xFDF0, 0xFE44}, {0xFE47, 0xFFFD},
});

bool may_be_identifier(std::string_view word) {
  while (!word.empty()) {
    if (is_ascii(word.front())) {
      word.remove_prefix(1);
      continue;
    }
    const auto length = std::max(base::utf8_length(word), std::size_t{1});
    const auto value = base::first_code_point(word, length);
    const auto holds = [&](const Range& range) {
      return range.first <= value && value <= range.last;
    };
    if (value < 0x10000 && std::ranges::none_of(kAllowed, holds)) return false;
    word.remove_prefix(length);
  }
  return true;
}

bool is_all_ascii(std::string_view text) { return std::ranges::all_of(text, is_ascii); }

using OnWord = std::function<void(std::size_t begin, std::size_t end)>;

// Calls `on_word` for each word of `text` outside comments and literals, including words in
// directives.
void for_each_word(std::string_view text, const OnWord& on_word, std::size_t base = 0) {
  for (const auto& token : tokens_of(text)) {
    if (token.kind == TokenKind::kWord) on_word(base + token.begin, base + token.end);
    if (token.kind == TokenKind::kDirective) {
      const auto inside = text.substr(token.begin + 1, token.end - token.begin - 1);
      for_each_word(inside, on_word, base + token.begin + 1);
    }
  }
}

}  // namespace

std::string AsciiNames::replace(std::string text) {
  if (is_all_ascii(text)) return text;
  std::vector<std::pair<std::size_t, std::size_t>> foreign;
  const std::string_view view = text;
  for_each_word(view, [&](std::size_t begin, std::size_t end) {
    const auto word = view.substr(begin, end - begin);
    words_.emplace(word);
    if (!is_all_ascii(word) && may_be_identifier(word)) foreign.emplace_back(begin, end);
  });
  for (const auto& [begin, end] : foreign) {
    text.replace(begin, end - begin, name_for(text.substr(begin, end - begin)));
  }
  return text;
}

const std::string& AsciiNames::name_for(const std::string& identifier) {
  const auto known = ascii_.find(identifier);
  if (known != ascii_.end()) return known->second;
  // The foreign bytes count up as digits in base 26 until the name is free.
  for (std::size_t number = 0;; ++number) {
    auto name = identifier;
    auto rest = number;
    for (auto& c : name) {
      if (is_ascii(c)) continue;
      c = static_cast<char>('a' + (rest + 16) % 26);
      rest /= 26;
    }
    if (words_.contains(name) || original_.contains(name)) continue;
    original_[name] = identifier;
    return ascii_[identifier] = name;
  }
}

std::string AsciiNames::restore(std::string log) const {
  if (original_.empty()) return log;
  for (std::size_t at = 0; at < log.size();) {
    auto end = at;
    while (end < log.size() && is_word(log[end])) ++end;
    if (const auto found = original_.find(log.substr(at, end - at)); found != original_.end()) {
      log.replace(at, end - at, found->second);
    }
    at = std::max(end, at + 1);
  }
  return log;
}

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

// The values of __COUNTER__, and of the macros of a file that stand for it. `#define NEXT
// __COUNTER__` has a number for each use; a use of another macro counts each __COUNTER__ in it.
class Counter {
 public:
  // The number in place of this use of `word`, or empty.
  std::string use(std::string_view word) {
    const auto found = macros_.find(word);
    if (found == macros_.end()) return {};
    const auto value = next_;
    next_ += found->second.count;
    return found->second.is_number ? std::to_string(value) : std::string();
  }

  // `parts` are the tokens of a #define or #undef without its first character. Inside of an #if the
  // macro stays the compiler's, because nobody knows here whether the branch is read.
  void define(std::string_view directive, const std::vector<Token>& parts, bool is_in_branch) {
    if (parts.size() < 2) return;
    Macro macro;
    bool is_number = !directive.substr(parts[1].end).starts_with('(');
    for (std::size_t i = 2; i < parts.size() && !is_in_branch; ++i) {
      const auto part = word_of(parts[i], directive);
      const auto found = macros_.find(part);
      const bool is_known = found != macros_.end();
      if (is_known) macro.count += found->second.count;
      is_number &= part == "(" || part == ")" || (is_known && found->second.is_number);
    }
    macro.is_number = is_number && macro.count == 1;
    macros_.insert_or_assign(std::string(word_of(parts[1], directive)), macro);
  }

 private:
  struct Macro {
    std::uint32_t count = 0;  // of __COUNTER__ in it
    bool is_number = false;   // It is one __COUNTER__, maybe in parentheses.
  };

  std::map<std::string, Macro, std::less<>> macros_{{std::string(kCounter), {1, true}}};
  std::uint32_t next_ = 0;
};

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
  Counter counter;
  int depth = 0;          // of #if
  std::size_t shift = 0;  // by numbers that are longer than their names
  const auto put = [&](const Token& token, std::size_t base, std::string other) {
    const auto size = token.end - token.begin;
    if (other.empty()) return;
    other.resize(std::max(other.size(), size), ' ');
    text.replace(base + token.begin + shift, size, other);
    shift += other.size() - size;
  };
  const auto counted = [&](std::string_view word) {
    auto number = counter.use(word);
    return number.empty() ? std::string(value_or_empty(stand_ins_, word)) : number;
  };
  for (const auto& token : tokens_of(view)) {
    if (token.kind == TokenKind::kWord) put(token, 0, counted(word_of(token, view)));
    if (token.kind != TokenKind::kDirective) continue;
    const auto inside = word_of(token, view).substr(1);
    const auto parts = tokens_of(inside);
    std::string_view directive;
    std::string_view last;
    for (const auto& part : parts) {
      if (part.kind != TokenKind::kWord) continue;
      const auto word = word_of(part, inside);
      if (directive.empty()) directive = word;
      if (has_other_words(directive)) break;
      const bool is_value = (directive == "if" || directive == "elif") && last != "defined";
      last = word;
      auto other = is_value ? counted(word) : std::string(value_or_empty(stand_ins_, word));
      if (directive == "define" && word == kCounter) other = "__LINE__";
      put(part, token.begin + 1, std::move(other));
    }
    if (directive.starts_with("if")) ++depth;
    if (directive == "endif") --depth;
    if (directive == "define" || directive == "undef") counter.define(inside, parts, depth > 0);
  }
  return text;
}

std::string HostMacros::restore(std::string_view log) const {
  return with_words(log, [&](std::string_view word) { return value_or_empty(names_, word); });
}

}  // namespace warpgrade::compile

// SPDX-License-Identifier: Apache-2.0
#include "common/compile/ascii_names.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "common/base/utf8.h"
#include "common/compile/tokens.h"
#include "common/compile/words.h"

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

}  // namespace warpgrade::compile

// SPDX-License-Identifier: Apache-2.0
#include "common/compile/source_outline.h"

#include <algorithm>

namespace warpgrade::compile {

SourceOutline::SourceOutline(std::string_view source) : text(source), tokens(tokens_of(source)) {
  Macros macros;
  add_macros(text, tokens, macros);
  items = outline(text, tokens, macros);
}

std::span<const Token> SourceOutline::within(std::size_t begin, std::size_t end) const {
  const auto first = std::ranges::lower_bound(tokens, begin, {}, &Token::begin);
  const auto last = std::ranges::lower_bound(tokens, end, {}, &Token::begin);
  return {first, last};
}

bool SourceOutline::has_word(std::span<const Token> part, std::string_view wanted) const {
  return std::ranges::any_of(part, [&](const Token& token) { return word(token) == wanted; });
}

bool is_device_function(const Item& item) {
  return item.kind == ItemKind::kFunction && item.is_device && item.head_end < item.end;
}

std::string_view line_text(std::string_view source, std::uint32_t number) {
  for (; number > 1 && !source.empty(); --number) {
    source.remove_prefix(std::min(source.find('\n'), source.size() - 1) + 1);
  }
  return source.substr(0, source.find('\n'));
}

}  // namespace warpgrade::compile

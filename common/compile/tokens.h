// SPDX-License-Identifier: Apache-2.0
// A C++ source as the tokens that its shape depends on: words, punctuators, and what must not be
// taken for either (literals, comments, directives).
//
// It is no preprocessor: macros are not expanded, every branch of an #if is read, and a backslash
// at the end of a line is space between tokens, so that it may cut a word in two. A literal that
// has no end ends with its line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpgrade::compile {

enum class TokenKind : std::uint8_t {
  kWord,        ///< An identifier or keyword.
  kNumber,      ///< `1'000.5e-3f`
  kLiteral,     ///< A string or character with its prefix, raw strings too.
  kPunctuator,  ///< One character, or `::`, `->`, `<<<`, and operators that hold a `=` or a `<`.
  kDirective,   ///< From `#` to the last character of its logical line.
};

struct Token {
  TokenKind kind{};
  std::size_t begin = 0;
  std::size_t end = 0;  ///< One past its last byte.
};

/// The tokens of `text` in its order; comments are none.
std::vector<Token> tokens_of(std::string_view text);

}  // namespace warpgrade::compile

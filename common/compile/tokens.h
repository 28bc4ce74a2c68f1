// SPDX-License-Identifier: Apache-2.0
// The tokens of a C++ source that determine its shape: words, punctuators, and text that must not
// be mistaken for either (literals, comments, directives).
//
// This is not a preprocessor: macros are not expanded, every branch of an #if is read, and a
// backslash at the end of a line is space between tokens, so it may split a word. A literal without
// an end ends with its line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpgrade::compile {

enum class TokenKind : std::uint8_t {
  kWord,        ///< An identifier or keyword.
  kNumber,      ///< `1'000.5e-3f`
  kLiteral,     ///< A string or character with its prefix, including raw strings.
  kPunctuator,  ///< One character, or `::`, `->`, `<<<`, and operators that contain `=` or `<`.
  kDirective,   ///< From `#` to the last character of its logical line.
};

struct Token {
  TokenKind kind{};
  std::size_t begin = 0;
  std::size_t end = 0;  ///< One past its last byte.
};

/// The tokens of `text` in order, without comments.
std::vector<Token> tokens_of(std::string_view text);

}  // namespace warpgrade::compile

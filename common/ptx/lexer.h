// SPDX-License-Identifier: Apache-2.0
// Splits PTX text into tokens: words, dotted words, numbers, strings and punctuation.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpgrade::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    kWord,    ///< name, %r1, $L__BB0_2
    kDot,     ///< .global, .L2::128B; text includes the dot
    kNumber,  ///< 12, 0x1F, 0f3F800000, 1.5, 12U
    kString,  ///< "text", without the quotes
    kPunct,   ///< one of { } [ ] ( ) < > , ; : @ ! | + - * / = & ^ ~ ? #
    kEnd,
  };
  Kind kind{};
  std::string_view text;
  std::uint32_t line = 0;  ///< 1-based.
};

/// Tokens of `text`, which must outlive them; the last one is kEnd. Comments are dropped. Throws
/// base::ToolError with the line of an invalid character, an unclosed string or comment, or
/// brackets nested more than 256 deep.
std::vector<Token> tokenize(std::string_view text);

}  // namespace warpgrade::ptx

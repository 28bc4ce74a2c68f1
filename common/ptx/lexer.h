// SPDX-License-Identifier: Apache-2.0
// Splits PTX text into tokens, and walks through them.
//
// In: the text of a module. Out: words, dotted words, numbers, strings and punctuation, each with
// its place, and a cursor with the basic operations of a recursive-descent parser. An error names
// the line.
#pragma once

#include <algorithm>
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

// A position in a list of tokens, with the basic operations of a recursive-descent parser.

class TokenCursor {
 public:
  explicit TokenCursor(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
  }
  const Token& next();
  bool at(std::string_view text) const { return peek().text == text && !at_string(); }
  bool at_end() const { return peek().kind == Token::Kind::kEnd; }
  /// Consumes the next token if it is `text`.
  bool accept(std::string_view text);
  /// Consumes the next token, which must be `text`.
  void expect(std::string_view text);
  /// Consumes the next token, which must be a word (a name).
  std::string_view expect_word(std::string_view what);
  /// Consumes an integer with an optional sign: 12, -4, 0x1F, 012, 0b11, 12U.
  std::int64_t expect_integer();
  /// Skips past the next `;` of this nesting level.
  void skip_statement();
  /// Skips a { ... } with all its contents; the cursor must be at the `{`.
  void skip_braces();

  [[noreturn]] void fail(std::string_view what) const;

 private:
  bool at_string() const { return peek().kind == Token::Kind::kString; }

  std::vector<Token> tokens_;
  std::size_t position_ = 0;
};

/// The value of an integer token; throws base::ToolError if it is not one or exceeds 64 bits.
std::uint64_t integer_value(const Token& token);

}  // namespace warpgrade::ptx

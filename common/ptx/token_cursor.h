// SPDX-License-Identifier: Apache-2.0
// A position in a list of tokens, with the basic operations of a recursive-descent parser.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/ptx/lexer.h"

namespace warpgrade::ptx {

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

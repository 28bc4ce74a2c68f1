// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/base/error.h"

namespace warpgrade::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
bool is_word(char c) { return is_word_start(c) || is_digit(c); }

// Limit on nested brackets, which is also the parser's recursion depth. No compiler gets close.
constexpr std::uint32_t kMostNested = 256;

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    tokens_.reserve(text_.size() / 4);
    while (skip_blank()) scan();
    tokens_.push_back({Token::Kind::kEnd, {}, line_});
    return std::move(tokens_);
  }

 private:
  char at(std::size_t offset) const {
    return position_ + offset < text_.size() ? text_[position_ + offset] : '\0';
  }

  [[noreturn]] void fail(std::string_view what) const {
    throw base::ToolError(fmt::format("PTX line {}: {}", line_, what));
  }

  // Moves to the next token; false at the end.
  bool skip_blank() {
    while (position_ < text_.size()) {
      const char c = text_[position_];
      if (c == '\n') {
        ++line_;
        ++position_;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\0') {
        ++position_;
      } else if (c == '/' && at(1) == '/') {
        position_ = std::min(text_.find('\n', position_), text_.size());
      } else if (c == '/' && at(1) == '*') {
        const auto end = text_.find("*/", position_ + 2);
        if (end == std::string_view::npos) fail("a comment is not closed");
        line_ += static_cast<std::uint32_t>(
            std::count(text_.begin() + static_cast<std::ptrdiff_t>(position_),
                       text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        position_ = end + 2;
      } else {
        return true;
      }
    }
    return false;
  }

  void scan() {
    const char c = at(0);
    std::size_t length = 1;
    auto kind = Token::Kind::kPunct;
    if (is_word_start(c)) {
      kind = Token::Kind::kWord;
      while (is_word(at(length))) ++length;
    } else if (c == '.' && is_word(at(1))) {
      kind = Token::Kind::kDot;
      while (is_word(at(length)) ||
             (at(length) == ':' && at(length + 1) == ':' && is_word(at(length + 2)))) {
        length += at(length) == ':' ? 2 : 1;
      }
    } else if (is_digit(c)) {
      kind = Token::Kind::kNumber;
      while (is_word(at(length)) || (at(length) == '.' && is_digit(at(length + 1)))) ++length;
    } else if (c == '"') {
      kind = Token::Kind::kString;
      while (at(length) != '"' && at(length) != '\n' && position_ + length < text_.size()) ++length;
      if (at(length) != '"') fail("a string is not closed");
      tokens_.push_back({kind, text_.substr(position_ + 1, length - 1), line_});
      position_ += length + 1;
      return;
    } else if (std::string_view("{}[]()<>,;:@!|+-*/=&^~?#").find(c) == std::string_view::npos) {
      fail(fmt::format("unexpected character '\\x{:02x}'", static_cast<unsigned char>(c)));
    }
    if (kind == Token::Kind::kPunct) count_nested(c);
    tokens_.push_back({kind, text_.substr(position_, length), line_});
    position_ += length;
  }

  void count_nested(char c) {
    if (c == '{' || c == '(' || c == '[') {
      if (++nested_ > kMostNested) fail("brackets are nested too deeply");
    } else if ((c == '}' || c == ')' || c == ']') && nested_ != 0) {
      --nested_;
    }
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t nested_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text) { return Lexer(text).run(); }

const Token& TokenCursor::next() {
  const Token& token = peek();
  if (position_ < tokens_.size() - 1) ++position_;
  return token;
}

bool TokenCursor::accept(std::string_view text) {
  if (!at(text) || at_end()) return false;
  next();
  return true;
}

void TokenCursor::expect(std::string_view text) {
  if (!accept(text)) fail(fmt::format("expected '{}'", text));
}

std::string_view TokenCursor::expect_word(std::string_view what) {
  if (peek().kind != Token::Kind::kWord) fail(fmt::format("expected {}", what));
  return next().text;
}

std::int64_t TokenCursor::expect_integer() {
  const bool negative = accept("-");
  if (peek().kind != Token::Kind::kNumber) fail("expected a number");
  const auto value = integer_value(next());
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

void TokenCursor::skip_statement() {
  std::uint32_t depth = 0;
  while (!at_end()) {
    if (at("{")) ++depth;
    if (at("}")) {
      if (depth == 0) return;
      --depth;
    }
    if (depth == 0 && at(";")) {
      next();
      return;
    }
    next();
  }
}

void TokenCursor::skip_braces() {
  expect("{");
  for (std::uint32_t depth = 1; depth != 0; next()) {
    if (at_end()) fail("'{' is not closed");
    if (at("{")) ++depth;
    if (at("}")) --depth;
  }
}

void TokenCursor::fail(std::string_view what) const {
  const Token& token = peek();
  throw base::ToolError(fmt::format("PTX line {}: {}, found {}", token.line, what,
                                    at_end() ? "the end" : fmt::format("'{}'", token.text)));
}

std::uint64_t integer_value(const Token& token) {
  auto text = token.text;
  while (text.ends_with('U')) text.remove_suffix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
  } else if (text.starts_with("0b") || text.starts_with("0B")) {
    base = 2;
  } else if (text.size() > 1 && text.starts_with('0')) {
    base = 8;
  }
  const std::size_t prefix = base == 16 || base == 2 ? 2 : 0;
  std::uint64_t value = 0;
  const auto* end = text.data() + text.size();
  const auto result = std::from_chars(text.data() + prefix, end, value, base);
  if (result.ec != std::errc{} || result.ptr != end) {
    throw base::ToolError(
        fmt::format("PTX line {}: '{}' is not a 64-bit integer", token.line, token.text));
  }
  return value;
}

}  // namespace warpgrade::ptx

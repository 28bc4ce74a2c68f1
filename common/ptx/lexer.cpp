// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

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

}  // namespace warpgrade::ptx

// SPDX-License-Identifier: Apache-2.0
#include "common/compile/tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "common/compile/words.h"

namespace warpgrade::compile {
namespace {

constexpr auto kNowhere = std::string_view::npos;

// Longest first. `>` is always a separate token, because `>>` may end two template argument lists.
constexpr std::array<std::string_view, 17> kOperators = {"<<<", "<=>", "<<=", "::", "->", "<<",
                                                         "==",  "!=",  "<=",  ">=", "+=", "-=",
                                                         "*=",  "/=",  "%=",  "&=", "|="};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> read() {
    std::vector<Token> out;
    bool is_first = true;  // on its line, ignoring comments and blanks
    for (std::size_t at = 0; at < text_.size();) {
      if (const auto after = skip(at); after != at) {
        is_first |= text_[at] == '\n';
        at = after;
        continue;
      }
      const auto token = next(at, is_first);
      out.push_back(token);
      is_first = false;
      at = std::max(token.end, at + 1);
    }
    return out;
  }

 private:
  bool starts(std::size_t at, std::string_view with) const {
    return text_.substr(at, with.size()) == with;
  }
  char at_or_zero(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  // Position after the first line end at or after `at` without a backslash before it.
  std::size_t logical_line_end(std::size_t at) const {
    while (true) {
      const auto end = text_.find('\n', at);
      if (end == kNowhere) return text_.size();
      if (end == 0 || text_[end - 1] != '\\') return end;
      at = end + 1;
    }
  }

  std::size_t comment_end(std::size_t at) const {
    if (starts(at, "//")) return logical_line_end(at);
    const auto close = text_.find("*/", at + 2);
    return close == kNowhere ? text_.size() : close + 2;
  }

  bool is_comment(std::size_t at) const { return starts(at, "//") || starts(at, "/*"); }

  // Position after one blank, splice or comment at `at`; `at` if none is there.
  std::size_t skip(std::size_t at) const {
    const char c = text_[at];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) return at + 1;
    if (c == '\\') return at + 1 + (at_or_zero(at + 1) == '\n' ? 1 : 0);
    return is_comment(at) ? comment_end(at) : at;
  }

  // Position after the literal whose quote is at `at`.
  std::size_t literal_end(std::size_t at) const {
    const char quote = text_[at];
    for (auto i = at + 1; i < text_.size(); ++i) {
      if (text_[i] == '\\') {
        i += 1;
      } else if (text_[i] == quote) {
        return i + 1;
      } else if (text_[i] == '\n') {
        return i;
      }
    }
    return text_.size();
  }

  // Position after the raw string whose quote is at `at`.
  std::size_t raw_end(std::size_t at) const {
    const auto open = text_.find('(', at);
    constexpr std::size_t kLongestDelimiter = 16;
    if (open == kNowhere || open - at - 1 > kLongestDelimiter) return literal_end(at);
    const auto end = ")" + std::string(text_.substr(at + 1, open - at - 1)) + "\"";
    const auto close = text_.find(end, open);
    return close == kNowhere ? text_.size() : close + end.size();
  }

  // Comments in a directive may span lines; comments and strings may contain text like its end.
  std::size_t directive_end(std::size_t at) const {
    while (at < text_.size() && text_[at] != '\n') {
      if (is_comment(at)) {
        at = comment_end(at);
      } else if (text_[at] == '\\') {
        at += 2;
      } else if (text_[at] == '"') {
        at = literal_end(at);
      } else {
        at += 1;
      }
    }
    return std::min(at, text_.size());
  }

  std::size_t number_end(std::size_t at) const {
    while (at < text_.size()) {
      const char c = text_[at];
      const char before = at > 0 ? text_[at - 1] : '\0';
      const bool is_sign =
          (c == '+' || c == '-') && std::string_view("eEpP").find(before) != kNowhere;
      const bool is_separator = c == '\'' && is_word(at_or_zero(at + 1));
      if (!is_word(c) && c != '.' && !is_sign && !is_separator) break;
      at += 1;
    }
    return at;
  }

  Token next(std::size_t at, bool is_first) const {
    const char c = text_[at];
    if (is_first && (c == '#' || starts(at, "%:"))) {
      return {TokenKind::kDirective, at, directive_end(at)};
    }
    if (is_digit(c) || (c == '.' && is_digit(at_or_zero(at + 1)))) {
      return {TokenKind::kNumber, at, number_end(at)};
    }
    if (c == '"' || c == '\'') return {TokenKind::kLiteral, at, literal_end(at)};
    if (is_word(c)) return word_or_literal(at);
    for (const auto text : kOperators) {
      if (starts(at, text)) return {TokenKind::kPunctuator, at, at + text.size()};
    }
    return {TokenKind::kPunctuator, at, at + 1};
  }

  Token word_or_literal(std::size_t at) const {
    auto end = at;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const auto word = text_.substr(at, end - at);
    const bool is_prefix = word.size() <= 3 && (word == "R" || word == "L" || word == "u" ||
                                                word == "U" || word == "u8" || word == "LR" ||
                                                word == "uR" || word == "UR" || word == "u8R");
    const char quote = at_or_zero(end);
    if (is_prefix && quote == '"') {
      return {TokenKind::kLiteral, at, word.ends_with('R') ? raw_end(end) : literal_end(end)};
    }
    if (is_prefix && quote == '\'' && !word.ends_with('R')) {
      return {TokenKind::kLiteral, at, literal_end(end)};
    }
    return {TokenKind::kWord, at, end};
  }

  std::string_view text_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text) { return Lexer(text).read(); }

}  // namespace warpgrade::compile

// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/token_cursor.h"

#include <fmt/format.h>

#include <charconv>

#include "common/base/error.h"

namespace warpgrade::ptx {

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

// SPDX-License-Identifier: Apache-2.0
// The moves of a parser over tokens, and the numbers that it reads.
#include "common/ptx/token_cursor.h"

#include <gtest/gtest.h>

#include <string>

#include "common/base/error.h"

namespace warpgrade::ptx::token_cursor_test {

TokenCursor cursor(std::string_view text) { return TokenCursor(tokenize(text)); }

template <typename Function>
std::string error_of(const Function& function) {
  try {
    function();
  } catch (const base::ToolError& error) {
    return error.what();
  }
  return {};
}

TEST(TokenCursor, AcceptsAndExpects) {
  auto at = cursor("a , b");
  EXPECT_FALSE(at.accept(","));
  EXPECT_EQ("a", at.expect_word("a name"));
  EXPECT_TRUE(at.accept(","));
  EXPECT_EQ("PTX line 1: expected ';', found 'b'", error_of([&] { at.expect(";"); }));
  EXPECT_EQ("b", at.next().text);
  EXPECT_TRUE(at.at_end());
  EXPECT_EQ("PTX line 1: expected a name, found the end",
            error_of([&] { at.expect_word("a name"); }));
}

TEST(TokenCursor, NeverGoesPastTheEnd) {
  auto at = cursor("a");
  at.next();
  at.next();
  EXPECT_TRUE(at.at_end());
  EXPECT_EQ(Token::Kind::kEnd, at.peek(9).kind);
  EXPECT_FALSE(at.accept(""));
}

TEST(TokenCursor, AStringIsNoPunctuation) {
  auto at = cursor("\";\" ;");
  EXPECT_FALSE(at.at(";"));
  at.next();
  EXPECT_TRUE(at.at(";"));
}

TEST(TokenCursor, SkipsAStatementWithItsBraces) {
  auto at = cursor("a { b ; } c ; d");
  at.skip_statement();
  EXPECT_TRUE(at.at("d"));
  auto inner = cursor("a b } c");
  inner.skip_statement();
  EXPECT_TRUE(inner.at("}"));  // closes the enclosing scope
}

TEST(TokenCursor, SkipsBracesInsideBraces) {
  auto at = cursor("{ a { b } } c");
  at.skip_braces();
  EXPECT_TRUE(at.at("c"));
  auto open = cursor("{ a { b }");
  EXPECT_NE("", error_of([&] { open.skip_braces(); }));
}

std::int64_t integer(std::string_view text) { return cursor(text).expect_integer(); }

TEST(TokenCursor, ReadsIntegersOfEveryBase) {
  EXPECT_EQ(12, integer("12"));
  EXPECT_EQ(-4, integer("-4"));
  EXPECT_EQ(31, integer("0x1F"));
  EXPECT_EQ(10, integer("012"));
  EXPECT_EQ(3, integer("0b11"));
  EXPECT_EQ(12, integer("12U"));
  EXPECT_EQ(0, integer("0"));
  EXPECT_EQ(-1, integer("0xffffffffffffffff"));
  EXPECT_EQ(INT64_MIN, integer("-9223372036854775808"));
}

TEST(TokenCursor, OtherNumbersAreNone) {
  EXPECT_EQ("PTX line 1: '18446744073709551616' is not a 64-bit integer",
            error_of([] { integer("18446744073709551616"); }));
  EXPECT_NE("", error_of([] { integer("1.5"); }));
  EXPECT_NE("", error_of([] { integer("0x"); }));
  EXPECT_NE("", error_of([] { integer("089"); }));
  EXPECT_NE("", error_of([] { integer("x"); }));
}

}  // namespace warpgrade::ptx::token_cursor_test

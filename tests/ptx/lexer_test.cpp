// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/lexer.h"

#include <gtest/gtest.h>

#include <string>

#include "common/base/error.h"

namespace warpgrade::ptx::lexer_test {

// Tokens of PTX text.

using Kind = Token::Kind;

std::string error_of(const std::string& text) {
  try {
    tokenize(text);
  } catch (const base::ToolError& error) {
    return error.what();
  }
  return {};
}

TEST(Lexer, TellsTheKindsApart) {
  const auto tokens = tokenize("@%p1 ld.global.L2::128B \"a b\" $L__BB0_2 0f3F800000 1.5 [x+4];");
  const std::pair<Kind, std::string_view> expected[] = {
      {Kind::kPunct, "@"},        {Kind::kWord, "%p1"},
      {Kind::kWord, "ld"},        {Kind::kDot, ".global"},
      {Kind::kDot, ".L2::128B"},  {Kind::kString, "a b"},
      {Kind::kWord, "$L__BB0_2"}, {Kind::kNumber, "0f3F800000"},
      {Kind::kNumber, "1.5"},     {Kind::kPunct, "["},
      {Kind::kWord, "x"},         {Kind::kPunct, "+"},
      {Kind::kNumber, "4"},       {Kind::kPunct, "]"},
      {Kind::kPunct, ";"},        {Kind::kEnd, ""}};
  ASSERT_EQ(std::size(expected), tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    EXPECT_EQ(expected[i].first, tokens[i].kind) << i;
    EXPECT_EQ(expected[i].second, tokens[i].text) << i;
  }
}

TEST(Lexer, CommentsAreDroppedAndTheirLinesCount) {
  const auto tokens = tokenize("a // b\n/* c\n d */ e\n");
  ASSERT_EQ(3U, tokens.size());
  EXPECT_EQ(1U, tokens[0].line);
  EXPECT_EQ("e", tokens[1].text);
  EXPECT_EQ(3U, tokens[1].line);
  EXPECT_EQ(4U, tokens[2].line);
}

TEST(Lexer, AnyBytesMayStandInAComment) { EXPECT_EQ(2U, tokenize("a // \xff\xfe \x01\n").size()); }

TEST(Lexer, AComponentIsADotOfItsOwn) {
  const auto tokens = tokenize("%v.x");
  ASSERT_EQ(3U, tokens.size());
  EXPECT_EQ("%v", tokens[0].text);
  EXPECT_EQ(".x", tokens[1].text);
}

TEST(Lexer, WhatHasNoPlaceIsToldWithItsLine) {
  EXPECT_EQ("PTX line 2: unexpected character '\\x60'", error_of("a\n`"));
  EXPECT_EQ("PTX line 1: a string is not closed", error_of("\"a\nb\""));
  EXPECT_EQ("PTX line 1: a comment is not closed", error_of("/* a"));
}

TEST(Lexer, BracketsMayBeNestedOnlySoDeeply) {
  EXPECT_EQ("", error_of(std::string(256, '{')));
  EXPECT_EQ("PTX line 1: brackets are nested too deeply", error_of(std::string(257, '{')));
  std::string flat;
  for (int i = 0; i < 1000; ++i) flat += "{}";
  EXPECT_EQ("", error_of(flat));
}

TEST(Lexer, NoTextIsTheEnd) {
  const auto tokens = tokenize("");
  ASSERT_EQ(1U, tokens.size());
  EXPECT_EQ(Kind::kEnd, tokens[0].kind);
}

}  // namespace warpgrade::ptx::lexer_test

namespace warpgrade::ptx::token_cursor_test {

// The moves of a parser over tokens, and the numbers that it reads.

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

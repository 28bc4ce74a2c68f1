// SPDX-License-Identifier: Apache-2.0
// Tokens of PTX text.
#include "common/ptx/lexer.h"

#include <gtest/gtest.h>

#include <string>

#include "common/base/error.h"

namespace warpgrade::ptx::lexer_test {

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

// SPDX-License-Identifier: Apache-2.0
#include "common/compile/tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace warpgrade::compile::tokens_test {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> texts(std::string_view text) {
  std::vector<std::string> out;
  for (const auto& token : tokens_of(text)) {
    out.emplace_back(text.substr(token.begin, token.end - token.begin));
  }
  return out;
}

TEST(Tokens, AreWordsNumbersAndOperators) {
  EXPECT_THAT(texts("int x_1 = 1'000.5e-3f + a->b;"),
              ElementsAre("int", "x_1", "=", "1'000.5e-3f", "+", "a", "->", "b", ";"));
  EXPECT_THAT(texts("k<<<1, 2>>>(a::b) == c"), ElementsAre("k", "<<<", "1", ",", "2", ">", ">", ">",
                                                           "(", "a", "::", "b", ")", "==", "c"));
}

TEST(Tokens, OfLiteralsAreWhole) {
  EXPECT_THAT(texts("\"}\\\"\" '\\'' u8\"{\" L'{' x"),
              ElementsAre("\"}\\\"\"", "'\\''", "u8\"{\"", "L'{'", "x"));
  EXPECT_THAT(texts("R\"a(\")\" })a\" x"), ElementsAre("R\"a(\")\" })a\"", "x"));
  EXPECT_THAT(texts("don't {\n}"), ElementsAre("don", "'t {", "}"));
}

TEST(Tokens, AreNotInComments) {
  EXPECT_THAT(texts("a // { \\\n still }\nb /* \" { \n */ c"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(texts("/* no end {"), IsEmpty());
}

TEST(Tokens, OfDirectivesReachToTheLogicalLinesEnd) {
  EXPECT_THAT(texts("#define A \"//\" { \\\n  }\nb # c\n  %: if 0 /* \n */ x\ny"),
              ElementsAre("#define A \"//\" { \\\n  }", "b", "#", "c", "%: if 0 /* \n */ x", "y"));
}

TEST(Tokens, OfUnfinishedTextEndWithIt) {
  for (const auto* text : {"\"", "'", "R\"(", "R\"", "/*", "#", "%:", "\\", "1'", "#\\"}) {
    for (const auto& token : tokens_of(text))
      EXPECT_LE(token.end, std::string(text).size()) << text;
  }
}

}  // namespace warpgrade::compile::tokens_test

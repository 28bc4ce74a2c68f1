// SPDX-License-Identifier: Apache-2.0
#include "common/base/text.h"

#include <gtest/gtest.h>

#include <array>

namespace warpgrade::base::text_test {

TEST(EscapeControls, KeepsUtf8AndWritesTheRestInHex) {
  EXPECT_EQ("na\xc3\xafve", escape_controls("na\xc3\xafve"));
  EXPECT_EQ("\\xff\\xc3", escape_controls("\xff\xc3"));
  EXPECT_EQ("\\x1b[31m\\x07", escape_controls("\x1b[31m\x07"));
}

TEST(EscapeControls, WritesTheSecondSetOfControlsInHexToo) {
  EXPECT_EQ("\\x9b31m", escape_controls("\xc2\x9b"
                                        "31m"));
}

TEST(EscapeControls, WritesWhatIsNotSeenByItsCodePoint) {
  EXPECT_EQ("\\u202essap", escape_controls("\xe2\x80\xaessap"));  // right-to-left override
  EXPECT_EQ("a\\u200bb", escape_controls("a\xe2\x80\x8b"
                                         "b"));  // zero-width space
  EXPECT_EQ("\\u2028\\ufeff", escape_controls("\xe2\x80\xa8\xef\xbb\xbf"));
  EXPECT_EQ("\\u061c", escape_controls("\xd8\x9c"));
  EXPECT_EQ("\xe2\x80\x93 \xe2\x82\xac", escape_controls("\xe2\x80\x93 \xe2\x82\xac"));
}

TEST(EscapeControls, RefusesOverlongFormsAndSurrogates) {
  EXPECT_EQ("\\xc0\\x8a", escape_controls("\xc0\x8a"));
  EXPECT_EQ("\\xed\\xa0\\x80", escape_controls("\xed\xa0\x80"));
}

TEST(LineOf, CutsCarriageReturnsAndKnowsTheEnd) {
  EXPECT_EQ("b", line_of("a\nb\r\nc", 2));
  EXPECT_EQ("c", line_of("a\nb\r\nc", 3));
  EXPECT_EQ("", line_of("a\nb", 3));
  EXPECT_EQ("", line_of("a\nb", 0));
}

TEST(Nearest, FindsATypingMistakeAndNothingFarOff) {
  constexpr std::array<std::string_view, 3> kNames = {"transpose", "copy", "padded"};
  EXPECT_EQ("transpose", nearest("transpoes", kNames));
  EXPECT_EQ("copy", nearest("cpy", kNames));
  EXPECT_EQ("", nearest("reduction", kNames));
}

TEST(SourceName, IsWhatTheSourceSays) {
  EXPECT_EQ("tile", source_name("_ZZ4copyPfPKfiiE4tile"));
  EXPECT_EQ("fill(int)", source_name("_Z4filli"));
  EXPECT_EQ("d", source_name("d"));  // not "double"
  EXPECT_EQ("_Zwrong", source_name("_Zwrong"));
}

TEST(Excerpt, KeepsWhatFits) {
  const auto out = excerpt("0123456789", 4, 10);
  EXPECT_EQ("0123456789", out.text);
  EXPECT_EQ(4u, out.column);
}

TEST(Excerpt, CutsAroundTheColumn) {
  const std::string text = "abcdefghijklmnopqrstuvwxyz";
  EXPECT_EQ("abcdefg...", excerpt(text, 0, 10).text);
  EXPECT_EQ("...tuvwxyz", excerpt(text, 26, 10).text);
  EXPECT_EQ(10u, excerpt(text, 26, 10).column);  // past the end
  for (std::size_t column = 0; column < text.size(); ++column) {
    const auto out = excerpt(text, column, 10);
    EXPECT_EQ(10u, out.text.size());
    EXPECT_EQ(text[column], out.text.at(out.column));
  }
}

TEST(Excerpt, CutsNoCharacterInTwo) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "\u6f22\u00e4";
  const auto out = excerpt(text, 20, 10);
  EXPECT_EQ(10u, columns_of(out.text));
  EXPECT_EQ(out.text, escape_controls(out.text));
}

}  // namespace warpgrade::base::text_test

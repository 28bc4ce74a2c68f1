// SPDX-License-Identifier: Apache-2.0
#include "common/base/text.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <string>

namespace warpgrade::base::text_test {

TEST(Counted, OnlyOneIsSingular) {
  EXPECT_EQ("0 blocks", counted(0, "block"));
  EXPECT_EQ("1 block", counted(1, "block"));
  EXPECT_EQ("2 blocks", counted(2, "block"));
}

TEST(ProgramCall, IsTheWrappersOrTheInstalledProgram) {
  ::setenv("WARPGRADE_CALL", "../warpgrade", 1);
  EXPECT_EQ("../warpgrade", program_call());
  ::setenv("WARPGRADE_CALL", "./warp\x1bgrade", 1);
  EXPECT_EQ("./warp\\x1bgrade", program_call());
  EXPECT_TRUE(is_called_by_wrapper());
  ::unsetenv("WARPGRADE_CALL");
  EXPECT_EQ("warpgrade", program_call());
  EXPECT_FALSE(is_called_by_wrapper());
}

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

// The examples of FIPS 180-4 (NIST, "Examples with Intermediate Values"), and lengths around the
// end of a block, with digests from coreutils' sha256sum.

TEST(Sha256, TheStandardsExamples) {
  EXPECT_EQ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", sha256_hex(""));
  EXPECT_EQ("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", sha256_hex("abc"));
  EXPECT_EQ("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"));
  EXPECT_EQ("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
            sha256_hex(std::string(1'000'000, 'a')));
}

TEST(Sha256, LengthsAroundTheEndOfABlock) {
  EXPECT_EQ("d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072",
            sha256_hex(std::string(55, 'x')));
  EXPECT_EQ("04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e",
            sha256_hex(std::string(56, 'x')));
  EXPECT_EQ("7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c",
            sha256_hex(std::string(64, 'x')));
}

// From the example in Content Security Policy Level 2, section "Valid hashes".
TEST(Sha256, InBase64) {
  EXPECT_EQ("qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=",
            sha256_base64("alert('Hello, world.');"));
}

TEST(Text, IsTrimmedOnBothSides) {
  EXPECT_EQ("a  b", trimmed(" \t a  b\r\n"));
  EXPECT_EQ("", trimmed(" \n "));
}

TEST(Text, HasLinesWithoutTheirNewlines) {
  using Lines = std::vector<std::string_view>;
  EXPECT_EQ((Lines{"a", "", "b"}), lines_of("a\n\nb"));
  EXPECT_EQ(Lines{"a"}, lines_of("a\n"));
  EXPECT_EQ(Lines{}, lines_of(""));
}

// "\xc3\xa4" is one character.
TEST(Text, IsCutBetweenCharacters) {
  EXPECT_EQ("abcd", shortened("abcd", 4));
  EXPECT_EQ("abc...", shortened("abcd", 3));
  EXPECT_EQ("ab...", shortened("ab\xc3\xa4z", 3));
}

}  // namespace warpgrade::base::text_test

// SPDX-License-Identifier: Apache-2.0
#include "grader/text/messages.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace warpgrade::grader::text::messages_test {

TEST(Rot13, TurnsLettersAndNothingElse) {
  EXPECT_EQ("nopqrstuvwxyzabcdefghijklm", rot13("abcdefghijklmnopqrstuvwxyz"));
  EXPECT_EQ("Jurer vf genafcbfr[0]? \xc3\xa4", rot13("Where is transpose[0]? \xc3\xa4"));
}

TEST(Rot13, TwiceIsTheTextAgain) { EXPECT_EQ("A to Z, a-z", rot13(rot13("A to Z, a-z"))); }

TEST(EscapeMarkup, LeavesNothingThatIsMarkup) {
  EXPECT_EQ("&lt;/script&gt; &amp;amp; a=&quot;b&quot;", escape_markup("</script> &amp; a=\"b\""));
  EXPECT_EQ(
      "tile[8][0], it's Gr\xc3\xb6\xc3\x9f"
      "e",
      escape_markup("tile[8][0], it's Gr\xc3\xb6\xc3\x9f"
                    "e"));
  EXPECT_EQ("", escape_markup(""));
}

const std::vector<std::string> kNames = {"copy", "transpose", "padded"};

TEST(Suggestions, TheNearestNameIsMeant) {
  EXPECT_EQ(", did you mean `copy`?", did_you_mean("cpoy", kNames));
  EXPECT_EQ(", did you mean `transpose`?", did_you_mean("transposed", kNames));
}

TEST(Suggestions, NothingNearIsNoSuggestion) {
  EXPECT_EQ("", did_you_mean("zzzzzzzzzz", kNames));
  EXPECT_EQ("", did_you_mean("copy", std::vector<std::string>{}));
}

TEST(Suggestions, NamesAreJoinedInTheirOrder) {
  EXPECT_EQ("copy, transpose, padded", joined(kNames));
  EXPECT_EQ("copy|transpose|padded", joined(kNames, "|"));
  EXPECT_EQ("", joined(std::vector<std::string>{}));
  EXPECT_EQ("one", joined(std::vector<std::string_view>{"one"}));
}

// Colours, columns, numbers with units, and line breaks.

TEST(Style, WithoutColoursTheTextIsBare) {
  EXPECT_EQ("pass", Style()(Colour::kGreen, "pass"));
  EXPECT_EQ("\033[32mpass\033[0m", Style(true)(Colour::kGreen, "pass"));
  EXPECT_EQ("", Style(true)(Colour::kRed, ""));
}

TEST(Columns, AreAlignedAndEndWithoutSpaces) {
  Columns columns({true});
  columns.add({"name", "value"});
  columns.add({"a", "7"});
  columns.add({"long name", ""});
  EXPECT_EQ("  name       value\n  a              7\n  long name\n", columns.text(2, Style()));
  EXPECT_EQ(3U, columns.size());
}

TEST(Columns, ColourDoesNotCountAsWidth) {
  Columns columns({true});
  columns.add({"a", "1"});
  columns.add({"bb", "22"});
  columns.colour(0, 1, Colour::kRed);
  EXPECT_EQ("a    \033[31m1\033[0m\nbb  22\n", columns.text(0, Style(true)));
  EXPECT_EQ("a    1\nbb  22\n", columns.text(0, Style(false)));
}

TEST(Columns, CountCharactersAndNotBytes) {
  Columns columns({true});
  columns.add({"µs", "1"});
  columns.add({"ab", "2"});
  EXPECT_EQ("µs  1\nab  2\n", columns.text(0, Style()));
}

TEST(Numbers, AreWholeOrHaveThreeDigits) {
  EXPECT_EQ("0", number(0));
  EXPECT_EQ("1,234,567", number(1234567));
  EXPECT_EQ("-3", number(-3));
  EXPECT_EQ("0.393", number(0.39271));
  EXPECT_EQ("123.5", number(123.46));
  EXPECT_EQ("1.50e-04", number(0.00015));
  EXPECT_EQ("-", number(std::nan("")));
  EXPECT_EQ("-", number(INFINITY));
}

TEST(Numbers, TimesAndRatesHaveTheirPrefix) {
  EXPECT_EQ("2 s", seconds(2));
  EXPECT_EQ("1.5 ms", seconds(0.0015));
  EXPECT_EQ("12 us", seconds(12e-6));
  EXPECT_EQ("0 s", seconds(0));
  EXPECT_NE(std::string::npos, seconds(5e-7).find(" ns"));
  EXPECT_EQ("4.2 TB/s", bytes_per_second(4.2e12));
  EXPECT_EQ("288 GB/s", bytes_per_second(288e9));
}

TEST(Wrapped, BreaksBetweenWords) {
  EXPECT_EQ("  one two\n  three\n", wrapped("one two three", 2, false, 10));
  EXPECT_EQ("one two\n  three\n", wrapped("one two three", 2, true, 10));
}

TEST(Wrapped, KeepsLinesAndLongWords) {
  EXPECT_EQ("a\nb\n", wrapped("a\nb", 0));
  EXPECT_EQ("unbreakable\nx\n", wrapped("unbreakable x", 0, false, 4));
  EXPECT_EQ("", wrapped("", 4));
}

}  // namespace warpgrade::grader::text::messages_test

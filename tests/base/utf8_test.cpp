// SPDX-License-Identifier: Apache-2.0
// Valid and invalid UTF-8, by the table of RFC 3629.
#include "common/base/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace warpgrade::base::utf8_test {

TEST(ReplaceInvalidUtf8, KeepsCharactersAndTheLength) {
  EXPECT_EQ("a\xc3\xb6\xe2\x82\xac?b", replace_invalid_utf8("a\xc3\xb6\xe2\x82\xac\xff"
                                                            "b"));
  EXPECT_EQ("??", replace_invalid_utf8("\xc0\x80"));    // overlong
  EXPECT_EQ("x??", replace_invalid_utf8("x\xe2\x82"));  // truncated
}

// The first and the last code point of each length, from RFC 3629, section 3.
TEST(Utf8, IsMadeOfUtf16InBothOrders) {
  const std::string fox = "a\xc3\xa4\xf0\x9f\xa6\x8a";  // U+61, U+E4, U+1F98A
  EXPECT_EQ(fox, utf8_of_utf16(std::string_view("\xff\xfe"
                                                "a\0\xe4\0\x3e\xd8\x8a\xdd",
                                                10)));
  EXPECT_EQ(fox, utf8_of_utf16(std::string_view("\xfe\xff"
                                                "\0a\0\xe4\xd8\x3e\xdd\x8a",
                                                10)));
  EXPECT_EQ("ab", utf8_of_utf16(std::string_view("a\0b\0", 4)));
  EXPECT_EQ("?", utf8_of_utf16(std::string_view("\xff\xfe\x3e\xd8", 4)));
  EXPECT_EQ(std::nullopt, utf8_of_utf16(std::string_view("a\0b", 3)));
  EXPECT_EQ(std::nullopt, utf8_of_utf16("plain"));
  EXPECT_EQ(std::nullopt, utf8_of_utf16(""));
}

TEST(Utf8, CodePointsAreWrittenAndReadBack) {
  const std::pair<char32_t, std::string> cases[] = {{0x00, std::string(1, '\0')},
                                                    {0x7f, "\x7f"},
                                                    {0x80, "\xc2\x80"},
                                                    {0x7ff, "\xdf\xbf"},
                                                    {0x800, "\xe0\xa0\x80"},
                                                    {0xffff, "\xef\xbf\xbf"},
                                                    {0x10000, "\xf0\x90\x80\x80"},
                                                    {0x10ffff, "\xf4\x8f\xbf\xbf"}};
  for (const auto& [point, bytes] : cases) {
    std::string out;
    append_utf8(out, point);
    EXPECT_EQ(bytes, out);
    EXPECT_EQ(point, first_code_point(bytes + "x", bytes.size()));
  }
}

}  // namespace warpgrade::base::utf8_test

// SPDX-License-Identifier: Apache-2.0
// Escapes text, so that it stays text in a page.
#include "grader/html/html_text.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::html::html_text_test {

TEST(HtmlText, MarkupIsEscaped) {
  EXPECT_EQ("&lt;/script&gt; &amp;amp; &quot;a&quot; &#39;b&#39;",
            escaped("</script> &amp; \"a\" 'b'"));
}

TEST(HtmlText, ControlCharactersAndInvalidBytesAreShown) {
  EXPECT_EQ("a\\x1b[31m\\x00\\xff", escaped(std::string_view("a\x1b[31m\0\xff", 8)));
  EXPECT_EQ("a\\x0ab", escaped("a\nb"));
  EXPECT_EQ("a\nb", escaped("a\nb", true));
}

TEST(HtmlText, CharactersThatTurnTheTextAreShown) {
  EXPECT_EQ("a\\u202eb\\u2066\\u200f\\u061c", escaped("a\xe2\x80\xae"
                                                      "b\xe2\x81\xa6\xe2\x80\x8f\xd8\x9c"));
  EXPECT_EQ("\xe2\x80\xa6 \xc3\xa4",
            escaped("\xe2\x80\xa6 \xc3\xa4"));  // An ellipsis, an umlaut.
}

TEST(HtmlText, JsonCannotEndItsScript) {
  EXPECT_EQ("\"\\u003c/script>\\u003c!--\"", json_for_script("\"</script><!--\""));
}

TEST(HtmlText, AParagraphOfNothingIsNothing) {
  EXPECT_EQ("", paragraph(""));
  EXPECT_EQ("<p class=\"quiet\">a &lt; b</p>\n", paragraph("a < b", "quiet"));
}

TEST(HtmlText, ALineMayBreakBetweenThePartsOfAName) {
  EXPECT_EQ("scan/<wbr>block_<wbr>scan &lt;", escaped_name("scan/block_scan <"));
}

TEST(HtmlText, WhatStandsBetweenBackticksIsCode) {
  EXPECT_EQ("a row of <code>in</code> &lt; <code>out</code>, `",
            sentence("a row of `in` < `out`, `"));
  EXPECT_EQ("<p>no <code>&lt;b&gt;</code></p>\n", paragraph("no `<b>`"));
}

}  // namespace warpgrade::grader::html::html_text_test

// SPDX-License-Identifier: Apache-2.0
#include "grader/html/page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/base/text.h"

namespace warpgrade::grader::html::page_test {

// Escapes text, so that it stays text in a page.

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

// Security policies of pages. tests/html opens whole pages in a browser.

namespace {

using testing::HasSubstr;
using testing::Not;

// Text of the only script element.
std::string script_of(const std::string& page) {
  const auto begin = page.find("<script>") + 8;
  return page.substr(begin, page.find("</", begin) - begin);
}

TEST(Page, AllowsItsOwnScriptAndNoOther) {
  const auto page = picture_page("title", "content");
  const auto script = script_of(page);
  EXPECT_THAT(script, HasSubstr("use strict"));
  EXPECT_THAT(page, HasSubstr(fmt::format("script-src 'sha256-{}'", base::sha256_base64(script))));
  EXPECT_THAT(page, HasSubstr(script + "</script>\n</body>\n</html>\n"));
}

TEST(Page, PlainPagesAllowNoScript) {
  const auto page = plain_page("title", "content", "p { color: red; }\n");
  EXPECT_THAT(page, HasSubstr("content=\"default-src 'none'; style-src 'unsafe-inline'; img-src "
                              "data:\""));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, HasSubstr("p { color: red; }\n</style>\n"));
}

TEST(Page, TitleIsTextAndContentIsHtml) {
  const auto page = plain_page("</title>{style}", "<p>{title}</p>\n", {});
  EXPECT_THAT(page, HasSubstr("<title>&lt;/title&gt;{style}</title>"));
  EXPECT_THAT(page, HasSubstr("<main>\n<p>{title}</p>\n</main>\n"));
}

TEST(Page, BeginsAsHtmlWithoutTheLicencesOfItsFiles) {
  const auto page = picture_page("title", "content");
  EXPECT_EQ(0U, page.find("<!DOCTYPE html>\n"));
  EXPECT_THAT(page, Not(HasSubstr("SPDX")));
}

}  // namespace

}  // namespace warpgrade::grader::html::page_test

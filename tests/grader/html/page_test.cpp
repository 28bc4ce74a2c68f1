// SPDX-License-Identifier: Apache-2.0
// Security policies of pages. tests/html opens whole pages in a browser.
#include "grader/html/page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/base/sha256.h"
#include "grader/html/html_text.h"

namespace warpgrade::grader::html::page_test {
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

// SPDX-License-Identifier: Apache-2.0
#include "grader/class/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::html_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ClassHtml, TitleIsTextAndNoScriptMayRun) {
  const auto page = html_page("</title><script>", "<p>x</p>");
  EXPECT_THAT(page, HasSubstr("<title>&lt;/title&gt;&lt;script&gt;</title>"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("script-src")));
}

TEST(ClassHtml, AnAddressEscapesWhatIsNotPlain) {
  EXPECT_EQ("out/a%20b/%C3%A9%23%3F%25.html", html_address("out/a b/\xc3\xa9#?%.html"));
  EXPECT_EQ("javascript%3Aalert%281%29", html_address("javascript:alert(1)"));
}

TEST(ClassHtml, WhatHasNoVerdictIsOpen) {
  EXPECT_THAT(badge(Standing::kPass), HasSubstr("PASS"));
  EXPECT_THAT(badge(Standing::kMissing), HasSubstr("MISSING"));
  EXPECT_THAT(badge(Standing::kError), HasSubstr("OPEN"));
}

TEST(ClassHtml, ABarStaysInItsTrack) {
  EXPECT_THAT(bar(0.25), HasSubstr("width=\"25.0\""));
  EXPECT_THAT(bar(7), HasSubstr("class=\"fill\" width=\"100.0\""));
}

}  // namespace
}  // namespace warpgrade::grader::class_book::html_test

// SPDX-License-Identifier: Apache-2.0
#include "common/compile/left_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::compile::left_out_test {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

TEST(LeftOut, IsOneSentence) {
  EXPECT_EQ("", describe({}, "a.cu"));
  EXPECT_EQ("left out as host code: main (line 40)", describe({{"a.cu", 40, 1, "main"}}, "a.cu"));
  EXPECT_EQ(
      "left out as host code: <x.h> (line 1), b.h:2 and main (line 3)",
      describe({{"a.cu", 1, 10, "<x.h>"}, {"b.h", 2, 1, ""}, {"a.cu", 3, 1, "main"}}, "a.cu"));
}

TEST(LeftOut, IsShortHoweverMuchItIs) {
  const std::vector<LeftOut> many(100, {"a.cu", 7, 1, std::string(1000, 'f')});
  EXPECT_THAT(describe(many, "a.cu"), EndsWith(" and 92 more"));
  EXPECT_GT(600u, describe(many, "a.cu").size());
}

TEST(LeftOut, MovesNoCursor) {
  EXPECT_THAT(describe({{"a.cu", 1, 1, "\"\x1b[2J.h\""}}, "a.cu"), Not(HasSubstr("\x1b")));
}

TEST(LeftOut, TellsIncludesByTheirNames) {
  EXPECT_TRUE(is_include({"a.cu", 1, 1, "<x.h>"}));
  EXPECT_TRUE(is_include({"a.cu", 1, 1, "\"x.h\""}));
  EXPECT_FALSE(is_include({"a.cu", 1, 1, "main"}));
}

}  // namespace warpgrade::compile::left_out_test

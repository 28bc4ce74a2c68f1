// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/input_salt.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::cases::input_salt_test {

TEST(InputSalt, IsTheStartOfTheDigestOfTheTokens) {
  // printf 'abc\0+\0' | sha256sum
  EXPECT_EQ(0x75d82347533134ddU, input_salt("abc+"));
}

TEST(InputSalt, FollowsFromTheTokensAndTheirOrder) {
  EXPECT_NE(input_salt("a b"), input_salt("b a"));
  EXPECT_NE(input_salt("a b"), input_salt("ab"));
  EXPECT_NE(input_salt("f(\"a b\")"), input_salt("f(\"ab\")"));
}

TEST(InputSalt, CommentsAndSpaceDoNotMatter) {
  EXPECT_EQ(input_salt("a = b;"), input_salt("// Assigns.\n  a=b ; /* done */\n"));
}

}  // namespace warpgrade::grader::cases::input_salt_test

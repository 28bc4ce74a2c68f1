// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/input_salt.h"

#include <gtest/gtest.h>

namespace warpgrade::grader {
namespace input_salt_test {

compile::Program with_ptx(const std::string& ptx) {
  compile::Program program;
  program.ptx = ptx;
  return program;
}

TEST(ContentsSalt, IsTheStartOfTheDigest) {
  // printf 'abc\0' | sha256sum
  const auto program = with_ptx("abc");
  EXPECT_EQ(0xdc1114cd074914bdU, input_salt({&program}));
}

TEST(ContentsSalt, FollowsFromEveryProgramAndTheirOrder) {
  const auto a = with_ptx("a");
  const auto b = with_ptx("b");
  EXPECT_NE(input_salt({&a}), input_salt({&b}));
  EXPECT_NE(input_salt({&a, &b}), input_salt({&b, &a}));
  const auto ab = with_ptx("ab");
  EXPECT_NE(input_salt({&a, &b}), input_salt({&ab}));
}

TEST(ContentsSalt, FollowsFromTheTextAlone) {
  auto a = with_ptx("a");
  const auto first = input_salt({&a});
  a.file = "other.cu";
  a.warnings = "none";
  EXPECT_EQ(first, input_salt({&a}));
}

}  // namespace input_salt_test
}  // namespace warpgrade::grader

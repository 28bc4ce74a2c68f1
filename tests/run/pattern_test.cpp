// SPDX-License-Identifier: Apache-2.0
// A pattern fills a buffer by repeating its content.
#include "common/run/pattern.h"

#include <gtest/gtest.h>

namespace warpgrade::run::pattern_test {

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> out;
  for (const int value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

TEST(Pattern, ABuffersIsItsContentAgainAndAgain) {
  Buffer buffer;
  buffer.name = "in";
  buffer.bytes = bytes_of({1, 2, 3});
  buffer.element_bytes = 1;
  buffer.read_only = true;
  const auto pattern = pattern_of(buffer, 8);
  EXPECT_EQ(3U, pattern.period);
  const auto whole = made(pattern);
  EXPECT_EQ("in", whole.name);
  EXPECT_EQ(1U, whole.element_bytes);
  EXPECT_TRUE(whole.read_only);
  EXPECT_EQ(bytes_of({1, 2, 3, 1, 2, 3, 1, 2}), whole.bytes);
}

TEST(Pattern, APartIsThatOfTheWhole) {
  Buffer buffer;
  buffer.bytes = bytes_of({1, 2, 3, 4, 5});
  const auto pattern = pattern_of(buffer, 5);
  std::vector<std::byte> part(2);
  pattern.make(2, part);
  EXPECT_EQ(bytes_of({3, 4}), part);
}

TEST(Pattern, OneOfNoBytesMakesNone) {
  EXPECT_TRUE(made(patterns_of({Buffer()})).at(0).bytes.empty());
}

}  // namespace warpgrade::run::pattern_test

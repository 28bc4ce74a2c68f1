// SPDX-License-Identifier: Apache-2.0
#include "grader/text/suggestions.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpgrade::grader::text::suggestions_test {

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

}  // namespace warpgrade::grader::text::suggestions_test

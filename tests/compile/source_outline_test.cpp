// SPDX-License-Identifier: Apache-2.0
// Tokens and declarations of a source, and the text of its lines.
#include "common/compile/source_outline.h"

#include <gtest/gtest.h>

namespace warpgrade::compile::source_outline_test {

TEST(SourceOutline, GivesTheTokensOfADeclaration) {
  const SourceOutline source("const int n = 3;\n__device__ int f() { return n; }\n");
  ASSERT_EQ(2u, source.items.size());
  const auto& function = source.items[1];
  const auto body = source.within(function.head_end, function.end);
  ASSERT_EQ(5u, body.size());
  EXPECT_EQ("n", source.word(body[2]));
  EXPECT_TRUE(source.has_word(body, "return"));
  EXPECT_FALSE(source.has_word(body, "const"));
}

TEST(SourceOutline, LinesAreCountedFromOne) {
  EXPECT_EQ("a", line_text("a\nb\nc", 1));
  EXPECT_EQ("c", line_text("a\nb\nc", 3));
}

}  // namespace warpgrade::compile::source_outline_test

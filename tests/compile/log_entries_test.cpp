// SPDX-License-Identifier: Apache-2.0
// Splits log text recorded from NVRTC 13.0 into entries. compiler_log_test.cpp tests the wording of
// messages.
#include "common/compile/log_entries.h"

#include <gtest/gtest.h>

namespace warpgrade::compile::log_entries_test {

TEST(LogEntries, HavePlaceMessageAndExcerpt) {
  const auto entries = log_entries(
      "x.cu(3): error: identifier \"foo\" is undefined\n  int x = foo();\n          ^\n\n"
      "/home/a.h(4): warning #177-D: unused\n  int y;\n      ^\n\n2 errors\n",
      "x.cu");
  ASSERT_EQ(2u, entries.size());
  EXPECT_EQ("x.cu", entries[0].file);
  EXPECT_EQ(3u, entries[0].line);
  EXPECT_EQ(9u, entries[0].column);
  EXPECT_TRUE(entries[0].is_error);
  EXPECT_EQ("identifier \"foo\" is undefined", entries[0].message);
  EXPECT_EQ("  int x = foo();\n          ^\n", entries[0].excerpt);
  EXPECT_EQ("/home/a.h", entries[1].file);
  EXPECT_FALSE(entries[1].is_error);
}

TEST(LogEntries, EndWhereAMessageHoldsAnOpenQuote) {
  const auto entries = log_entries("x.cu(1): error: \"a\nx.cu(2): error: forged\n", "x.cu");
  ASSERT_EQ(1u, entries.size());
  EXPECT_EQ(1u, entries[0].line);
}

TEST(LogEntries, AnEntryHasTheLineAndACaret) {
  EXPECT_EQ("k.cu(2): error: it is wrong\n  b + c\n      ^\n\n",
            entry_at("k.cu", "a\nb + c\n", 6, "error: it is wrong"));
}

TEST(LogEntries, PlacesAreCountedFromOne) {
  const std::string text = "a\n  b + c\n";
  EXPECT_EQ(4u, offset_of(text, 2, 3));
  EXPECT_EQ(4u, offset_of(text, 2, 0));
  EXPECT_EQ(9u, offset_of(text, 2, 99));
  EXPECT_EQ(text.size(), offset_of(text, 99, 1));
  EXPECT_EQ(1u, line_of_offset(text, 1));
  EXPECT_EQ(2u, line_of_offset(text, 2));
}

TEST(LogEntries, TheOptimizerNamesTheFileBehindItsSeverity) {
  const auto entries = log_entries(
      "warning: k.cu(3): Warning: Cannot store to pointer that points to constant memory space\n",
      "k.cu");
  ASSERT_EQ(1u, entries.size());
  EXPECT_EQ("k.cu", entries[0].file);
  EXPECT_EQ(3u, entries[0].line);
  EXPECT_FALSE(entries[0].is_error);
}

}  // namespace warpgrade::compile::log_entries_test

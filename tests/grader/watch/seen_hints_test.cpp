// SPDX-License-Identifier: Apache-2.0
// The number of seen hints: stored by exercise; failure to store it is harmless.
#include "grader/watch/seen_hints.h"

#include <gtest/gtest.h>

#include "tests/compile/compiling.h"

namespace warpgrade::grader::watch::seen_hints_test {

TEST(SeenHints, TheFirstIsSeenFromTheStart) {
  EXPECT_EQ(1U, seen_hints("/proc/none/hints.json", "/labs/a"));
}

TEST(SeenHints, AreKeptByExercise) {
  const compile::TemporaryFolder folder;
  const auto file = folder.path() / "hints.json";
  keep_seen_hints(file, "/labs/a", 3);
  keep_seen_hints(file, "/labs/b", 2);
  EXPECT_EQ(3U, seen_hints(file, "/labs/a"));
  EXPECT_EQ(2U, seen_hints(file, "/labs/b"));
  EXPECT_EQ(1U, seen_hints(file, "/labs/c"));
}

TEST(SeenHints, ADamagedFileIsNone) {
  const compile::TemporaryFolder folder;
  for (const auto* text : {"", "[1]", "{\"/labs/a\": -2}", "{\"/labs/a\": 0}"}) {
    folder.write("hints.json", text);
    EXPECT_EQ(1U, seen_hints(folder.path() / "hints.json", "/labs/a")) << text;
  }
}

}  // namespace warpgrade::grader::watch::seen_hints_test

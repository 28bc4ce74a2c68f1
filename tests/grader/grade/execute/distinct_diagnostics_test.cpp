// SPDX-License-Identifier: Apache-2.0
// Diagnostics that devices and cases repeat are kept once.
#include "grader/grade/execute/distinct_diagnostics.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::grade::distinct_diagnostics_test {

base::Diagnostic race(std::uint32_t line, const std::string& message) {
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kRace;
  out.where = {"k.cu", line, 3};
  out.message = message;
  return out;
}

TEST(DistinctDiagnostics, OnePlaceIsToldOnceWhateverThreadItNames) {
  std::vector<base::Diagnostic> all;
  add_distinct(all, {race(5, "thread 1"), race(5, "thread 2"), race(6, "thread 1")});
  add_distinct(all, {race(6, "thread 9")});
  ASSERT_EQ(2U, all.size());
  EXPECT_EQ("thread 1", all[0].message);
  EXPECT_EQ(6U, all[1].where.line);
}

TEST(DistinctDiagnostics, AnotherKindAtThePlaceIsAnother) {
  auto bounds = race(5, "past the end");
  bounds.kind = base::DiagnosticKind::kOutOfBounds;
  std::vector<base::Diagnostic> all = {race(5, "thread 1")};
  add_distinct(all, {bounds});
  EXPECT_EQ(2U, all.size());
}

TEST(DistinctDiagnostics, WithoutALineTheMessageTellsThemApart) {
  std::vector<base::Diagnostic> all;
  add_distinct(all, {race(0, "no template"), race(0, "no kernel"), race(0, "no kernel")});
  EXPECT_EQ(2U, all.size());
}

TEST(DistinctDiagnostics, TenAreKept) {
  std::vector<base::Diagnostic> all;
  for (std::uint32_t line = 1; line <= 12; ++line) add_distinct(all, {race(line, "x")});
  EXPECT_EQ(10U, all.size());
}

}  // namespace warpgrade::grader::grade::distinct_diagnostics_test

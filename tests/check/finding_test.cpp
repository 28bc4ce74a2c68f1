// SPDX-License-Identifier: Apache-2.0
// Findings are merged by kind and lines, counted, and sorted.
#include "common/check/finding.h"

#include <gtest/gtest.h>

#include "common/base/finding_text.h"

namespace warpgrade::check::finding_test {

using base::DiagnosticKind;

base::Diagnostic diagnostic(DiagnosticKind kind, const std::string& message) {
  base::Diagnostic out;
  out.kind = kind;
  out.message = message;
  return out;
}

void add(Findings& findings, DiagnosticKind kind, std::uint32_t line, const Moment& moment,
         const std::string& message) {
  findings.add({kind, line, line}, moment, 1, [&] { return diagnostic(kind, message); });
}

TEST(Findings, TheEarliestOccurrenceMakesTheDiagnostic) {
  Findings findings;
  add(findings, DiagnosticKind::kRace, 3, {2, 5, 0}, "later");
  add(findings, DiagnosticKind::kRace, 3, {1, 9, 4}, "first");
  add(findings, DiagnosticKind::kRace, 3, {1, 9, 5}, "a higher lane");
  ASSERT_EQ(1U, findings.all().size());
  EXPECT_EQ(3U, findings.all()[0].count);
  EXPECT_EQ("first", base::text(findings.all()[0].diagnostic));
}

TEST(Findings, AMessageIsMadeOnlyForTheFirst) {
  Findings findings;
  int made = 0;
  const auto make = [&] {
    ++made;
    return diagnostic(DiagnosticKind::kRace, "m");
  };
  for (std::uint64_t event = 0; event < 5; ++event) {
    findings.add({DiagnosticKind::kRace, 1, 2}, {0, event, 0}, 2, make);
  }
  EXPECT_EQ(1, made);
  EXPECT_EQ(10U, findings.all()[0].count);
}

TEST(Findings, KindsAndPairsOfLinesStayApart) {
  Findings findings;
  add(findings, DiagnosticKind::kRace, 3, {}, "a");
  add(findings, DiagnosticKind::kRace, 4, {}, "b");
  add(findings, DiagnosticKind::kUninitializedRead, 3, {}, "c");
  EXPECT_EQ(3U, findings.all().size());
  findings.clear();
  EXPECT_TRUE(findings.all().empty());
}

TEST(Findings, MergingInAnyOrderIsTheSame) {
  Findings early;
  Findings late;
  add(early, DiagnosticKind::kRace, 3, {1, 0, 0}, "early");
  add(late, DiagnosticKind::kRace, 3, {4, 0, 0}, "late");
  add(late, DiagnosticKind::kRace, 8, {5, 0, 0}, "other");
  auto one = early;
  one.merge(late);
  auto other = late;
  other.merge(early);
  for (const auto* merged : {&one, &other}) {
    const auto told = to_diagnostics(merged->all(), 16);
    ASSERT_EQ(2U, told.size());
    EXPECT_EQ("early This happened 2 times.", base::text(told[0]));
    EXPECT_EQ("other", base::text(told[1]));
  }
}

TEST(Findings, ARaceComesBeforeWhatElseItsBlockShows) {
  Findings findings;
  add(findings, DiagnosticKind::kUninitializedRead, 1, {3, 1, 0}, "read");
  add(findings, DiagnosticKind::kRace, 2, {3, 7, 0}, "race");
  add(findings, DiagnosticKind::kInputModified, 3, {2, 9, 0}, "earlier block");
  const auto told = to_diagnostics(findings.all(), 16);
  ASSERT_EQ(3U, told.size());
  EXPECT_EQ("earlier block", base::text(told[0]));
  EXPECT_EQ("race", base::text(told[1]));
  EXPECT_EQ("read", base::text(told[2]));
}

// Uninitialized reads have a limit of their own, because measure/undefined_values.h may drop all of
// them.
TEST(Findings, ReadsOfNothingTakeNoOtherFindingsPlace) {
  Findings findings;
  for (std::uint32_t line = 0; line < 3; ++line) {
    add(findings, DiagnosticKind::kUninitializedRead, line, {line, 0, 0}, "read");
    add(findings, DiagnosticKind::kInputModified, line + 10, {line + 10, 0, 0}, "write");
  }
  const auto told = to_diagnostics(findings.all(), 2);
  ASSERT_EQ(4U, told.size());
  EXPECT_EQ("read", base::text(told[0]));
  EXPECT_EQ("read 1 more finding at other lines is not shown.", base::text(told[1]));
  EXPECT_EQ("write", base::text(told[2]));
  EXPECT_EQ("write 1 more finding at other lines is not shown.", base::text(told[3]));
}

TEST(Findings, WhatTheLimitLeavesOutIsCounted) {
  Findings findings;
  for (std::uint32_t line = 0; line < 5; ++line) {
    add(findings, DiagnosticKind::kRace, line, {line, 0, 0}, "m");
  }
  const auto told = to_diagnostics(findings.all(), 2);
  ASSERT_EQ(2U, told.size());
  EXPECT_EQ("m", base::text(told[0]));
  EXPECT_EQ("m 3 more findings at other lines are not shown.", base::text(told[1]));
  EXPECT_TRUE(to_diagnostics(findings.all(), 0).empty());
}

}  // namespace warpgrade::check::finding_test

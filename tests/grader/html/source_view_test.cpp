// SPDX-License-Identifier: Apache-2.0
// Counters are beside their line, and a long source is cut down to the relevant parts.
#include "grader/html/source_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/report/picture_reports.h"

namespace warpgrade::grader::html::source_view_test {

using testing::HasSubstr;
using testing::Not;

TEST(SourceView, ALineHasItsCounters) {
  const auto page = source_view(report::pictured_copy().exercises[0]);
  EXPECT_THAT(
      page,
      HasSubstr(
          "<tr class=\"touch\"><td class=\"counts\">2</td><td class=\"counts "
          "requests\">10 global load</td><td class=\"counts\"><span "
          "class=\"bad\">32 sectors</span></td><td><code>  out[i] = in[i * 32];</code></td></tr>"));
}

TEST(SourceView, AFindingMarksItsLine) {
  auto report = report::slow_copy();
  auto& item = report.exercises[0];
  item.diagnostics = {{base::DiagnosticKind::kRace, {item.file, 1, 3}, "a race", {}, {}}};
  EXPECT_THAT(source_view(item), HasSubstr("<tr class=\"hit\"><td class=\"counts\">1</td>"));
}

TEST(SourceView, OfALongSourceTheMarkedPartsAreShown) {
  auto report = report::slow_copy();
  auto& item = report.exercises[0];
  item.source.clear();
  for (int i = 1; i <= 100; ++i) item.source += "// line " + std::to_string(i) + "\n";
  item.diagnostics = {{base::DiagnosticKind::kRace, {item.file, 50, 3}, "a race", {}, {}}};
  const auto page = source_view(item);
  EXPECT_THAT(page, HasSubstr("lines 1 to 41 left out"));
  EXPECT_THAT(page, HasSubstr("// line 42<"));
  EXPECT_THAT(page, HasSubstr("// line 58<"));
  EXPECT_THAT(page, HasSubstr("lines 59 to 100 left out"));
}

TEST(SourceView, ALineOfMegabytesIsCut) {
  auto report = report::slow_copy();
  report.exercises[0].source = "// " + std::string(5000000, 'x') + "\n";
  EXPECT_GT(2000U, source_view(report.exercises[0]).size());
}

TEST(SourceView, NoSourceIsNothing) {
  auto report = report::slow_copy();
  report.exercises[0].source.clear();
  EXPECT_EQ("", source_view(report.exercises[0]));
}

}  // namespace warpgrade::grader::html::source_view_test

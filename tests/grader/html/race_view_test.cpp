// SPDX-License-Identifier: Apache-2.0
// Shows the two accesses of a race and the missing order between them.
#include "grader/html/race_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/report/reports.h"

namespace warpgrade::grader::html::race_view_test {

using testing::HasSubstr;

base::Diagnostic race(const report::ExerciseReport& item) {
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kRace;
  out.where = {item.file, 2, 3};
  out.block = base::Dim3{0, 0, 0};
  out.thread = base::Dim3{32, 0, 0};
  base::Race facts;
  facts.does = base::Does::kRead;
  out.facts = facts;
  out.related = {{{item.file, 1, 1}, base::Does::kWrite, base::Dim3{0, 0, 0}, base::Dim3{0, 0, 0}}};
  return out;
}

TEST(RaceView, BothAccessesStandWithTheirThreadsAndLines) {
  const auto item = report::slow_copy().exercises[0];
  const auto view = race_view(item, race(item));
  EXPECT_THAT(view, HasSubstr("<h5>line 1</h5><p>thread (0, 0, 0) of block (0, 0, 0)</p>\n<pre>// "
                              "head</pre><p class=\"quiet\">thread (0, 0, 0) writes it</p>"));
  EXPECT_THAT(
      view,
      HasSubstr(
          "<h5>line 2</h5><p>thread (32, 0, 0) of block (0, 0, 0)</p>\n"
          "<pre>out[i] = in[i * 32];</pre><p class=\"quiet\">thread (32, 0, 0) reads it</p>"));
  EXPECT_THAT(view, HasSubstr("no barrier between them"));
}

TEST(RaceView, BlocksHaveNoBarrierToMiss) {
  const auto item = report::slow_copy().exercises[0];
  auto found = race(item);
  found.related[0].block = base::Dim3{1, 0, 0};
  EXPECT_THAT(race_view(item, found), HasSubstr("nothing orders two blocks"));
}

TEST(RaceView, AFindingWithoutAnotherAccessHasNone) {
  const auto item = report::slow_copy().exercises[0];
  auto found = race(item);
  found.related.clear();
  EXPECT_EQ("", race_view(item, found));
}

}  // namespace warpgrade::grader::html::race_view_test

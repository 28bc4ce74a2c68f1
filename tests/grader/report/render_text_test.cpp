// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/finding_text.h"
#include "tests/grader/report/picture_reports.h"

namespace warpgrade::grader::report::render_text_test {

// Diagnostics in colours.

base::Diagnostic race_at(std::uint32_t line, std::uint32_t column) {
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kRace;
  out.where = {"a.cu", line, column};
  out.message = "two race: threads";
  return out;
}

TEST(RenderDiagnostic, PlaceKindAndCaretAreColoured) {
  auto diagnostic = race_at(1, 3);
  diagnostic.kind = base::DiagnosticKind::kCompileError;
  diagnostic.message = "no operator";
  EXPECT_EQ(
      "\x1b[1ma.cu:1:3: \x1b[0m\x1b[31mcompile_error\x1b[0m: no operator\n"
      "    1 | x = y;\n"
      "\x1b[31m      |   ^\x1b[0m\n",
      render_diagnostic(diagnostic, "x = y;\n", text::Style(true)));
}

TEST(RenderDiagnostic, BareItIsTheTextOfTheDiagnostic) {
  const auto diagnostic = race_at(1, 3);
  EXPECT_EQ(base::render(diagnostic, "x = y;\n"),
            render_diagnostic(diagnostic, "x = y;\n", text::Style()));
}

TEST(RenderDiagnostic, AFileNamedAsTheKindIsNoKind) {
  auto diagnostic = race_at(2, 0);
  diagnostic.where.file = "race";
  EXPECT_EQ("\x1b[1mrace:2: \x1b[0m\x1b[31mrace\x1b[0m: two race: threads\n",
            render_diagnostic(diagnostic, "", text::Style(true)));
}

// Pictures as text, compared character by character.

using testing::HasSubstr;
using testing::Not;

std::string shown() { return render_pictures(pictured_copy().exercises[0]); }

TEST(RenderPictures, AReportWithoutThemIsNothing) {
  EXPECT_EQ("", render_pictures(slow_copy().exercises[0]));
}

TEST(RenderPictures, ASectorIsARowOfItsBytes) {
  EXPECT_THAT(shown(), HasSubstr("  line 2, global load of in: 32 sectors, 4 would do (h200)\n"
                                 "    in[0][0]  #.......  lane 0\n"
                                 "    in[1][0]  #.......  lane 1\n"));
  EXPECT_THAT(shown(), HasSubstr("    and 24 more sectors\n"));
}

TEST(RenderPictures, ABankIsAColumn) {
  EXPECT_THAT(shown(), HasSubstr("  line 2, shared load of tile: 2 wavefronts, 1 would do (h200)\n"
                                 "     1  ..0.............................\n"
                                 "     2  ..1.............................\n"));
}

TEST(RenderPictures, WrongElementsAreAMapOfTwoRowsALine) {
  auto report = pictured_copy();
  report.exercises[0].pictures->wrong = small_map();
  EXPECT_THAT(
      render_pictures(report.exercises[0]),
      HasSubstr("rows 1 to 2\n    xxxx\n    ----\n    . right   x wrong   - never written\n"));
}

TEST(RenderPictures, BlocksAreCountedByPartition) {
  auto report = pictured_copy();
  PartitionMap map;
  map.device = "gtx280";
  map.partitions = 2;
  map.blocks = 3;
  map.lines.push_back({7,
                       {run::Space::kGlobal, run::Operation::kStore},
                       "out",
                       4,
                       4,
                       4,
                       0,
                       {{0, 0, 1}, {1, 0, 1}, {2, 0, 0}}});
  report.exercises[0].pictures->partitions = map;
  EXPECT_THAT(render_pictures(report.exercises[0]),
              HasSubstr("  line 7, global store of out: the first 3 blocks, by partition "
                        "(gtx280)\n     0  ####################                      1\n"
                        "     1  ########################################  2\n"));
}

}  // namespace warpgrade::grader::report::render_text_test

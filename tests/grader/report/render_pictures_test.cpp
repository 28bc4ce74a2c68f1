// SPDX-License-Identifier: Apache-2.0
// Pictures as text, compared character by character.
#include "grader/report/render_pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/report/picture_reports.h"

namespace warpgrade::grader::report::render_pictures_test {

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

}  // namespace warpgrade::grader::report::render_pictures_test

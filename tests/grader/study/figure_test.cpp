// SPDX-License-Identifier: Apache-2.0
#include "grader/study/figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "grader/study/canvas.h"
#include "tests/grader/study/small_study.h"

namespace warpgrade::grader::study::figure_test {

// The partition of each element, and the block of each tile.

// A device with partitions of 256 bytes, which are 64 floats.
Picture picture(std::uint32_t rows, std::uint32_t columns) {
  Picture out;
  out.device = "gtx280";
  out.rows = rows;
  out.columns = columns;
  out.element_bytes = 4;
  out.tile = 32;
  out.tile_row = {"by", {}};
  out.tile_column = {"bx", {}};
  return out;
}

TEST(PartitionStretches, ARowChangesItsPartitionEvery256Bytes) {
  const auto all = partition_stretches(picture(1, 160));
  EXPECT_EQ((std::vector<Stretch>{{0, 0, 64, 0}, {0, 64, 128, 1}, {0, 128, 160, 2}}), all);
}

TEST(PartitionStretches, ColoursShiftWhereARowIsNoMultipleOfTheWidth) {
  const auto all = partition_stretches(picture(2, 96));
  EXPECT_EQ((std::vector<Stretch>{{0, 0, 64, 0}, {0, 64, 96, 1}, {1, 0, 32, 1}, {1, 32, 96, 2}}),
            all);
}

TEST(BlockTiles, ComeByIdWithTheirTile) {
  const auto tiles = block_tiles(picture(64, 96));
  ASSERT_EQ(6U, tiles.size());
  EXPECT_EQ((BlockTile{0, 0, 0}), tiles[0]);
  EXPECT_EQ((BlockTile{4, 1, 1}), tiles[4]);
}

TEST(BlockTiles, OutsideTheMatrixAreAMistake) {
  auto wrong = picture(64, 64);
  wrong.tile_column = {"bx + 1", {}};
  EXPECT_THROW(block_tiles(wrong), base::UsageError);
}

}  // namespace warpgrade::grader::study::figure_test

namespace warpgrade::grader::study::figure_test_too {

// Figures: the script for gnuplot, and pictures of partitions calculated by hand.

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Figure : public SmallStudy {};

Picture picture(std::uint32_t n) {
  Picture out;
  out.title = "a";
  out.device = "c1060";
  out.rows = out.columns = n;
  out.element_bytes = 8;
  out.tile = 32;
  out.tile_row = {"bx", {}};
  out.tile_column = {"mod(bx + by, gx)", {}};
  return out;
}

TEST_F(Figure, NamesAxesWithUnitsAndEverySeries) {
  const auto study = parse(kStudy);
  const auto script = figure_script(run_small(study, take_time));
  for (const auto* text :
       {"set xlabel 'elements'", "set ylabel 'GB/s'", "title 'the slow one'", "'the fast one'",
        "title 'the slow one, published'", "set title 'Copies, k40'", "32 128\n64 256\nEOD"}) {
    EXPECT_THAT(script, HasSubstr(text));
  }
  EXPECT_EQ(script, figure_script(run_small(study, take_time)));
  EXPECT_THAT(script, Not(HasSubstr(folder_.string())));
}

TEST_F(Figure, OneValueIsBars) {
  const auto study = parse(replaced(kStudy, "[32, 64]", "[64]"));
  const auto script = figure_script(run_small(study, take_time));
  EXPECT_THAT(script, HasSubstr("set ytics ('the slow one' 0, 'the fast one' 1)"));
  EXPECT_THAT(script, HasSubstr("with boxxyerror"));
}

TEST(GnuplotText, CannotLeaveItsQuotes) { EXPECT_EQ("'a''b`c\\x0ad'", gnuplot_text("a'b`c\nd")); }

// 256 doubles are 2048 bytes, the span of 8 partitions. A tile is 256 bytes wide, exactly one
// partition.
TEST(PartitionPicture, AMultipleOfTheSpanHasOneColourATile) {
  const auto stretches = partition_stretches(picture(256));
  ASSERT_EQ(256u * 8, stretches.size());
  for (const auto& stretch : stretches) {
    EXPECT_EQ(stretch.partition * 32, stretch.first);
    EXPECT_EQ(stretch.partition * 32 + 32, stretch.last);
  }
}

// A row of 255 doubles ends one element early: element (1, 0) is the 255th, still in partition 7.
TEST(PartitionPicture, OneElementLessShiftsTheColoursByOneARow) {
  const auto stretches = partition_stretches(picture(255));
  EXPECT_THAT(stretches, Contains(Stretch{0, 224, 255, 7}));
  EXPECT_THAT(stretches, Contains(Stretch{1, 0, 1, 7}));
  EXPECT_THAT(stretches, Contains(Stretch{1, 1, 33, 0}));
  // Tile (1, 1) begins with element 32 * 255 + 32 = 8192, which is 256 * 32: partition 0.
  EXPECT_THAT(stretches, Contains(Stretch{32, 32, 64, 0}));
}

// N = 256: partition 0 is a bar along the left edge. N = 255: a strip begins at columns 0 to 31 and
// moves right by one in each row. Its right edge meets the matrix's edge in row 223.
TEST(PartitionPicture, RowsThatShiftEvenlyAreOnePolygon) {
  const Frame frame{0, 0, 250, 272, 1000, 272};
  EXPECT_THAT(picture_panel(picture(256), "a").draw(frame),
              HasSubstr("set object polygon from 0,0 to 0,255 to 0,256 to 32,256 to 32,255 to 32,0 "
                        "to 0,0 behind fc rgb 7842525 "));
  EXPECT_THAT(
      picture_panel(picture(255), "a").draw(frame),
      HasSubstr("set object polygon from 0,0 to 254,254 to 254,255 to 255,255 to 255,254 to "
                "255,223 to 32,0 to 0,0 behind fc rgb 7842525 "));
}

// The lecture's picture: blocks 0 to 5 go down the diagonal; block 64 (here 8) is beside block 0.
TEST(PartitionPicture, BlocksGoDownTheDiagonal) {
  const auto tiles = block_tiles(picture(256));
  ASSERT_EQ(64u, tiles.size());
  EXPECT_EQ((BlockTile{0, 0, 0}), tiles[0]);
  EXPECT_EQ((BlockTile{5, 5, 5}), tiles[5]);
  EXPECT_EQ((BlockTile{8, 0, 1}), tiles[8]);
  EXPECT_EQ((BlockTile{15, 7, 0}), tiles[15]);
}

TEST(PartitionPicture, ABlockOutsideTheMatrixIsNamed) {
  auto wrong = picture(256);
  wrong.tile_row = {"bx + 1", {"studies/x.toml", 4, 2}};
  try {
    block_tiles(wrong);
    FAIL();
  } catch (const base::UsageError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("studies/x.toml:4:2: picture `a`: block (7, 0) would work on "
                          "tile row 8"));
  }
}

}  // namespace warpgrade::grader::study::figure_test_too

// SPDX-License-Identifier: Apache-2.0
// The partition of each element, and the block of each tile.
#include "grader/study/partition_picture.h"

#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::grader::study::partition_picture_test {

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

}  // namespace warpgrade::grader::study::partition_picture_test

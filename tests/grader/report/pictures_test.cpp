// SPDX-License-Identifier: Apache-2.0
// Requests as text.
#include "grader/report/pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/report/picture_reports.h"

namespace warpgrade::grader::report::pictures_test {

const PicturedDevice kDevice = {"h200", "NVIDIA H200", 32, 4};

std::string text_of(const PicturedLine& line) {
  const auto& request = line.requests.front();
  return request_text(line, request, kDevice, request.costs.front());
}

TEST(PictureText, AColumnIsToldWithItsSectorsAndWhatWouldDo) {
  EXPECT_EQ(
      "Warp 0 of block (3, 1, 0), iteration 1: 32 lanes read 4 bytes each of in, lane 0 at "
      "in[0][0], "
      "lane 31 at in[31][0]. On NVIDIA H200 they move 32 sectors of 32 bytes and use 128 of the "
      "1024 bytes (12.5 %): 4 sectors would be enough if the lanes used neighbouring words.",
      text_of(column_load()));
}

TEST(PictureText, AConflictNamesItsBank) {
  EXPECT_EQ(
      "Warp 0 of block (1, 1, 1), iteration 1: 2 lanes read 4 bytes each of tile, lane 0 at "
      "tile[0][2], "
      "lane 1 at tile[1][2]. On NVIDIA H200 it needs 2 wavefronts instead of 1: bank 2 must "
      "deliver "
      "2 different words, one at a time.",
      text_of(conflicting_load()));
}

TEST(PictureText, AConflictOfAtomicsNamesTheirUpdates) {
  auto line = conflicting_load();
  line.line.operation.operation = run::Operation::kReduction;
  EXPECT_THAT(text_of(line), testing::EndsWith("bank 2 must make 2 updates, one at a time."));
}

TEST(PictureText, OneLaneOutsideEveryBufferIsToldByItsAddress) {
  auto line = column_load();
  line.line.operation.operation = run::Operation::kStore;
  line.line.memory = {};
  auto& request = line.requests.front();
  request.traced.mask = 0x4;
  request.traced.pass = 2;
  request.costs[0].sectors = 1;
  request.costs[0].used_bytes = 4;
  EXPECT_EQ(
      "Warp 0 of block (3, 1, 0), iteration 3: 1 lane writes 4 bytes of memory outside every "
      "buffer, at "
      "address 0x1100. On NVIDIA H200 they move 1 sector of 32 bytes and use 4 of the 32 bytes "
      "(12.5 %): the minimum.",
      text_of(line));
}

TEST(PictureText, PlacesFollowTheShape) {
  auto line = column_load();
  EXPECT_EQ("in[2][5]", place_text(line, 4 * (2 * 32 + 5)));
  line.rows = 1;
  EXPECT_EQ("in[7]", place_text(line, 28));
  auto shared = conflicting_load();
  EXPECT_EQ("tile[1][1]", place_text(shared, 132));
  shared.line.memory.bytes = 2048;  // Too small for a tile of 32 rows.
  EXPECT_EQ("tile, byte 132", place_text(shared, 132));
}

TEST(PictureText, ATileHas32RowsOfAtLeast32Words) {
  EXPECT_EQ(128U, tile_row_bytes(4096));
  EXPECT_EQ(132U, tile_row_bytes(32 * 33 * 4));
  EXPECT_EQ(264U, tile_row_bytes(32 * 33 * 8));
  EXPECT_EQ(0U, tile_row_bytes(2048));
  EXPECT_EQ(0U, tile_row_bytes(4100));
  EXPECT_EQ(0U, tile_row_bytes(65536));
}

TEST(PictureText, AnUnalignedRowIsNotCostly) {
  auto line = column_load();
  RequestCost cost;
  cost.used_bytes = 128;
  cost.sectors = 5;
  EXPECT_FALSE(is_costly(line, cost));
  cost.sectors = 6;
  EXPECT_TRUE(is_costly(line, cost));
}

}  // namespace warpgrade::grader::report::pictures_test

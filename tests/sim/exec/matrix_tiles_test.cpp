// SPDX-License-Identifier: Apache-2.0
// ldmatrix, stmatrix and movmatrix: where elements go, and the faults of their addresses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"

namespace warpgrade::sim::matrix_tiles_test {

using testing::HasSubstr;

// 512 bytes of shared memory, in which byte i holds i modulo 256. %r20 is the address of the lane's
// row of 16 bytes.
const std::string kFilled =
    ".shared .align 16 .b8 room[512];\nmov.u32 %r20, room;\nmad.lo.u32 %r20, %r29, 16, %r20;\n"
    "mul.lo.u32 %r21, %r29, 0x10101010;\nadd.u32 %r21, %r21, 0x03020100;\n"
    "st.shared.u32 [%r20], %r21;\nadd.u32 %r21, %r21, 0x04040404;\n"
    "st.shared.u32 [%r20+4], %r21;\nadd.u32 %r21, %r21, 0x04040404;\n"
    "st.shared.u32 [%r20+8], %r21;\nadd.u32 %r21, %r21, 0x04040404;\n"
    "st.shared.u32 [%r20+12], %r21;\nbar.sync 0;\n";

TEST(Tiles, FourLanesHaveARowOfATile) {
  const auto got =
      words(kFilled + "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r4, %r6, %r7}, [%r20];");
  // Tile 1: rows 8 to 15. Lane 5: row 9, bytes 4 to 7 of it.
  EXPECT_EQ(0x83828180U, got[0]);
  EXPECT_EQ(0x97969594U, got[5]);
}

TEST(Tiles, TransposedLanesHaveAColumn) {
  const auto got = words(kFilled + "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r4}, [%r20];");
  // Lane 5: column 1 (bytes 2 and 3), rows 2 and 3.
  EXPECT_EQ(0x33322322U, got[5]);
}

TEST(Tiles, MovingATileTransposesIt) {
  const auto got = words(
      "mad.lo.u32 %r5, %r29, 0x00020002, 0x00010000;"
      "movmatrix.sync.aligned.m8n8.trans.b16 %r4, %r5;");
  // Element (row, column) is 8 * row + column. Lane 5: column 1, rows 2 and 3.
  EXPECT_EQ(25U << 16 | 17U, got[5]);
}

TEST(Tiles, AreStoredAsTheyAreLoaded) {
  for (const std::string trans : {"", ".trans"}) {
    const auto got = words(
        ".shared .align 16 .b8 room[256];\nmov.u32 %r20, room;\nmad.lo.u32 %r20, %r29, 16, %r20;\n"
        "add.u32 %r5, %r29, 100;\nmov.u32 %r6, 7;\n"
        "stmatrix.sync.aligned.m8n8.x2" +
        trans +
        ".shared.b16 [%r20], {%r6, %r5};\n"
        "ldmatrix.sync.aligned.m8n8.x2" +
        trans + ".shared.b16 {%r7, %r4}, [%r20];");
    for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(100 + lane, got[lane]);
  }
}

TEST(Tiles, RowsNeedSixteenBytesAlignedAndInside) {
  EXPECT_THAT(fault(kFilled + "add.u32 %r20, %r20, 8;\n"
                              "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r20];"),
              HasSubstr("misaligned"));
  EXPECT_THAT(fault(kFilled + "add.u32 %r20, %r20, 256;\n"
                              "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7},"
                              "[%r20];"),
              HasSubstr("out_of_bounds"));
}

}  // namespace warpgrade::sim::matrix_tiles_test

// SPDX-License-Identifier: Apache-2.0
// Bits of a word: counts, searches and fields, with positions and lengths past the width.
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"

namespace warpgrade::sim::bits_test {

TEST(BitInstructions, KeepInactiveLanesAndMayWriteASource) {
  for (const auto* form :
       {"popc.b32 $d, %r1", "clz.b32 $d, %r1", "brev.b32 $d, %r1", "bfind.s32 $d, %r1",
        "bfind.shiftamt.u32 $d, %r1", "bfe.s32 $d, %r1, %r2, 7", "bfi.b32 $d, %r1, %r3, %r2, 9",
        "popc.b64 $d, %rd11", "bfind.u64 $d, %rd11"}) {
    expect_lane_rules("r", form);
  }
  for (const auto* form :
       {"brev.b64 $d, %rd11", "bfe.u64 $d, %rd11, %r29, 9", "bfi.b64 $d, %rd11, %rd12, %r29, 9"}) {
    expect_lane_rules("rd", form);
  }
}

TEST(BitInstructions, NoBitSetIsTheWidthOrNoPosition) {
  EXPECT_EQ(0U, word("mov.u32 %r5, 0; popc.b32 %r4, %r5;"));
  EXPECT_EQ(32U, word("mov.u32 %r5, 0; clz.b32 %r4, %r5;"));
  EXPECT_EQ(64U, word("mov.u64 %rd5, 0; clz.b64 %r4, %rd5;"));
  EXPECT_EQ(0xffffffffU, word("mov.u32 %r5, 0; bfind.u32 %r4, %r5;"));
  EXPECT_EQ(0xffffffffU, word("mov.u32 %r5, -1; bfind.s32 %r4, %r5;"));
  EXPECT_EQ(0xffffffffU, word("mov.u32 %r5, 0; bfind.shiftamt.u32 %r4, %r5;"));
}

TEST(BitInstructions, ASignedSearchLooksForTheFirstBitThatIsNotTheSign) {
  EXPECT_EQ(3U, word("mov.u32 %r5, 0xfffffff7; bfind.s32 %r4, %r5;"));
  EXPECT_EQ(28U, word("mov.u32 %r5, 0xfffffff7; bfind.shiftamt.s32 %r4, %r5;"));
  EXPECT_EQ(31U, word("mov.u32 %r5, 0xfffffff7; bfind.u32 %r4, %r5;"));
}

TEST(BitInstructions, AFieldPastTheTopIsFilledWithTheSignOrZeros) {
  EXPECT_EQ(0x8U, word("mov.u32 %r5, 0x80000000; bfe.u32 %r4, %r5, 28, 16;"));
  EXPECT_EQ(0xfffffff8U, word("mov.u32 %r5, 0x80000000; bfe.s32 %r4, %r5, 28, 16;"));
  EXPECT_EQ(0U, word("mov.u32 %r5, -1; bfe.s32 %r4, %r5, 4, 0;"));
  EXPECT_EQ(0xffffffffU, word("mov.u32 %r5, 0x80000000; bfe.s32 %r4, %r5, 40, 4;"));
  EXPECT_EQ(0U, word("mov.u32 %r5, -1; bfe.u32 %r4, %r5, 32, 4;"));
}

TEST(BitInstructions, AnInsertionStaysInsideTheWord) {
  EXPECT_EQ(0xf0000000U, word("mov.u32 %r5, 0xff; mov.u32 %r6, 0; bfi.b32 %r4, %r5, %r6, 28, 8;"));
  EXPECT_EQ(7U, word("mov.u32 %r5, -1; mov.u32 %r6, 7; bfi.b32 %r4, %r5, %r6, 32, 8;"));
  EXPECT_EQ(7U, word("mov.u32 %r5, -1; mov.u32 %r6, 7; bfi.b32 %r4, %r5, %r6, 4, 0;"));
  EXPECT_EQ(0xffffffffU, word("mov.u32 %r5, -1; mov.u32 %r6, 7; bfi.b32 %r4, %r5, %r6, 0, 64;"));
}

TEST(BitInstructions, PositionAndLengthAreBytesInTheirRegisters) {
  EXPECT_EQ(0x3U, word("mov.u32 %r5, 0x30; mov.u32 %r6, 0x104; bfe.u32 %r4, %r5, %r6, 2;"));
}

TEST(BitInstructions, TypesThatPtxDoesNotHaveAreRefused) {
  EXPECT_NE("", refusal("popc.u32 %r4, %r1;"));
  EXPECT_NE("", refusal("bfe.b32 %r4, %r1, %r2, %r3;"));
  EXPECT_NE("", refusal("clz.s32 %r4, %r1;"));
}

}  // namespace warpgrade::sim::bits_test

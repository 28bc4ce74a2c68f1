// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"

namespace warpgrade::sim::bits_test {

// Bits of a word: counts, searches and fields, with positions and lengths past the width.

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

// Logic, shifts and permutations of bits, on words and on predicates, and the moves between slots.

TEST(LogicInstructions, KeepInactiveLanesAndMayWriteASource) {
  for (const auto* form :
       {"and.b32 $d, %r1, %r2", "or.b32 $d, %r1, %r2", "xor.b32 $d, %r1, %r2", "not.b32 $d, %r1",
        "cnot.b32 $d, %r1", "shl.b32 $d, %r1, %r29", "shr.s32 $d, %r1, %r29",
        "shf.l.wrap.b32 $d, %r1, %r2, %r29", "lop3.b32 $d, %r1, %r2, %r3, 0x96",
        "prmt.b32 $d, %r1, %r2, %r3", "mov.b32 $d, %r1"}) {
    expect_lane_rules("r", form);
  }
  for (const auto* form :
       {"and.pred $d, %p1, %p2", "xor.pred $d, %p1, %p2", "not.pred $d, %p1", "mov.pred $d, %p1"}) {
    expect_lane_rules("p", form);
  }
  expect_lane_rules("rd", "shr.u64 $d, %rd11, %r29");
  expect_lane_rules("rd", "mov.b64 $d, {%r1, %r2}");
  expect_lane_rules("h", "xor.b16 $d, %h1, %h2");
}

TEST(LogicInstructions, ShiftsPastTheWidthLeaveZerosOrTheSign) {
  EXPECT_EQ(0U, word("mov.u32 %r5, 1; mov.u32 %r6, 0xffffffff; shl.b32 %r4, %r5, %r6;"));
  EXPECT_EQ(0xffffffffU, word("mov.u32 %r5, 0x80000000; mov.u32 %r6, 32; shr.s32 %r4, %r5, %r6;"));
  EXPECT_EQ(0ULL, long_word("mov.u64 %rd5, -1; mov.u32 %r6, 64; shr.u64 %rd4, %rd5, %r6;"));
  EXPECT_EQ(~0ULL, long_word("mov.u64 %rd5, -1; mov.u32 %r6, 64; shr.s64 %rd4, %rd5, %r6;"));
  EXPECT_EQ(0U, word("mov.u16 %h4, 0xffff; mov.u32 %r6, 16; shl.b16 %h5, %h4, %r6;"
                     "cvt.u32.u16 %r4, %h5;"));
}

TEST(LogicInstructions, FunnelShiftsWrapOrClampTheirAmount) {
  const std::string words_of = "mov.u32 %r5, 0x80000001; mov.u32 %r6, 0x00000002;";
  EXPECT_EQ(0x00000005U, word(words_of + "shf.l.wrap.b32 %r4, %r5, %r6, 33;"));
  EXPECT_EQ(0x80000001U, word(words_of + "shf.l.clamp.b32 %r4, %r5, %r6, 33;"));
  EXPECT_EQ(0x40000000U, word(words_of + "shf.r.wrap.b32 %r4, %r5, %r6, 33;"));
  EXPECT_EQ(0x00000002U, word(words_of + "shf.r.clamp.b32 %r4, %r5, %r6, 33;"));
}

// The table's bit 4 * a + 2 * b + c is the result.
TEST(LogicInstructions, Lop3LooksEachBitUp) {
  const std::string sources = "mov.u32 %r5, 0xf0; mov.u32 %r6, 0xcc; mov.u32 %r7, 0xaa;";
  for (const std::uint32_t table : {0x00U, 0x01U, 0x80U, 0x96U, 0xe8U, 0xffU}) {
    EXPECT_EQ(table, word(sources + "lop3.b32 %r4, %r5, %r6, %r7, " + std::to_string(table) +
                          "; and.b32 %r4, %r4, 0xff;"));
  }
}

TEST(LogicInstructions, Lop3GivesAPredicateToo) {
  const std::string no = "setp.ne.u32 %p5, %r29, %r29;";
  EXPECT_EQ(1U, word(no + "lop3.or.b32 %r5|%p3, 1, 2, 4, 0xfe, %p5; selp.u32 %r4, 1, 0, %p3;"));
  EXPECT_EQ(0U, word(no + "lop3.or.b32 %r5|%p3, 0, 0, 0, 0xfe, %p5; selp.u32 %r4, 1, 0, %p3;"));
  EXPECT_EQ(0U, word(no + "lop3.and.b32 %r5|%p3, 1, 2, 4, 0xfe, %p5; selp.u32 %r4, 1, 0, %p3;"));
}

TEST(LogicInstructions, PrmtModesChooseBytesByTheManualsTable) {
  const std::string bytes = "mov.u32 %r5, 0x33221100; mov.u32 %r6, 0x77665544;";
  EXPECT_EQ(0x44332211U, word(bytes + "prmt.b32.f4e %r4, %r5, %r6, 1;"));
  EXPECT_EQ(0x66770011U, word(bytes + "prmt.b32.b4e %r4, %r5, %r6, 1;"));
  EXPECT_EQ(0x22222222U, word(bytes + "prmt.b32.rc8 %r4, %r5, %r6, 2;"));
  EXPECT_EQ(0x33222222U, word(bytes + "prmt.b32.ecl %r4, %r5, %r6, 2;"));
  EXPECT_EQ(0x11111100U, word(bytes + "prmt.b32.ecr %r4, %r5, %r6, 1;"));
  EXPECT_EQ(0x33223322U, word(bytes + "prmt.b32.rc16 %r4, %r5, %r6, 1;"));
}

TEST(LogicInstructions, PrmtRepeatsTheSignOfAByte) {
  EXPECT_EQ(0x00ff00ffU, word("mov.u32 %r5, 0x7f80; prmt.b32 %r4, %r5, 0, 0x9898;"));
}

TEST(LogicInstructions, VectorsArePackedLowPartFirst) {
  EXPECT_EQ(0x04030201U,
            word("mov.b16 %h4, 0x0201; mov.b16 %h5, 0x0403; mov.b32 %r4, {%h4, %h5};"));
  EXPECT_EQ(0x0403U,
            word("mov.b32 %r5, 0x04030201; mov.b32 {%h4, %h5}, %r5; cvt.u32.u16 %r4, %h5;"));
}

TEST(LogicInstructions, AVectorMayBeTakenApartIntoItsOwnParts) {
  EXPECT_EQ(0x0000000100000002ULL,
            long_word("mov.u64 %rd5, 0x0000000200000001; mov.b64 {%r5, %r6}, %rd5;"
                      "mov.b64 %rd4, {%r6, %r5};"));
}

TEST(LogicInstructions, ArithmeticOfPredicatesIsRefused) {
  EXPECT_NE("", refusal("shl.pred %p3, %p1, 1;"));
  EXPECT_NE("", refusal("cnot.pred %p3, %p1;"));
}

}  // namespace warpgrade::sim::bits_test

// SPDX-License-Identifier: Apache-2.0
// Integers packed into a word: bytes and halves that must not carry into each other.

#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"

namespace warpgrade::sim::packed_test {

TEST(PackedInstructions, KeepInactiveLanesAndMayWriteASource) {
  for (const auto* form : {"dp4a.u32.s32 $d, %r1, %r2, %r3", "dp2a.lo.s32.u32 $d, %r1, %r2, %r3",
                           "vabsdiff4.u32.u32.u32.add $d, %r1, %r2, %r3", "add.u16x2 $d, %r1, %r2",
                           "max.s16x2 $d, %r1, %r2", "bmsk.clamp.b32 $d, %r1, %r2",
                           "szext.wrap.s32 $d, %r1, %r2", "fns.b32 $d, %r1, %r29, %r2"}) {
    expect_lane_rules("r", form);
  }
}

TEST(PackedInstructions, HalvesWrapOnTheirOwn) {
  EXPECT_EQ(0x00000000U, word("mov.b32 %r5, 0xffffffff; add.u16x2 %r4, %r5, 0x00010001;"));
  EXPECT_EQ(0x0001ffffU, word("mov.b32 %r5, 0x0001ffff; mov.b32 %r6, 0x00020001;"
                              "min.s16x2 %r4, %r5, %r6;"));
  EXPECT_EQ(0x00010001U, word("mov.b32 %r5, 0x0001ffff; mov.b32 %r6, 0x00020001;"
                              "min.u16x2 %r4, %r5, %r6;"));
  EXPECT_EQ(0x00010000U, word("mov.b32 %r5, 0x0001ffff; mov.b32 %r6, 0x00020001;"
                              "min.relu.s16x2 %r4, %r5, %r6;"));
}

TEST(PackedInstructions, DotProductsReadBytesByTheirSigns) {
  // Each byte is -1 or 255.
  EXPECT_EQ(4U * 255 * 255, word("mov.b32 %r5, -1; dp4a.u32.u32 %r4, %r5, %r5, 0;"));
  EXPECT_EQ(4U, word("mov.b32 %r5, -1; dp4a.s32.s32 %r4, %r5, %r5, 0;"));
  EXPECT_EQ(static_cast<std::uint32_t>(-4 * 255),
            word("mov.b32 %r5, -1; dp4a.u32.s32 %r4, %r5, %r5, 0;"));
  // The halves 2 and 3, times the upper bytes 5 and 4, plus 100.
  EXPECT_EQ(2U * 5 + 3 * 4 + 100,
            word("mov.b32 %r5, 0x00030002; mov.b32 %r6, 0x04050607; dp2a.hi.u32.u32 %r4, %r5, %r6, "
                 "100;"));
}

TEST(PackedInstructions, DistancesAreTakenByteByByte) {
  const std::string values = "mov.b32 %r5, 0xff00807f; mov.b32 %r6, 0x00ff7f80;";
  EXPECT_EQ(0xffff0101U, word(values + "vabsdiff4.u32.u32.u32 %r4, %r5, %r6, 0;"));
  EXPECT_EQ(2U * 255 + 2, word(values + "vabsdiff4.u32.u32.u32.add %r4, %r5, %r6, 0;"));
}

TEST(PackedInstructions, MasksAndExtensionsWrapOrClamp) {
  EXPECT_EQ(0xfffffff0U, word("bmsk.clamp.b32 %r4, 4, 40;"));
  EXPECT_EQ(0x00000ff0U, word("bmsk.wrap.b32 %r4, 36, 40;"));
  EXPECT_EQ(0U, word("bmsk.clamp.b32 %r4, 32, 4;"));
  EXPECT_EQ(0xffffffffU, word("szext.clamp.s32 %r4, 0xff, 8;"));
  EXPECT_EQ(0x000000ffU, word("szext.clamp.u32 %r4, 0xfff, 8;"));
  EXPECT_EQ(0U, word("szext.wrap.u32 %r4, 0xfff, 32;"));
  EXPECT_EQ(0xfffU, word("szext.clamp.u32 %r4, 0xfff, 32;"));
}

TEST(PackedInstructions, FnsSearchesBothWays) {
  EXPECT_EQ(5U, word("fns.b32 %r4, 0x2a, 2, 2;"));  // bits 1, 3, 5: the second from 2 upwards
  EXPECT_EQ(1U, word("fns.b32 %r4, 0x2a, 3, -2;"));
  EXPECT_EQ(3U, word("fns.b32 %r4, 0x2a, 3, 0;"));
  EXPECT_EQ(0xffffffffU, word("fns.b32 %r4, 0x2a, 2, 0;"));
  EXPECT_EQ(0xffffffffU, word("fns.b32 %r4, 0x2a, 0, 4;"));
}

}  // namespace warpgrade::sim::packed_test

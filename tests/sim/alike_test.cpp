// SPDX-License-Identifier: Apache-2.0
#include "common/sim/alike.h"

#include <gtest/gtest.h>

#include <string>

namespace warpgrade::sim::alike_test {

compile::Program program(const std::string& target, const std::string& body) {
  compile::Program out;
  out.ptx = "//\n.version 9.0\n.target " + target + "\n.address_size 64\n" + body;
  return out;
}

bool are_alike_with(const std::string& body) {
  return are_alike(program("sm_75", body), program("sm_90", body));
}

TEST(Alike, ProgramsThatDifferInTheirTargetAloneAreAlike) {
  EXPECT_TRUE(are_alike_with(".visible .entry copy()\n{\n\tret;\n}\n"));
}

TEST(Alike, AnyOtherDifferenceCounts) {
  EXPECT_FALSE(are_alike(program("sm_75", "add.s32 %r1, %r2, 75;\n"),
                         program("sm_90", "add.s32 %r1, %r2, 90;\n")));
  EXPECT_FALSE(are_alike(program("sm_75", "\tret;\n"), program("sm_90", "\tret;\n\tret;\n")));
  // Only the module's own directive may differ.
  EXPECT_FALSE(
      are_alike(program("sm_75", "\n.target sm_75\n"), program("sm_75", "\n.target sm_90\n")));
}

TEST(Alike, WhatAsksForItsDeviceIsLikeNoOther) {
  EXPECT_FALSE(are_alike_with("mov.u32 %r1, %smid;\n"));
  EXPECT_FALSE(are_alike_with("mov.u32 %r1, %nsmid;\n"));
  EXPECT_FALSE(are_alike_with("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f1};\n"));
  EXPECT_FALSE(are_alike_with("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1};\n"));
}

TEST(Alike, NothingIsKnownOfProgramsWithoutText) {
  EXPECT_FALSE(are_alike(compile::Program(), compile::Program()));
}

}  // namespace warpgrade::sim::alike_test

// SPDX-License-Identifier: Apache-2.0
// Loads, stores and address conversions: bytes, vectors, spaces, and inactive lanes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::memory_test {

using testing::Each;

// %rd4 of 32 lanes after `body`. Each lane's word of `in` is 0x80ff01020304f506.
std::vector<std::uint64_t> loaded(const std::string& body) {
  PtxLaunch launch;
  launch.in.assign(32, 0x80ff01020304f506);
  launch.body = body + " st.global.u64 [%rd1], %rd4;";
  const auto run = run_ptx(launch);
  expect_clean(run);
  return run.out;
}

TEST(Loads, ExtendNarrowValuesByTheirType) {
  EXPECT_THAT(loaded("ld.global.u8 %r5, [%rd2+7]; cvt.u64.u32 %rd4, %r5;"), Each(0x80U));
  EXPECT_THAT(loaded("ld.global.s8 %r5, [%rd2+7]; cvt.u64.u32 %rd4, %r5;"), Each(0xffffff80U));
  EXPECT_THAT(loaded("ld.global.s16 %rd4, [%rd2];"), Each(0xfffffffffffff506U));
  EXPECT_THAT(loaded("ld.global.u16 %rd4, [%rd2];"), Each(0xf506U));
}

TEST(Loads, UnderAGuardLeaveTheOtherLanesAlone) {
  const auto out =
      loaded("mov.u64 %rd4, 9; setp.lt.u32 %p1, %r29, 3; @%p1 ld.global.u64 %rd4, [%rd2];");
  EXPECT_EQ(0x80ff01020304f506U, out[2]);
  EXPECT_EQ(9U, out[3]);
}

TEST(Loads, MayReplaceTheirAddress) {
  EXPECT_THAT(loaded("mov.u64 %rd4, %rd2; ld.global.u64 %rd4, [%rd4];"), Each(0x80ff01020304f506U));
}

TEST(Loads, VectorsFillTheirRegistersInOrder) {
  EXPECT_THAT(loaded("ld.global.v2.u32 {%r5, %r6}, [%rd2]; mov.b64 %rd4, {%r6, %r5};"),
              Each(0x0304f50680ff0102U));
  EXPECT_THAT(loaded("ld.global.v4.u16 {%h1, %h2, %h3, %h4}, [%rd2];"
                     "mov.b64 %rd4, {%h4, %h3, %h2, %h1};"),
              Each(0xf5060304010280ffU));
  EXPECT_THAT(loaded("ld.global.v2.u32 {_, %r6}, [%rd2]; cvt.u64.u32 %rd4, %r6;"),
              Each(0x80ff0102U));
}

TEST(Stores, WriteTheirBytesOnly) {
  PtxLaunch launch;
  launch.body = "mov.u32 %r5, 0xaabbccdd; st.global.u8 [%rd1+2], %r5; st.global.u16 [%rd1+4], %r5;";
  EXPECT_THAT(run_ptx(launch).out, Each(0x0000ccdd00dd0000U));
}

TEST(Stores, ToOnePlaceLeaveTheLastLanesValue) {
  PtxLaunch launch;
  launch.body = "ld.param.u64 %rd5, [p_out]; cvt.u64.u32 %rd6, %r29; st.global.u64 [%rd5], %rd6;";
  EXPECT_EQ(31U, run_ptx(launch).out[0]);
  launch.body =
      "setp.lt.u32 %p1, %r29, 9; ld.param.u64 %rd5, [p_out]; cvt.u64.u32 %rd6, %r29;"
      "@%p1 st.global.u64 [%rd5], %rd6;";
  EXPECT_EQ(8U, run_ptx(launch).out[0]);
}

TEST(Spaces, AGenericPointerReachesEachSpaceByItsOwnLanes) {
  // Odd lanes point to shared memory, even ones to `in`.
  PtxLaunch launch;
  launch.before = ".shared .align 8 .b8 tile[256];";
  launch.in.assign(32, 5);
  launch.body =
      "mov.u64 %rd5, tile; mul.wide.u32 %rd6, %r29, 8; add.u64 %rd5, %rd5, %rd6; mov.u64 %rd7, 6;"
      "st.shared.u64 [%rd5], %rd7; cvta.shared.u64 %rd8, %rd5; and.b32 %r5, %r29, 1;"
      "setp.eq.u32 %p1, %r5, 1; selp.u64 %rd9, %rd8, %rd2, %p1; ld.u64 %rd10, [%rd9];"
      "isspacep.shared %p2, %rd9; selp.u64 %rd11, 100, 0, %p2; add.u64 %rd10, %rd10, %rd11;"
      "st.global.u64 [%rd1], %rd10;";
  const auto run = run_ptx(launch);
  expect_clean(run);
  for (std::size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(lane % 2 == 1 ? 106U : 5U, run.out[lane]);
}

TEST(Spaces, ThereAndBackIsTheSameAddress) {
  EXPECT_EQ(0x40ULL, long_word("mov.u64 %rd5, 0x40; cvta.local.u64 %rd6, %rd5;"
                               "cvta.to.local.u64 %rd4, %rd6;"));
  expect_lane_rules("rd", "cvta.shared.u64 $d, %rd11");
  expect_lane_rules("p", "isspacep.global $d, %rd11");
}

TEST(Spaces, ConstantsAreRead) {
  PtxLaunch launch;
  launch.before = ".const .align 8 .b64 table[2] = {3, 4};";
  launch.body = "ld.const.u64 %rd5, [table+8]; st.global.u64 [%rd1], %rd5;";
  EXPECT_THAT(run_ptx(launch).out, Each(4U));
}

TEST(Loads, HintsAndOrderModifiersChangeNoValue) {
  for (const auto* form :
       {"ld.global.nc.u64", "ld.volatile.global.u64", "ld.acquire.gpu.global.u64",
        "ld.relaxed.sys.global.u64", "ld.global.cs.u64", "ldu.global.u64"}) {
    EXPECT_THAT(loaded(std::string(form) + " %rd4, [%rd2];"), Each(0x80ff01020304f506U)) << form;
  }
  EXPECT_THAT(loaded("prefetch.global.L2 [%rd2]; mov.u64 %rd4, 1;"), Each(1U));
}

TEST(Loads, ARegisterThatIsTooNarrowIsRefused) {
  EXPECT_NE("", refusal("ld.global.u64 %r5, [%rd2];"));
  EXPECT_NE("", refusal("ld.global.v2.u32 {%r5, %r6, %r7}, [%rd2];"));
  EXPECT_NE("", refusal("ld.global.v4.u64 {%rd5, %rd6, %rd7, %rd8}, [%rd2];"));
}

}  // namespace warpgrade::sim::memory_test

// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/sim/lane_rules.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::memory_test {

// Loads, stores and address conversions: bytes, vectors, spaces, and inactive lanes.

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

TEST(Spaces, OneGenericPointerToLocalMemoryIsAnotherWordForEachLane) {
  PtxLaunch launch;
  launch.body =
      ".local .align 8 .b8 own[16]; mov.u64 %rd5, own; cvta.local.u64 %rd6, %rd5;"
      "cvt.u64.u32 %rd7, %r29; st.u64 [%rd6+8], %rd7; ld.u64 %rd8, [%rd6+8];"
      "st.global.u64 [%rd1], %rd8;";
  const auto run = run_ptx(launch);
  expect_clean(run);
  EXPECT_EQ(iota(32), run.out);
}

TEST(Spaces, LocalAndSharedMemoryCanMeetInOneInstruction) {
  // Odd lanes point to shared memory, even ones to their own.
  PtxLaunch launch;
  launch.before = ".shared .align 8 .b8 tile[8];";
  launch.body =
      ".local .align 8 .b8 own[8]; mov.u64 %rd5, own; mov.u64 %rd6, tile; mov.u64 %rd7, 6;"
      "st.shared.u64 [%rd6], %rd7; st.local.u64 [%rd5], 5; cvta.local.u64 %rd5, %rd5;"
      "cvta.shared.u64 %rd6, %rd6; and.b32 %r5, %r29, 1; setp.eq.u32 %p1, %r5, 1;"
      "selp.u64 %rd9, %rd6, %rd5, %p1; ld.u64 %rd10, [%rd9]; st.global.u64 [%rd1], %rd10;";
  const auto run = run_ptx(launch);
  expect_clean(run);
  for (std::size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(lane % 2 == 1 ? 6U : 5U, run.out[lane]);
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

// atom and red: lanes one after the other, the old value as the result, and the types of each
// operation.

TEST(Atomics, AddLanesOneAfterTheOther) {
  PtxLaunch launch;
  launch.before = ".global .u64 counter = 5;";
  launch.threads = 64;
  launch.blocks = 3;
  launch.body = "atom.global.add.u64 %rd5, [counter], 1; st.global.u64 [%rd1], %rd5;";
  const auto run = run_ptx(launch);
  auto sorted = run.out;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) EXPECT_EQ(i + 5, sorted[i]);
}

// A word of shared memory after `instruction` by each of the first `lanes` lanes; %r5 is the lane.
std::uint64_t after(const std::string& instruction, std::uint64_t before, std::uint32_t lanes) {
  PtxLaunch launch;
  launch.before = ".shared .align 8 .b8 place[8];";
  launch.in = {before};
  launch.body = fmt::format(
      "mov.u64 %rd10, place; ld.param.u64 %rd5, [p_in]; ld.global.u64 %rd6, [%rd5];"
      "st.shared.u64 [%rd10], %rd6; bar.sync 0; mov.u32 %r5, %r29; cvt.u64.u32 %rd8, %r29;"
      "cvt.rn.f32.u32 %f5, %r29; setp.lt.u32 %p1, %r29, {}; @%p1 {}; bar.sync 0;"
      "ld.shared.u64 %rd9, [%rd10]; st.global.u64 [%rd1], %rd9;",
      lanes, instruction);
  const auto run = run_ptx(launch);
  expect_clean(run);
  EXPECT_THAT(run.out, Each(run.out[0]));
  return run.out[0];
}

TEST(Atomics, OnlyActiveLanesTakePart) {
  EXPECT_EQ(0U + 1 + 2 + 3, after("red.shared.add.u32 [%rd10], %r5", 0, 4));
  EXPECT_EQ(496U, after("red.shared.add.u64 [%rd10], %rd8", 0, 32));
}

TEST(Atomics, MinimumAndMaximumKnowTheSign) {
  EXPECT_EQ(0xffffffffU, after("red.shared.min.s32 [%rd10], %r5", 0xffffffff, 8));
  EXPECT_EQ(0U, after("red.shared.min.u32 [%rd10], %r5", 0xffffffff, 8));
  EXPECT_EQ(7U, after("red.shared.max.s32 [%rd10], %r5", 0xffffffff, 8));
}

TEST(Atomics, IncrementAndDecrementWrapAtTheirBound) {
  EXPECT_EQ(0U, after("red.shared.inc.u32 [%rd10], 2", 0, 3));  // 1, 2, 0
  EXPECT_EQ(1U, after("red.shared.inc.u32 [%rd10], 2", 0, 4));
  EXPECT_EQ(5U, after("red.shared.dec.u32 [%rd10], 5", 0, 1));
  EXPECT_EQ(5U, after("red.shared.dec.u32 [%rd10], 5", 9, 1));  // above the bound
}

TEST(Atomics, ExchangeLeavesTheLastLanesValue) {
  EXPECT_EQ(9U, after("atom.shared.exch.b32 %r6, [%rd10], %r5", 77, 10));
}

TEST(Atomics, CompareAndSwapStoresOnlyWhereTheOldValueMatches) {
  // The first lane changes 0 to 1, so no other lane finds 0.
  EXPECT_EQ(1U, after("atom.shared.cas.b32 %r6, [%rd10], 0, 1", 0, 32));
  EXPECT_EQ(3U, after("atom.shared.cas.b32 %r6, [%rd10], 0, 1", 3, 32));
}

TEST(Atomics, NarrowOnesLeaveTheBytesBesideThemAlone) {
  EXPECT_EQ(0xaabbccdd00000001U, after("red.shared.add.u32 [%rd10], 1", 0xaabbccdd00000000, 1));
  EXPECT_EQ(
      0xaabbccdd0000ffffU,
      after("mov.u16 %h1, 0; mov.u16 %h2, 0xffff; @%p1 atom.shared.cas.b16 %h3, [%rd10], %h1, %h2",
            0xaabbccdd00000000, 1));
}

TEST(Atomics, FloatsAddInTheOrderOfTheLanes) {
  EXPECT_EQ(0x40c00000U, after("red.shared.add.f32 [%rd10], %f5", 0, 4));  // 6
}

TEST(Atomics, OperationsThatTheTypeDoesNotHaveAreRefused) {
  for (const auto* body :
       {"atom.global.inc.s32 %r1, [%rd1], 1;", "atom.global.min.f32 %f1, [%rd1], %f2;",
        "atom.global.and.u32 %r1, [%rd1], 1;", "atom.global.add.b32 %r1, [%rd1], 1;"}) {
    const auto run = run_body(body);
    ASSERT_EQ(1U, run.result.diagnostics.size()) << body;
    EXPECT_EQ(base::DiagnosticKind::kUnsupported, run.result.diagnostics[0].kind) << body;
  }
}

}  // namespace warpgrade::sim::memory_test

namespace warpgrade::sim::atomic_vector_test {

// atom and red of vectors: each element is an operation of its own, and a lane's elements stay
// together.

// The first two words of `out` after `body`, in which %rd5 is their address.
std::vector<std::uint64_t> after(const std::string& body) {
  PtxLaunch launch;
  launch.body =
      "ld.param.u64 %rd5, [p_out]; cvt.rn.f32.u32 %f1, %r29; mov.f32 %f2, 0f3F800000;" + body;
  const auto run = run_ptx(launch);
  expect_clean(run);
  return {run.out[0], run.out[1]};
}

TEST(AtomicVectors, EachElementHasItsOwnSum) {
  // The sum of the lanes' numbers, 496, and of 32 ones.
  EXPECT_EQ(0x4200000043f80000U, after("red.global.v2.f32.add [%rd5], {%f1, %f2};")[0]);
}

TEST(AtomicVectors, OnlyActiveLanesTakePart) {
  EXPECT_EQ(0x4040000040400000U, after("setp.lt.u32 %p1, %r29, 3;"
                                       "@%p1 red.global.v2.f32.add [%rd5], {%f1, %f2};")[0]);
}

TEST(AtomicVectors, GiveTheOldValuesBack) {
  // Lane 31 is last, and gets 30 * 31 / 2 = 465 and 31 ones.
  const auto out = after(
      "atom.global.v2.f32.add {%f3, %f4}, [%rd5], {%f1, %f2}; setp.eq.u32 %p1, %r29, 31;"
      "@%p1 st.global.v2.f32 [%rd5+8], {%f3, %f4};");
  EXPECT_EQ(0x41f8000043e88000U, out[1]);
}

TEST(AtomicVectors, HalvesOfAPairStayApart) {
  // 32 times (1, 2): 32 is 0x5000, 64 is 0x5400.
  const auto out =
      after("mov.b32 %r1, 0x40003c00; red.global.v2.f16x2.add.noftz [%rd5], {%r1, %r1};");
  EXPECT_EQ(0x5400500054005000U, out[0]);
}

TEST(AtomicVectors, ExtremesOfSixteenBitFloats) {
  const auto out = after(
      "mov.b16 %h1, 0x3c00; mov.b16 %h2, 0xbc00; red.global.v2.f16.max.noftz [%rd5], {%h1, %h2};");
  EXPECT_EQ(0x3c00U, out[0]);  // max(0, -1) stays 0
}

TEST(AtomicVectors, OthersAreRefused) {
  const auto run = run_body("red.global.v2.f32.min [%rd1], {%f1, %f2};");
  ASSERT_EQ(1U, run.result.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kUnsupported, run.result.diagnostics[0].kind);
}

}  // namespace warpgrade::sim::atomic_vector_test

// SPDX-License-Identifier: Apache-2.0
// atom and red: lanes one after the other, the old value as the result, and the types of each
// operation.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::atomic_test {

using testing::Each;

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

}  // namespace warpgrade::sim::atomic_test

// SPDX-License-Identifier: Apache-2.0
// One block in execution: its special registers, its memory, its budget and its printed text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::block_test {

using base::DiagnosticKind;

// The addresses have one stride. In other spaces they would be one piece of the host's memory.
TEST(Memory, EachThreadHasLocalMemoryOfItsOwn) {
  const auto run = run_body(
      ".local .align 8 .b8 own[256]; mul.wide.u32 %rd5, %r29, 8; mov.u64 %rd6, own;"
      "add.s64 %rd6, %rd6, %rd5; cvt.u64.u32 %rd7, %r29; st.local.u64 [%rd6], %rd7;"
      "ld.local.u64 %rd8, [%rd6]; st.global.u64 [%rd1], %rd8;");
  EXPECT_TRUE(run.result.diagnostics.empty());
  for (std::uint64_t i = 0; i < 32; ++i) EXPECT_EQ(i, run.out[i]);
}

TEST(Faults, AnEndlessLoopIsARunaway) {
  PtxLaunch launch;
  launch.body = "$loop: bra $loop;";
  launch.options.block_budget = 1'000'000;
  expect_fault(DiagnosticKind::kRunaway, "1,000,000 units of work", run_ptx(launch));
}

TEST(Block, SharedMemoryHoldsGarbageAtTheBeginningOfEachBlock) {
  PtxLaunch launch;
  launch.before = ".shared .align 8 .b8 tile[8];";
  launch.threads = 1;
  launch.blocks = 2;
  launch.options.threads = 1;
  launch.options.garbage = std::byte{0x5a};
  launch.body =
      "mov.u64 %rd5, tile; ld.shared.u64 %rd6, [%rd5]; st.global.u64 [%rd1], %rd6;"
      "mov.u64 %rd7, 1; st.shared.u64 [%rd5], %rd7;";
  const auto run = run_ptx(launch);
  EXPECT_EQ((std::vector<std::uint64_t>{0x5a5a5a5a5a5a5a5a, 0x5a5a5a5a5a5a5a5a}), run.out);
}

TEST(Block, SpecialRegistersSayWhoIsWhere) {
  PtxLaunch launch;
  launch.threads = 40;
  launch.blocks = 3;
  launch.body =
      "mov.u32 %r1, %laneid; mov.u32 %r2, %warpid; mov.u32 %r3, %nctaid.x; shl.b32 %r2, %r2, 8;"
      "shl.b32 %r3, %r3, 16; or.b32 %r1, %r1, %r2; or.b32 %r1, %r1, %r3; mov.u32 %r2, %ctaid.x;"
      "shl.b32 %r2, %r2, 24; or.b32 %r1, %r1, %r2; cvt.u64.u32 %rd5, %r1;"
      "st.global.u64 [%rd1], %rd5;";
  const auto run = run_ptx(launch);
  expect_clean(run);
  EXPECT_EQ(0x00030000U, run.out[0]);
  EXPECT_EQ(0x02030107U, run.out[2 * 40 + 39]);  // block 2, warp 1, lane 7
}

TEST(Block, MasksOfLanesAreRelativeToEachLane) {
  const auto run = run_body(
      "mov.u32 %r1, %lanemask_lt; mov.u32 %r2, %lanemask_eq; add.u32 %r1, %r1, %r2;"
      "cvt.u64.u32 %rd5, %r1; st.global.u64 [%rd1], %rd5;");
  EXPECT_EQ(1U, run.out[0]);
  EXPECT_EQ(0xffffffffU, run.out[31]);
}

TEST(Block, AFaultNamesBlockThreadAndLine) {
  PtxLaunch launch;
  launch.blocks = 3;
  launch.threads = 64;
  launch.body = "setp.ne.u32 %p1, %r31, 105; @%p1 bra $end;\n.loc 1 9 1\ntrap; $end:";
  const auto run = run_ptx(launch);
  expect_fault(DiagnosticKind::kTrap, "__trap()", run);
  EXPECT_EQ(1U, run.result.diagnostics[0].block->x);
  EXPECT_EQ(41U, run.result.diagnostics[0].thread->x);
  EXPECT_EQ(9U, run.result.diagnostics[0].where.line);
}

}  // namespace warpgrade::sim::block_test

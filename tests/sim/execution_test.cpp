// SPDX-License-Identifier: Apache-2.0
// How warps and blocks execute: divergence and reconvergence, barriers, shared and local memory,
// atomics, shuffles, and every fault with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "common/base/error.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim {
namespace {

using base::DiagnosticKind;
using testing::Each;
using testing::HasSubstr;

std::vector<std::uint64_t> iota(std::size_t count) {
  std::vector<std::uint64_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = i;
  return values;
}

PtxRun run_body(const std::string& body, std::uint32_t threads = 32) {
  PtxLaunch launch;
  launch.body = body;
  launch.threads = threads;
  launch.in = iota(threads);
  return run_ptx(launch);
}

void expect_fault(DiagnosticKind kind, const std::string& words, const PtxRun& run) {
  ASSERT_EQ(1U, run.result.diagnostics.size());
  EXPECT_EQ(base::name(kind), base::name(run.result.diagnostics[0].kind));
  EXPECT_THAT(run.result.diagnostics[0].message, HasSubstr(words));
}

// Stores 1 for the lanes of activemask, so that a word says who ran together.
constexpr const char* kStoreActive =
    "activemask.b32 %r5; cvt.u64.u32 %rd5, %r5; st.global.u64 [%rd1], %rd5;";

TEST(Trap, EndsTheKernelAndNamesTheThread) {
  const auto run = run_body("setp.eq.u32 %p1, %r29, 5; @%p1 trap;");
  expect_fault(DiagnosticKind::kTrap, "__trap() was executed", run);
  EXPECT_EQ(5U, run.result.diagnostics[0].thread.value().x);
}

TEST(Divergence, BothSidesOfABranchRunAndMeetBehindIt) {
  const auto run = run_body(
      "setp.lt.u32 %p1, %r29, 8; @%p1 bra $low; mov.u32 %r1, 7; bra $join;"
      "$low: mov.u32 %r1, 5; $join:" +
      std::string(kStoreActive));
  EXPECT_THAT(run.out, Each(0xffffffffU));
}

TEST(Divergence, LanesThatLeaveALoopEarlyWaitForTheOthers) {
  const auto run = run_body(
      "mov.u32 %r1, 0; $loop: add.u32 %r1, %r1, 1; setp.le.u32 %p1, %r1, %r29; @%p1 bra $loop;" +
      std::string(kStoreActive));
  EXPECT_THAT(run.out, Each(0xffffffffU));
}

TEST(Divergence, ABlockMovedBehindTheLoopStillReconvergesInIt) {
  // The body's cold part stands at the end of the text, behind the loop's exit.
  const auto run = run_body(
      "mov.u32 %r1, 0; mov.u32 %r6, 0;"
      "$loop: setp.eq.u32 %p2, %r29, 3; @%p2 bra $cold;"
      "$back: activemask.b32 %r5; popc.b32 %r7, %r5; add.u32 %r6, %r6, %r7;"
      "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 4; @%p1 bra $loop;"
      "cvt.u64.u32 %rd5, %r6; st.global.u64 [%rd1], %rd5; ret;"
      "$cold: mov.u32 %r8, 1; bra $back;");
  EXPECT_THAT(run.out, Each(4U * 32U));
}

TEST(Divergence, LanesThatSpinLetTheOthersOfTheirWarpGoOn) {
  // Lane 0 takes a lock that lane 1 waits for: needs both to make progress.
  PtxLaunch launch;
  launch.before = ".global .u32 lock;";
  launch.threads = 2;
  launch.body =
      "$try: atom.global.cas.b32 %r1, [lock], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra $try;"
      "mov.u64 %rd5, 1; st.global.u64 [%rd1], %rd5;"
      "atom.global.exch.b32 %r2, [lock], 0;";
  const auto run = run_ptx(launch);
  EXPECT_TRUE(run.result.diagnostics.empty());
  EXPECT_THAT(run.out, Each(1U));
}

TEST(Divergence, LanesThatSleepSoonLetTheOthersOfTheirWarpGoOn) {
  PtxLaunch launch;
  launch.before = ".global .u32 flag;";
  launch.threads = 2;
  launch.body =
      "setp.eq.u32 %p2, %r29, 0; @%p2 bra $set;"
      "$poll: nanosleep.u32 20; ld.volatile.global.u32 %r1, [flag]; setp.eq.u32 %p1, %r1, 0;"
      "@%p1 bra $poll; bra $end;"
      "$set: mov.u32 %r2, 1; st.volatile.global.u32 [flag], %r2;"
      "$end: mov.u64 %rd5, 1; st.global.u64 [%rd1], %rd5;";
  const auto run = run_ptx(launch);
  EXPECT_TRUE(run.result.diagnostics.empty());
  EXPECT_THAT(run.out, Each(1U));
  std::uint64_t executed = 0;
  for (const auto& count : run.result.instructions) executed += count.warps;
  EXPECT_LT(executed, 1000U);
}

TEST(Barriers, ExitedThreadsDoNotCount) {
  const auto run = run_body(
      "setp.ge.u32 %p1, %r29, 40; @%p1 ret; bar.sync 0; mov.u64 %rd5, 1;"
      "st.global.u64 [%rd1], %rd5;",
      64);
  EXPECT_TRUE(run.result.diagnostics.empty());
  EXPECT_EQ(1U, run.out[39]);
  EXPECT_EQ(0U, run.out[40]);
}

TEST(Barriers, SharedMemoryIsSeenBehindThem) {
  PtxLaunch launch;
  launch.before = ".shared .align 8 .b8 tile[512];";
  launch.threads = 64;
  launch.in = iota(64);
  launch.body =
      "ld.global.u64 %rd5, [%rd2]; mov.u64 %rd6, tile; mul.wide.u32 %rd7, %r29, 8;"
      "add.s64 %rd8, %rd6, %rd7; st.shared.u64 [%rd8], %rd5; bar.sync 0;"
      "sub.s64 %rd9, %rd6, %rd7; ld.shared.u64 %rd10, [%rd9+504]; st.global.u64 [%rd1], %rd10;";
  const auto run = run_ptx(launch);
  for (std::uint64_t i = 0; i < 64; ++i) EXPECT_EQ(63 - i, run.out[i]);
}

TEST(Barriers, ReductionsGiveEveryThreadTheCount) {
  const auto run = run_body(
      "setp.lt.u32 %p1, %r29, 40; bar.red.popc.u32 %r5, 0, %p1; cvt.u64.u32 %rd5, %r5;"
      "st.global.u64 [%rd1], %rd5;",
      64);
  EXPECT_THAT(run.out, Each(40U));
}

TEST(Barriers, TwoDifferentOnesInAWarpAreDivergent) {
  expect_fault(DiagnosticKind::kDivergentBarrier, "two different barriers",
               run_body("setp.lt.u32 %p1, %r29, 8; @%p1 bra $a; bar.sync 0; bra $end;"
                        "$a: bar.sync 0; $end:"));
}

TEST(Barriers, OneThatOthersNeverReachIsADeadlock) {
  expect_fault(DiagnosticKind::kDeadlock, "barrier 1 waits for 64 threads, and only 32 come",
               run_body("setp.ge.u32 %p1, %r29, 32; @%p1 bra $end; bar.sync 1, 64; $end:", 64));
}

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

TEST(Shuffles, DownReadsAHigherLaneAndKeepsItsOwnPastTheEnd) {
  const auto run = run_body(
      "shfl.sync.down.b32 %r5|%p2, %r29, 16, 31, -1; selp.u32 %r6, 256, 0, %p2;"
      "add.u32 %r5, %r5, %r6; cvt.u64.u32 %rd5, %r5; st.global.u64 [%rd1], %rd5;");
  EXPECT_EQ(256U + 16U, run.out[0]);
  EXPECT_EQ(256U + 31U, run.out[15]);
  EXPECT_EQ(16U, run.out[16]);
}

TEST(Shuffles, SegmentsOfEightStayApart) {
  // c = (32 - 8) << 8 | 31 is what width 8 makes.
  const auto run = run_body(
      "shfl.sync.bfly.b32 %r5, %r29, 7, 0x181f, -1; cvt.u64.u32 %rd5, %r5;"
      "st.global.u64 [%rd1], %rd5;");
  for (std::uint64_t i = 0; i < 32; ++i) EXPECT_EQ(i ^ 7, run.out[i]);
}

TEST(Votes, BallotNamesTheLanes) {
  const auto run = run_body(
      "setp.lt.u32 %p1, %r29, 4; vote.sync.ballot.b32 %r5, %p1, -1; cvt.u64.u32 %rd5, %r5;"
      "st.global.u64 [%rd1], %rd5;");
  EXPECT_THAT(run.out, Each(0xfU));
}

TEST(Faults, OutOfBoundsNamesBufferSizeAndThread) {
  const auto run = run_body("st.global.u64 [%rd1+8], %rd2;");
  expect_fault(DiagnosticKind::kOutOfBounds,
               "8 bytes past the end of 'out' (index 32), which has 32 elements of 8 bytes", run);
  EXPECT_EQ(31U, run.result.diagnostics[0].thread->x);
  EXPECT_EQ(1U, run.result.diagnostics[0].where.line);
}

TEST(Faults, NullAndMisalignedPointersAreToldApart) {
  expect_fault(DiagnosticKind::kOutOfBounds, "null pointer",
               run_body("mov.u64 %rd5, 0; ld.global.u32 %r1, [%rd5];"));
  expect_fault(DiagnosticKind::kMisaligned, "no multiple of 8",
               run_body("ld.global.u64 %rd5, [%rd2+4];"));
}

TEST(Faults, SharedAndLocalMemoryHaveEnds) {
  PtxLaunch launch;
  launch.before = ".shared .align 4 .b8 tile[64];";
  launch.body = "mov.u64 %rd5, tile; ld.shared.u32 %r1, [%rd5+64];";
  expect_fault(DiagnosticKind::kOutOfBounds,
               "reads 4 bytes, 4 bytes past the end of tile, which has 64 bytes of shared memory",
               run_ptx(launch));
}

TEST(Faults, ASharedArrayEndsWhereTheNextBegins) {
  PtxLaunch launch;
  launch.before = ".shared .align 4 .b8 a[64]; .shared .align 4 .b8 b[64];";
  launch.body = "mov.u64 %rd5, a; st.shared.u32 [%rd5+60], 1; st.shared.u32 [%rd5+64], 2;";
  expect_fault(DiagnosticKind::kOutOfBounds, "writes 4 bytes, 4 bytes past the end of a, which has",
               run_ptx(launch));
  launch.body = "mov.u64 %rd5, b; st.shared.u32 [%rd5], 1; st.shared.u32 [%rd5+-8], 2;";
  expect_fault(DiagnosticKind::kOutOfBounds, "8 bytes before the start of b, which has 64 bytes",
               run_ptx(launch));
}

TEST(Faults, ADynamicArrayHasWhatTheLaunchGivesIt) {
  PtxLaunch launch;
  launch.before = ".shared .align 4 .b8 a[64]; .extern .shared .align 4 .b8 d[];";
  launch.dynamic_shared_bytes = 32;
  launch.body =
      "mov.u64 %rd5, d; mov.u64 %rd6, a; st.shared.u32 [%rd5+28], 1; st.shared.u32 [%rd6], 2;"
      "mov.u32 %r1, %total_smem_size; cvt.u64.u32 %rd7, %r1; st.global.u64 [%rd1], %rd7;";
  const auto right = run_ptx(launch);
  EXPECT_TRUE(right.result.diagnostics.empty());
  EXPECT_THAT(right.out, Each(96U));
  launch.body = "mov.u64 %rd5, d; st.shared.u32 [%rd5+32], 1;";
  expect_fault(DiagnosticKind::kOutOfBounds,
               "4 bytes past the end of d, which has 32 bytes of shared memory; an extern array "
               "has as many bytes as the launch gives it",
               run_ptx(launch));
}

// Addresses in one progression, which elsewhere are one piece of the host's memory.
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
  launch.options.instruction_budget = 1'000'000;
  expect_fault(DiagnosticKind::kRunaway, "1000000 warp instructions", run_ptx(launch));
}

TEST(Faults, AnEndlessLoopWithABarrierIsARunaway) {
  PtxLaunch launch;
  launch.body = "$loop: bar.sync 0; bra $loop;";
  launch.options.instruction_budget = 100'000;
  expect_fault(DiagnosticKind::kRunaway, "100000 warp instructions", run_ptx(launch));
}

TEST(Faults, WhatTheTableLacksIsUnsupportedWithItsLine) {
  const auto run = run_body("movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;");
  expect_fault(DiagnosticKind::kUnsupported, "is not supported: tensor cores are not simulated",
               run);
  EXPECT_EQ(1U, run.result.diagnostics[0].where.line);
}

TEST(Faults, TooFewOperandsAreUnsupported) {
  for (const auto* body :
       {"match.all.sync.b32 %r1|%p1, -1;", "shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31;",
        "bar.red.popc.u32 %r1, 0;", "setp.eq.u32 %p1|%p2, %r1;", "elect.sync %r1, 0, -1;"}) {
    expect_fault(DiagnosticKind::kUnsupported, "operands", run_body(body));
  }
}

TEST(Faults, AModifierThatIsNotHonouredIsUnsupported) {
  expect_fault(DiagnosticKind::kUnsupported, "'ld.global.L1::evict_whatever.u32'",
               run_body("ld.global.L1::evict_whatever.u32 %r1, [%rd2];"));
}

TEST(Threads, AnyNumberOfThemGivesTheSameFault) {
  PtxLaunch launch;
  launch.blocks = 64;
  launch.body = "setp.lt.u32 %p1, %r30, 40; @%p1 ret; ld.global.u64 %rd5, [%rd1+65536];";
  for (const std::uint32_t threads : {1U, 2U, 7U}) {
    launch.options.threads = threads;
    const auto run = run_ptx(launch);
    ASSERT_EQ(1U, run.result.diagnostics.size());
    EXPECT_EQ(40U, run.result.diagnostics[0].block->x);
  }
}

TEST(Geometry, ImpossibleOnesAreTheUsersMistake) {
  PtxLaunch launch;
  launch.threads = 1025;
  EXPECT_THROW(run_ptx(launch), base::UsageError);
}

/// Counts the instructions that it is told of, in blocks with an odd index only.
class OddBlocks final : public run::Observer {
 public:
  std::unique_ptr<run::Observer> fork() const override { return std::make_unique<OddBlocks>(); }
  void join(run::Observer& other) override {
    const auto& theirs = dynamic_cast<OddBlocks&>(other);
    blocks.insert(blocks.end(), theirs.blocks.begin(), theirs.blocks.end());
    instructions.insert(instructions.end(), theirs.instructions.begin(), theirs.instructions.end());
  }
  void on_block_begin(std::uint64_t linear_block) override { blocks.push_back(linear_block); }
  bool wants_instructions() const override { return blocks.back() % 2 == 1; }
  void on_instruction(std::uint32_t warp, std::uint32_t instruction) override {
    if (warp == 0) instructions.push_back(instruction);
  }

  std::vector<std::uint64_t> blocks;
  std::vector<std::uint32_t> instructions;
};

TEST(Observers, AreToldOfEachInstructionWhereTheyAskForIt) {
  OddBlocks watcher;
  PtxLaunch launch;
  launch.body = "setp.eq.u32 %p1, %r29, 99; @%p1 trap; mov.u32 %r1, 5;";
  launch.blocks = 2;
  launch.options.observers.push_back(&watcher);
  const auto run = run_ptx(launch);
  std::uint64_t executed = 0;
  for (const auto& count : run.result.instructions) executed += count.warps;
  EXPECT_EQ(executed, 2 * watcher.instructions.size());  // one of two blocks
}

class Scopes final : public run::Observer {
 public:
  std::unique_ptr<run::Observer> fork() const override { return std::make_unique<Scopes>(); }
  void join(run::Observer& other) override { seen = dynamic_cast<Scopes&>(other).seen; }
  void on_barrier(const run::BarrierEvent& event) override { seen.push_back(event.scope); }

  std::vector<run::BarrierEvent::Scope> seen;
};

std::vector<run::BarrierEvent::Scope> scopes_of(const std::string& body) {
  Scopes scopes;
  PtxLaunch launch;
  launch.before = ".file 2 \"<header.h>\"\n";
  launch.body = body;
  launch.options.observers.push_back(&scopes);
  run_ptx(launch);
  return scopes.seen;
}

// Of shuffles, votes, matches and reductions the CUDA C++ Programming Guide says: "These intrinsics
// do not imply a memory barrier. They do not guarantee any memory ordering." Of bar.warp.sync the
// PTX ISA: it "also guarantees memory ordering among threads participating in the barrier".
TEST(Observers, AreToldOfTheWarpInstructionThatOrdersMemory) {
  EXPECT_THAT(scopes_of("setp.lt.u32 %p1, %r29, 4; shfl.sync.idx.b32 %r1, %r29, 0, 31, -1;"
                        "vote.sync.ballot.b32 %r2, %p1, -1; match.any.sync.b32 %r3, %r29, -1;"
                        "redux.sync.add.u32 %r4, %r29, -1;"),
              testing::IsEmpty());
  EXPECT_THAT(scopes_of("bar.warp.sync -1;"),
              testing::ElementsAre(run::BarrierEvent::Scope::kWarp));
}

// Cooperative groups rely on it.
TEST(Observers, AreToldOfShufflesInTheToolkitsOwnCode) {
  EXPECT_THAT(scopes_of("\n.loc 2 7 1\nshfl.sync.idx.b32 %r1, %r29, 0, 31, -1;"),
              testing::ElementsAre(run::BarrierEvent::Scope::kWarp));
}

TEST(Blocks, OnlyThoseOfTheRangesAreExecuted) {
  for (const std::uint32_t threads : {1U, 3U}) {
    OddBlocks watcher;
    PtxLaunch launch;
    launch.body = "mov.u32 %r1, 5;";
    launch.blocks = 20;
    launch.options.threads = threads;
    launch.options.blocks = {{2, 4}, {4, 5}, {17, 20}};
    launch.options.observers.push_back(&watcher);
    run_ptx(launch);
    EXPECT_THAT(watcher.blocks, testing::ElementsAre(2, 3, 4, 17, 18, 19));
  }
}

TEST(Blocks, RangesPastTheGridOrOutOfOrderAreTheUsersMistake) {
  PtxLaunch launch;
  launch.blocks = 4;
  for (const auto& ranges :
       std::vector<std::vector<run::BlockRange>>{{{0, 5}}, {{2, 2}}, {{2, 3}, {1, 2}}}) {
    launch.options.blocks = ranges;
    EXPECT_THROW(run_ptx(launch), base::UsageError);
  }
}

}  // namespace
}  // namespace warpgrade::sim

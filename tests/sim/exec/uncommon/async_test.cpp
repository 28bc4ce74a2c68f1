// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::async_test {

// Asynchronous copies and barrier objects: behaviour that the single instructions of
// conformance_test.cpp do not show.

using testing::Each;

PtxLaunch launch_of(const std::string& body, std::uint32_t threads = 32) {
  PtxLaunch launch;
  launch.before = ".shared .align 16 .b8 tile[1024]; .shared .align 8 .b64 object;";
  launch.body = body;
  launch.threads = threads;
  launch.in.assign(threads, 7);
  return launch;
}

// %r1 is the address of the thread's own eight bytes of the tile.
const std::string kOwnBytes = "mov.u32 %r1, tile; mad.lo.u32 %r1, %r29, 8, %r1;\n";

TEST(AsyncCopy, FillsWhatIsNotReadWithZeros) {
  auto launch = launch_of(kOwnBytes +
                          "mov.u64 %rd5, -1; st.shared.b64 [%r1], %rd5;\n"
                          "cp.async.ca.shared.global [%r1], [%rd2], 8, 1;\n"
                          "cp.async.commit_group; cp.async.wait_group 0;\n"
                          "ld.shared.b64 %rd6, [%r1]; st.global.b64 [%rd1], %rd6;");
  launch.in.assign(32, 0x0102030405060708);
  const auto run = run_ptx(launch);
  ASSERT_TRUE(run.result.diagnostics.empty());
  EXPECT_THAT(run.out, Each(0x08U));
}

TEST(AsyncCopy, ReadsNothingWhereItsSizeIsZero) {
  const auto run =
      run_ptx(launch_of(kOwnBytes + "add.s64 %rd2, %rd2, 65536;\n"
                                    "cp.async.ca.shared.global [%r1], [%rd2], 8, 0;\n"
                                    "cp.async.wait_all;\n"
                                    "ld.shared.b64 %rd6, [%r1]; st.global.b64 [%rd1], %rd6;"));
  ASSERT_TRUE(run.result.diagnostics.empty());
  EXPECT_THAT(run.out, Each(0U));
}

TEST(AsyncCopy, PastTheEndOfABufferIsAFault) {
  for (const auto* size : {"", ", 5"}) {
    const auto run = run_ptx(launch_of(kOwnBytes +
                                       "add.s64 %rd2, %rd2, 8;\n"
                                       "cp.async.ca.shared.global [%r1], [%rd2], 8" +
                                       size + ";"));
    ASSERT_EQ(1U, run.result.diagnostics.size());
    EXPECT_EQ(base::DiagnosticKind::kOutOfBounds, run.result.diagnostics[0].kind);
  }
}

TEST(BarrierObject, LetsAllThroughWhenTheLastHasArrived) {
  // Thread 0 of warp 1 writes before it arrives. All threads read its value after the barrier.
  const auto run = run_ptx(launch_of(
      "setp.eq.u32 %p1, %r29, 0; @%p1 mbarrier.init.shared.b64 [object], 64; bar.sync 0;\n"
      "setp.eq.u32 %p2, %r29, 32; @%p2 st.shared.u32 [tile], 42;\n"
      "mbarrier.arrive.shared.b64 %rd5, [object];\n"
      "$wait: mbarrier.test_wait.shared.b64 %p3, [object], %rd5; @!%p3 bra $wait;\n"
      "ld.shared.u32 %r4, [tile]; cvt.u64.u32 %rd6, %r4; st.global.u64 [%rd1], %rd6;",
      64));
  ASSERT_TRUE(run.result.diagnostics.empty());
  EXPECT_THAT(run.out, Each(42U));
  // Warp 0 polls once, then warp 1 arrives.
  EXPECT_LT(executed(run), 100U);
}

// Returns %rd6 of each thread after `body`. The barrier object waits for `count` arrivals.
std::vector<std::uint64_t> with_object(std::uint32_t count, const std::string& body) {
  const auto run = run_ptx(launch_of(
      "setp.eq.u32 %p1, %r29, 0; @%p1 mbarrier.init.shared.b64 [object], " + std::to_string(count) +
      "; bar.warp.sync -1; mov.u64 %rd6, 0;\n" + body + "st.global.u64 [%rd1], %rd6;"));
  expect_clean(run);
  return run.out;
}

TEST(BarrierObject, CountsDownAndBeginsANewPhase) {
  const std::string one = "@%p1 mbarrier.arrive.shared.b64 %rd5, [object];";
  const std::string pending = "@%p1 mbarrier.pending_count.b64 %r1, %rd5; cvt.u64.u32 %rd6, %r1;";
  EXPECT_EQ(3U, with_object(3, one + pending)[0]);  // before its own arrival is counted
  EXPECT_EQ(1U, with_object(3, one + one + one + pending)[0]);
  EXPECT_EQ(3U, with_object(3, one + one + one + one + pending)[0]);  // the next phase
}

TEST(BarrierObject, AParityIsOverOnceThePhaseHasEnded) {
  const std::string arrive = "@%p1 mbarrier.arrive.shared.b64 %rd5, [object]; bar.warp.sync -1;";
  const std::string test =
      "mbarrier.test_wait.parity.shared.b64 %p3, [object], 0; selp.u64 %rd6, 1, 0, %p3;";
  EXPECT_THAT(with_object(1, test), Each(0U));
  EXPECT_THAT(with_object(1, arrive + test), Each(1U));
  EXPECT_THAT(with_object(2, arrive + test), Each(0U));
}

TEST(BarrierObject, ADroppedArrivalIsNotAwaitedInTheNextPhase) {
  const auto out = with_object(2,
                               "@%p1 mbarrier.arrive_drop.shared.b64 %rd5, [object];"
                               "@%p1 mbarrier.arrive.shared.b64 %rd5, [object];"
                               "@%p1 mbarrier.arrive.shared.b64 %rd5, [object];"
                               "@%p1 mbarrier.pending_count.b64 %r1, %rd5; cvt.u64.u32 %rd6, %r1;");
  EXPECT_EQ(1U, out[0]);
}

TEST(AsyncCopy, MovesOnlyTheBytesOfActiveLanes) {
  const auto run = run_ptx(
      launch_of(kOwnBytes + "cvt.u64.u32 %rd5, %r1; mov.u64 %rd7, 5; st.shared.u64 [%rd5], %rd7;\n"
                            "setp.lt.u32 %p1, %r29, 4;\n"
                            "@%p1 cp.async.ca.shared.global [%r1], [%rd2], 8; cp.async.wait_all;\n"
                            "ld.shared.u64 %rd6, [%rd5]; st.global.u64 [%rd1], %rd6;"));
  expect_clean(run);
  EXPECT_EQ(7U, run.out[3]);
  EXPECT_EQ(5U, run.out[4]);
}

}  // namespace warpgrade::sim::async_test

namespace warpgrade::sim::bulk_test {

// Copies of the bulk copy engine: the bytes that they move, the end of the barrier object's phase,
// and the faults of wrong copies. The rules come from the PTX ISA, 9.7.9.25 and 9.7.13.15.

using base::DiagnosticKind;
using testing::Each;

constexpr const char* kInit =
    "setp.eq.u32 %p1, %r29, 0; @%p1 mbarrier.init.shared::cta.b64 [object], 1;"
    "@%p1 fence.mbarrier_init.release.cluster; @%p1 fence.proxy.async.shared::cta; bar.sync 0;\n";
constexpr const char* kWait =
    "$wait: mbarrier.try_wait.parity.shared::cta.b64 %p3, [object], 0; @!%p3 bra $wait;\n";
constexpr const char* kCopy =
    "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd2], 512, "
    "[object];\n";
constexpr const char* kOwnWord =
    "mov.u32 %r1, tile; mad.lo.u32 %r1, %r29, 8, %r1; ld.shared.u64 %rd6, [%r1];"
    "st.global.u64 [%rd1], %rd6;";

PtxLaunch launch_of(const std::string& body, std::uint32_t threads = 64) {
  PtxLaunch launch;
  launch.before = ".shared .align 16 .b8 tile[1024]; .shared .align 8 .b64 object;";
  launch.body = body;
  launch.threads = threads;
  for (std::uint64_t i = 0; i < threads; ++i) launch.in.push_back(0x0102030405060708 * (i + 1));
  return launch;
}

void expect_copied(const PtxLaunch& launch) {
  const auto run = run_ptx(launch);
  expect_clean(run);
  EXPECT_EQ(launch.in, run.out);
}

TEST(BulkCopy, ToSharedMemoryEndsThePhaseThatAnnouncesItsBytes) {
  const std::string announce =
      "@%p1 mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [object], 512;\n";
  for (const std::uint64_t seed : {0, 1, 2}) {
    auto before = launch_of(kInit + announce + kCopy + kWait + kOwnWord);
    before.options.seed = seed;
    expect_copied(before);
    // The copy may complete before its bytes are announced.
    auto behind = launch_of(kInit + std::string(kCopy) + announce + kWait + kOwnWord);
    behind.options.seed = seed;
    expect_copied(behind);
  }
  // First as cuda::memcpy_async announces the bytes, then as a copy to the block's own memory.
  expect_copied(launch_of(kInit + std::string(kCopy) +
                          "@%p1 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [object], 512;\n"
                          "@%p1 mbarrier.arrive.shared::cta.b64 %rd5, [object], 1;\n" +
                          kWait + kOwnWord));
  expect_copied(launch_of(
      kInit + announce +
      "@%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%rd2], 512, "
      "[object];\n" +
      kWait + kOwnWord));
}

TEST(BulkCopy, WaitsForAllBytesOfThePhase) {
  // Two copies of 256 bytes, started by two threads.
  expect_copied(launch_of(
      kInit +
      std::string("@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [object], 512;\n"
                  "setp.eq.u32 %p4, %r29, 32;"
                  "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                  "[tile], [%rd2], 256, [object];"
                  "@%p4 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                  "[tile+256], [%rd2], 256, [object];\n") +
      kWait + kOwnWord));
}

TEST(BulkCopy, BytesThatAreNotAnnouncedAreAFault) {
  expect_fault(DiagnosticKind::kDeadlock, "512 bytes were never announced",
               run_ptx(launch_of(kInit + std::string(kCopy) +
                                 "@%p1 mbarrier.arrive.shared::cta.b64 _, [object];\n" + kWait)));
}

TEST(BulkCopy, ToGlobalMemoryMovesWhatThreadsHaveWritten) {
  const auto run = run_ptx(
      launch_of("mov.u32 %r1, tile; mad.lo.u32 %r1, %r29, 8, %r1; ld.global.u64 %rd5, [%rd2];"
                "st.shared.u64 [%r1], %rd5; fence.proxy.async.shared::cta; bar.sync 0;"
                "setp.eq.u32 %p1, %r29, 0; mov.u32 %r2, 256; mov.u32 %r3, tile;"
                "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r3], %r2;"
                "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1+256], [%r3+256], %r2;"
                "@%p1 cp.async.bulk.commit_group; @%p1 cp.async.bulk.wait_group.read 0;"
                "@%p1 cp.async.bulk.prefetch.L2.global [%rd2], 512;"
                "cp.async.bulk.wait_group 0;"));
  expect_clean(run);
  EXPECT_EQ(launch_of("").in, run.out);
}

// The 32 words of `out` after the reduction. Before it they hold 5, and the 32 words of the tile
// hold `value`.
std::vector<std::uint64_t> reduced(const std::string& form, std::uint64_t value) {
  const auto run =
      run_ptx(launch_of("mov.u64 %rd5, 5; st.global.u64 [%rd1], %rd5; mov.u32 %r1, tile;"
                        "mad.lo.u32 %r1, %r29, 8, %r1; mov.u64 %rd6, " +
                            std::to_string(value) +
                            "; st.shared.u64 [%r1], %rd6; fence.proxy.async; bar.sync 0;"
                            "setp.eq.u32 %p1, %r29, 0;"
                            "@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group." +
                            form + " [%rd1], [tile], 256; @%p1 cp.async.bulk.commit_group;",
                        32));
  expect_clean(run);
  return run.out;
}

TEST(BulkReduction, CombinesEachElement) {
  EXPECT_THAT(reduced("add.u64", 7), Each(12U));
  EXPECT_THAT(reduced("add.s32", 7), Each(12U));
  EXPECT_THAT(reduced("min.s64", ~std::uint64_t{0}), Each(~std::uint64_t{0}));
  EXPECT_THAT(reduced("min.u64", 3), Each(3U));
  EXPECT_THAT(reduced("max.u32", 9), Each(9U));
  EXPECT_THAT(reduced("inc.u32", 9), Each(6U));
  EXPECT_THAT(reduced("dec.u32", 9), Each(4U));
  EXPECT_THAT(reduced("and.b64", 4), Each(4U));
  EXPECT_THAT(reduced("or.b32", 8), Each(13U));
  EXPECT_THAT(reduced("xor.b64", 1), Each(4U));
  // As f64 and f16 bits, 5 and 7 are subnormals, which are not flushed: 5 + 7 in units of the last
  // place.
  EXPECT_THAT(reduced("add.f64", 7), Each(12U));
  EXPECT_THAT(reduced("add.f32", 7), Each(12U));  // An H100 keeps subnormal floats, too.
  EXPECT_THAT(reduced("add.noftz.f16", 7), Each(12U));
  EXPECT_THAT(reduced("max.bf16", 7), Each(7U));
}

TEST(BulkCopy, NeedsMultiplesOf16) {
  const auto fault = [](const std::string& operands) {
    const auto run = run_ptx(launch_of(
        kInit + ("@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes " +
                 operands + ", [object];")));
    expect_fault(DiagnosticKind::kMisaligned, "multiples of 16", run);
  };
  fault("[tile+8], [%rd2], 64");
  fault("[tile], [%rd2+8], 64");
  fault("[tile], [%rd2], 72");
}

TEST(BulkCopy, PastTheEndIsAFault) {
  const auto fault = [](const std::string& operands) {
    const auto run = run_ptx(launch_of(
        kInit + ("@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes " +
                 operands + ", [object];")));
    ASSERT_EQ(1U, run.result.diagnostics.size());
    EXPECT_EQ(DiagnosticKind::kOutOfBounds, run.result.diagnostics[0].kind);
  };
  fault("[tile], [%rd2], 528");
  fault("[tile+768], [%rd2], 512");
}

TEST(BulkCopy, FormsThatAreNotSimulatedAreRefused) {
  for (const auto* form :
       {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
        "[tile], [%rd2], 16, [object], %h1;",
        "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 16, 3;",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.b32 [%rd1], [tile], 16;",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16x2 [%rd1], [tile], 16;",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16x2 [%rd1], [tile], "
        "16;"}) {
    auto launch = launch_of(form);
    const auto run = run_ptx(launch);
    ASSERT_FALSE(run.result.diagnostics.empty()) << form;
    EXPECT_EQ(DiagnosticKind::kUnsupported, run.result.diagnostics[0].kind) << form;
  }
}

// %rd6 of thread 0 after `body`. The barrier object waits for two arrivals.
std::uint64_t with_object(const std::string& body) {
  const auto run = run_ptx(launch_of("mbarrier.init.shared.b64 [object], 2; mov.u64 %rd6, 0;" +
                                         body + "st.global.u64 [%rd1], %rd6;",
                                     1));
  expect_clean(run);
  return run.out[0];
}

const std::string kTest =
    "mbarrier.test_wait.parity.shared.b64 %p3, [object], 0; shl.b64 %rd6, %rd6, 1;"
    "@%p3 or.b64 %rd6, %rd6, 1;";
const std::string kArrive = "mbarrier.arrive.shared.b64 _, [object];";

TEST(BarrierObjectBytes, KeepAPhaseOpenUntilAllHaveCome) {
  EXPECT_EQ(0b0001U, with_object("mbarrier.expect_tx.relaxed.cta.shared.b64 [object], 48;" +
                                 kArrive + kArrive + kTest +
                                 "mbarrier.complete_tx.relaxed.cta.shared.b64 [object], 16;" +
                                 kTest + "mbarrier.complete_tx.shared.b64 [object], 16;" + kTest +
                                 "mbarrier.complete_tx.shared.b64 [object], 16;" + kTest));
}

TEST(BarrierObjectBytes, ThatHaveAllComeLeaveThePhaseToTheArrivals) {
  EXPECT_EQ(0b001U, with_object("mbarrier.arrive.expect_tx.shared.b64 %rd5, [object], 32;"
                                "mbarrier.complete_tx.shared.b64 [object], 32;" +
                                kTest + kTest + kArrive + kTest));
}

TEST(BarrierObjectBytes, GoWithADropToo) {
  // One of two threads drops out and announces 16 bytes. The next phase needs one arrival.
  EXPECT_EQ(0b0110U, with_object("mbarrier.arrive_drop.expect_tx.shared.b64 _, [object], 16;" +
                                 kArrive + kTest + "mbarrier.complete_tx.shared.b64 [object], 16;" +
                                 kTest + kTest + kArrive + kTest));
}

TEST(BarrierObjectBytes, MoreThanItCountsAreAFault) {
  expect_fault(DiagnosticKind::kTrap, "1048575 bytes",
               run_ptx(launch_of("mbarrier.init.shared.b64 [object], 1;"
                                 "mbarrier.expect_tx.shared.b64 [object], 1048575;"
                                 "mbarrier.expect_tx.shared.b64 [object], 1;",
                                 1)));
}

}  // namespace warpgrade::sim::bulk_test

// SPDX-License-Identifier: Apache-2.0
#include "common/check/running_copies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/finding_text.h"
#include "common/check/checks.h"
#include "tests/check/events.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::check::running_copies_test {

// Asynchronous copies to shared memory: which threads may access their bytes, and when.

using testing::HasSubstr;
using Kind = run::CopyEvent::Kind;

// Instruction 3 is the asynchronous copy, 20 commits a group, 21 waits.
template <class Checker>
class Copies : public testing::Test {
 protected:
  void SetUp() override {
    auto& copy = launch.function().instructions[3];
    copy.opcode = ptx::Opcode::cp;
    copy.modifiers.add(ptx::Modifier::async);
    copy.modifiers.add(ptx::Modifier::ca);
    checker.on_launch(launch.context());
    checker.on_block_begin(0);
  }
  void copy(std::uint64_t address, Warp& by, std::uint32_t mask = 1, std::uint8_t bytes = 4) {
    by.store(3, strided(address, bytes), mask, bytes);
  }
  void commit(std::uint32_t index = 0, std::uint32_t mask = 1) {
    checker.on_copy({Kind::kCommit, 20, index, mask, 0, nullptr});
  }
  void wait(std::uint32_t left = 0, std::uint32_t index = 0, std::uint32_t mask = 1) {
    checker.on_copy({Kind::kWait, 21, index, mask, left, nullptr});
  }
  void read(std::uint64_t address, Warp& by, std::uint32_t mask = 1) {
    by.load(7, strided(address, 4), mask);
  }

  Launch launch{{64, 1, 1}};
  Checker checker;
  Warp warp{checker, 0};
  Warp other{checker, 1};
};

class RunningCopiesTest : public Copies<RunningCopies> {
 protected:
  std::vector<base::Diagnostic> found() { return to_diagnostics(checker.findings().all(), 16); }
};

TEST_F(RunningCopiesTest, AreCompleteBehindTheWaitForTheirGroup) {
  copy(0, warp);
  commit();
  copy(8, warp);
  commit();
  wait(1);
  read(0, warp);
  EXPECT_TRUE(found().empty());
  wait(0);
  read(8, warp);
  EXPECT_TRUE(found().empty());
}

TEST_F(RunningCopiesTest, AReadBeforeTheWaitIsExplained) {
  copy(0, warp);
  commit();
  read(0, warp);
  ASSERT_EQ(1U, found().size());
  EXPECT_EQ(base::DiagnosticKind::kRace, found()[0].kind);
  EXPECT_EQ((base::SourceLocation{"kernel.cu", 17, 3}), found()[0].where);
  EXPECT_EQ(
      "thread (0, 0, 0) reads bytes 0 to 3 of tile while an asynchronous copy may still write "
      "there, which it has started in line 13. Put a __pipeline_commit() and a "
      "__pipeline_wait_prior(0) between line 13 and line 17.",
      base::text(found()[0]));
}

TEST_F(RunningCopiesTest, AWaitThatLeavesTheGroupIsNamed) {
  for (const std::uint64_t address : {0U, 8U, 16U}) {
    copy(address, warp);
    commit();
  }
  wait(2);
  read(8, other);
  ASSERT_EQ(1U, found().size());
  EXPECT_THAT(base::text(found()[0]),
              HasSubstr("which thread (0, 0, 0) has started in line 13. The "
                        "wait in line 31 leaves the 2 newest groups pending"));
}

TEST_F(RunningCopiesTest, AnOpenGroupIsNotWaitedFor) {
  copy(0, warp);
  wait(0);
  read(0, warp);
  ASSERT_EQ(1U, found().size());
  EXPECT_THAT(base::text(found()[0]), HasSubstr("put a __pipeline_commit() between the two"));
}

TEST_F(RunningCopiesTest, EachThreadWaitsForItsOwn) {
  copy(0, warp, 3);
  commit(0, 3);
  wait(0, 0, 1);
  read(0, other);
  EXPECT_TRUE(found().empty());
  read(4, other);
  EXPECT_EQ(1U, found().size());
}

TEST_F(RunningCopiesTest, LastWordsOfLongCopiesAndBytesBesideThem) {
  copy(16, warp, 1, 16);
  read(12, warp);
  read(32, warp);
  EXPECT_TRUE(found().empty());
  read(28, warp);
  EXPECT_EQ(1U, found().size());
}

TEST_F(RunningCopiesTest, AStoreToTheirBytesIsNoBetter) {
  copy(0, warp);
  warp.store(2, strided(0, 4), 1);
  ASSERT_EQ(1U, found().size());
  EXPECT_THAT(base::text(found()[0]), HasSubstr("writes bytes 0 to 3 of tile while"));
}

TEST_F(RunningCopiesTest, AnObjectThatWaitsForThemTellsAllWhoWaitForIt) {
  const std::array<std::uint64_t, 32> objects{512};
  copy(0, warp);
  checker.on_copy({Kind::kTrack, 20, 0, 1, 0, objects.data()});
  copy(8, warp);
  checker.on_order({run::OrderEvent::Kind::kAcquire, false, 22, 1, 1, objects.data()});
  read(0, other);
  EXPECT_TRUE(found().empty());
  read(8, other);
  EXPECT_EQ(1U, found().size());
}

TEST_F(RunningCopiesTest, ABlockDoesNotWaitForTheBlockBefore) {
  copy(0, warp);
  checker.on_block_begin(1);
  read(0, warp);
  EXPECT_TRUE(found().empty());
}

// copy_out() copies the word at kOut + `address` to offset `address` of the tile.
class SourcesOfCopies : public RunningCopiesTest {
 protected:
  void copy_out(std::uint64_t address, Warp& by, std::uint8_t source_bytes = 4) {
    by.load(3, strided(kOut + address, 4), 1, source_bytes, run::Space::kGlobal);
    by.store(3, strided(address, 4), 1, 4);
  }
  void write(std::uint64_t address, Warp& by) {
    by.store(7, strided(kOut + address, 4), 1, 4, run::Space::kGlobal);
  }
};

TEST_F(SourcesOfCopies, MustNotBeWrittenBeforeTheWait) {
  copy_out(8, warp);
  commit();
  write(4, warp);
  write(12, other);
  EXPECT_TRUE(found().empty());
  write(8, other);
  ASSERT_EQ(1U, found().size());
  EXPECT_EQ(base::DiagnosticKind::kRace, found()[0].kind);
  EXPECT_EQ(
      "thread (32, 0, 0) writes out[2] while an asynchronous copy may still have to read that, "
      "which thread (0, 0, 0) has started in line 13. Put a __pipeline_commit() and a "
      "__pipeline_wait_prior(0), which wait for the thread's own copies, and then a "
      "__syncthreads() between line 13 and line 17.",
      base::text(found()[0]));
}

TEST_F(SourcesOfCopies, MayBeWrittenBehindTheWaitAndReadAtAnyTime) {
  copy_out(8, warp);
  commit();
  warp.load(6, strided(kOut + 8, 4), 1, 4, run::Space::kGlobal);
  wait();
  write(8, warp);
  EXPECT_TRUE(found().empty());
}

TEST_F(SourcesOfCopies, AWriteByTheThreadThatStartedTheCopyIsNoBetter) {
  copy_out(0, warp);
  write(0, warp);
  ASSERT_EQ(1U, found().size());
  EXPECT_THAT(base::text(found()[0]), HasSubstr("which it has started in line 13. Put a"));
}

TEST_F(SourcesOfCopies, OfAnEarlierCopyAreNotThoseOfOneThatReadsNothing) {
  copy_out(0, warp);
  commit();
  wait();
  copy(0, warp);  // Writes zeros, so it reads no source.
  write(0, warp);
  EXPECT_TRUE(found().empty());
}

TEST_F(SourcesOfCopies, ABlockDoesNotWaitForTheBlockBefore) {
  copy_out(0, warp);
  checker.on_block_begin(1);
  copy(4, warp);
  write(0, warp);
  EXPECT_TRUE(found().empty());
}

class ChecksOfCopies : public Copies<Checks> {};

TEST_F(ChecksOfCopies, OtherThreadsNeedABarrierBehindTheWait) {
  copy(0, warp);
  commit();
  sync_block(checker);
  wait();
  read(0, other);
  const auto found = checker.diagnostics();
  ASSERT_EQ(1U, found.size());
  EXPECT_THAT(base::text(found[0]), HasSubstr("which thread (0, 0, 0) writes in line 31, with no"));
  sync_block(checker);
  read(0, other);
  EXPECT_EQ(1U, checker.diagnostics().size());
  EXPECT_EQ(base::text(found[0]), base::text(checker.diagnostics()[0]));
}

// Whole kernels that use the bulk copy engine: correct ones cause no finding, and each usual
// mistake causes one.

using base::DiagnosticKind;

const std::string kInit =
    "mov.u32 %r1, tile; mad.lo.u32 %r2, %r29, 8, %r1; setp.eq.u32 %p1, %r29, 0;"
    "@%p1 mbarrier.init.shared::cta.b64 [object], 1;"
    "@%p1 fence.proxy.async.shared::cta; bar.sync 0;\n.loc 1 2 1\n";
const std::string kExpect = "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [object], 512;\n";
const std::string kCopy =
    ".loc 1 3 1\n"
    "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd2], 512, "
    "[object];\n.loc 1 4 1\n";
const std::string kLoad = ".loc 1 9 1\nld.shared.u64 %rd6, [%r2]; st.global.u64 [%rd1], %rd6;\n";

std::string wait(int number, const std::string& parity = "0") {
  const auto label = "$wait" + std::to_string(number);
  return label + ": mbarrier.try_wait.parity.shared::cta.b64 %p3, [object], " + parity +
         "; @!%p3 bra " + label + ";\n";
}

std::vector<base::Diagnostic> findings(const std::string& body) {
  sim::PtxLaunch launch;
  launch.before = ".shared .align 16 .b8 tile[512]; .shared .align 8 .b64 object;";
  launch.body = body;
  launch.threads = 64;
  Checks checks(/*global_races=*/true);
  launch.options.observers = {&checks};
  launch.options.threads = 1;
  const auto run = sim::run_ptx(launch);
  sim::expect_clean(run);
  return checks.diagnostics();
}

void expect_right(const std::string& body) {
  for (const auto& found : findings(body)) ADD_FAILURE() << base::text(found);
}

void expect_wrong(const std::string& words, const std::string& body,
                  base::Severity severity = base::Severity::kError) {
  bool any = false;
  std::string all;
  for (const auto& found : findings(body)) {
    EXPECT_TRUE(found.kind == DiagnosticKind::kRace ||
                found.kind == DiagnosticKind::kUninitializedRead)
        << base::text(found);
    any |= found.severity == severity && base::text(found).find(words) != std::string::npos;
    all += base::text(found) + "\n";
  }
  EXPECT_TRUE(any) << all;
}

TEST(BulkCopies, ToSharedMemoryMayBeReadBehindTheWait) {
  expect_right(kInit + kExpect + kCopy + wait(0) + kLoad);
  expect_right(kInit + kCopy + kExpect + wait(0) + kLoad);
}

TEST(BulkCopies, OneThreadMayWaitAndABarrierPassItOn) {
  expect_right(kInit + kExpect + kCopy + "@!%p1 bra $on;\n" + wait(0) + "$on: bar.sync 0;\n" +
               kLoad);
}

TEST(BulkCopies, OfSeveralPhasesMayUseOneTileInTurn) {
  expect_right(kInit + kExpect + kCopy + wait(0) + kLoad + "bar.sync 0;\n" + kExpect + kCopy +
               wait(1, "1") + kLoad);
}

TEST(BulkCopies, NobodyMayReadBeforeTheWait) {
  expect_wrong(
      "reads bytes 0 to 7 of tile while a bulk copy may still write there, which it has "
      "started in line 3",
      kInit + kExpect + kCopy + kLoad + wait(0));
}

TEST(BulkCopies, NobodyMayWriteBeforeTheWait) {
  expect_wrong("writes bytes 0 to 7 of tile while a bulk copy may still write there",
               kInit + kExpect + kCopy + "@%p1 st.shared.u64 [%r2], %rd1;\n" + wait(0));
}

TEST(BulkCopies, AWaitForAnEarlierPhaseIsNone) {
  // Parity 1 belongs to the phase before the first, which counts as complete.
  expect_wrong("it was for an earlier phase",
               kInit + "@%p1 mbarrier.expect_tx.shared.b64 [object], 512;" + kCopy + wait(0, "1") +
                   kLoad + "bar.sync 0; @%p1 mbarrier.arrive.shared.b64 _, [object];" + wait(1));
}

TEST(BulkCopies, TheNextCopyMayNotOverwriteWhatOthersStillRead) {
  expect_wrong("thread (0, 0, 0) writes", kInit + kExpect + kCopy + wait(0) + "bar.sync 0;\n" +
                                              kLoad + kExpect + kCopy + wait(1, "1"));
}

const std::string kFill =
    "mov.u32 %r1, tile; mad.lo.u32 %r2, %r29, 8, %r1; setp.eq.u32 %p1, %r29, 0;"
    "cvt.u64.u32 %rd5, %r29; st.shared.u64 [%r2], %rd5; fence.proxy.async.shared::cta;\n";
const std::string kOut =
    ".loc 1 3 1\n@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 512;\n"
    ".loc 1 4 1\n@%p1 cp.async.bulk.commit_group;\n";
const std::string kOverwrite = ".loc 1 9 1\nst.shared.u64 [%r2], %rd1;\n";

TEST(BulkCopies, ToGlobalMemoryAreReadBehindTheirGroup) {
  expect_right(kFill + "bar.sync 0;" + kOut + "@%p1 cp.async.bulk.wait_group.read 0; bar.sync 0;" +
               kOverwrite);
  expect_right(kFill + "bar.sync 0;" + kOut + "@%p1 cp.async.bulk.wait_group 0; bar.sync 0;" +
               "ld.global.u64 %rd6, [%rd1]; add.u64 %rd6, %rd6, 1; st.global.u64 [%rd1], %rd6;");
}

TEST(BulkCopies, NobodyMayOverwriteWhatOneStillReads) {
  expect_wrong("writes bytes 0 to 7 of tile while a bulk copy may still read there",
               kFill + "bar.sync 0;" + kOut + kOverwrite + "cp.async.bulk.wait_group.read 0;");
  // The wait leaves a group pending, or no barrier follows it.
  expect_wrong("writes bytes", kFill + "bar.sync 0;" + kOut +
                                   "cp.async.bulk.wait_group.read 1; bar.sync 0;" + kOverwrite +
                                   "cp.async.bulk.wait_group.read 0;");
  expect_wrong("writes bytes 320 to 327 of tile",
               kFill + "bar.sync 0;" + kOut + "cp.async.bulk.wait_group.read 0;" +
                   "setp.eq.u32 %p4, %r29, 40; @%p4 st.shared.u64 [%r2], %rd1;");
}

// Copies the first 16 bytes of the tile, then the next 16 bytes `others` times, and overwrites the
// first bytes without waiting for any of these copies.
std::string copies_before_a_store(std::size_t others) {
  return kFill + "bar.sync 0; @!%p1 bra $end; mov.u32 %r3, " + std::to_string(others) +
         "; add.u32 %r4, %r1, 16; add.u64 %rd7, %rd1, 16;"
         "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 16;"
         "$more: cp.async.bulk.global.shared::cta.bulk_group [%rd7], [%r4], 16;"
         "sub.u32 %r3, %r3, 1; setp.ne.u32 %p4, %r3, 0; @%p4 bra $more;"
         "st.shared.u64 [%r2], %rd1; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; "
         "$end:\n";
}

TEST(BulkCopies, OnlyAsManyAsTheLimitAreRemembered) {
  expect_wrong("writes bytes 0 to 7 of tile", copies_before_a_store(BulkCopies::kMostInFlight - 1));
  expect_right(copies_before_a_store(BulkCopies::kMostInFlight));
}

TEST(BulkCopies, AWaitForTheReadsDoesNotMakeTheResultVisible) {
  expect_wrong("cp_async_bulk_wait_group, without _read",
               kFill + "bar.sync 0;" + kOut + "@%p1 cp.async.bulk.wait_group.read 0; bar.sync 0;" +
                   "@%p1 ld.global.u64 %rd6, [%rd1]; @%p1 st.shared.u64 [%r2], %rd6;");
}

TEST(BulkCopies, MustSeeWhatThreadsHaveWritten) {
  expect_wrong("with no barrier in between", kFill + kOut + "cp.async.bulk.wait_group.read 0;");
}

TEST(BulkCopies, ThatOutliveTheirBlockAreAWarning) {
  expect_wrong("the block ends while a bulk copy", kFill + "bar.sync 0;" + kOut,
               base::Severity::kWarning);
  expect_wrong("the block ends while a bulk copy", kInit + kExpect + kCopy,
               base::Severity::kWarning);
}

}  // namespace warpgrade::check::running_copies_test

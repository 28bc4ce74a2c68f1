// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies to shared memory: which threads may access their bytes, and when.
#include "common/check/running_copies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/finding_text.h"
#include "common/check/checks.h"
#include "tests/check/events.h"

namespace warpgrade::check::running_copies_test {

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

}  // namespace warpgrade::check::running_copies_test

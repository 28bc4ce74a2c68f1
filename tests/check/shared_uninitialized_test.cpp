// SPDX-License-Identifier: Apache-2.0
// Reads of unwritten shared memory: what is found, what is not found, and the wording of the
// findings.
#include "common/check/shared_uninitialized.h"

#include <gtest/gtest.h>

#include "common/base/finding_text.h"
#include "tests/check/events.h"

namespace warpgrade::check::shared_uninitialized_test {

class SharedUninitializedTest : public testing::Test {
 protected:
  void SetUp() override {
    checker.on_launch(launch.context());
    checker.on_block_begin(5);
  }
  std::vector<base::Diagnostic> found() { return to_diagnostics(checker.findings().all(), 16); }

  Launch launch;
  SharedUninitialized checker;
  Warp warp{checker, 0};
  Warp other{checker, 1};
};

TEST_F(SharedUninitializedTest, ReadingWhatIsWrittenIsFine) {
  warp.store(0, strided(0, 4));
  other.store(0, strided(128, 4));
  sync_block(checker);
  other.load(1, strided(0, 4));
  warp.load(1, strided(0, 8));
  warp.load(2, strided(64, 0));
  EXPECT_TRUE(found().empty());
}

TEST_F(SharedUninitializedTest, SaysWhichThreadReadsWhatAndWhatToDo) {
  warp.store(0, strided(0, 4));
  other.load(7, strided(64, 4));
  const auto diagnostics = found();
  ASSERT_EQ(1U, diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kUninitializedRead, diagnostics[0].kind);
  EXPECT_EQ((base::SourceLocation{"kernel.cu", 17, 3}), diagnostics[0].where);
  EXPECT_EQ((base::Dim3{1, 1, 0}), diagnostics[0].block);
  EXPECT_EQ((base::Dim3{48, 0, 0}), diagnostics[0].thread);
  EXPECT_EQ(
      "thread (48, 0, 0) reads bytes 128 to 131 of tile, which no thread of the block has written "
      "yet. "
      "Shared memory is not zero-initialized: store to it first, with a __syncthreads() in between "
      "if another thread stores. This happened 16 times.",
      base::text(diagnostics[0]));
}

TEST_F(SharedUninitializedTest, TheSecondVariableIsNamedWithItsOwnOffsets) {
  warp.load(0, strided(1028, 0), 1);
  EXPECT_EQ(0U,
            base::text(found()[0]).find("thread (0, 0, 0) reads bytes 4 to 7 of partial, which"));
}

TEST_F(SharedUninitializedTest, ABlockDoesNotSeeWhatTheBlockBeforeWrote) {
  warp.store(0, strided(0, 4));
  checker.on_block_begin(6);
  warp.load(1, strided(0, 4));
  ASSERT_EQ(1U, found().size());
  EXPECT_EQ((base::Dim3{2, 1, 0}), found()[0].block);
}

TEST_F(SharedUninitializedTest, IsExactForBytes) {
  warp.store(0, strided(0, 2), run::kFullMask, 1);  // Every second byte.
  warp.load(1, strided(0, 2), run::kFullMask, 1);
  EXPECT_TRUE(found().empty());
  warp.load(2, strided(1, 2), 1U << 3, 1);
  ASSERT_EQ(1U, found().size());
  EXPECT_EQ(0U, base::text(found()[0]).find("thread (3, 0, 0) reads byte 7 of tile, which"));
}

TEST_F(SharedUninitializedTest, AHalfWrittenWordIsFound) {
  warp.store(0, strided(0, 4), run::kFullMask, 2);
  warp.load(1, strided(0, 4));
  ASSERT_EQ(1U, found().size());
  EXPECT_NE(std::string::npos,
            base::text(found()[0]).find("The first 2 bytes are written. This happened 32 times."));
}

// struct {float x; char c;}, stored member by member and loaded as a whole.
TEST_F(SharedUninitializedTest, ThePaddingBehindACharIsNotFound) {
  warp.store(0, strided(0, 8));
  warp.store(0, strided(4, 8), 0xffffffff, 1);
  warp.load(1, strided(0, 8), 0xffffffff, 8);
  EXPECT_TRUE(found().empty());
  warp.load(2, strided(5, 8), 0xffffffff, 1);
  EXPECT_EQ(1U, found().size());
}

TEST_F(SharedUninitializedTest, TheLastWordOfAVectorCounts) {
  warp.store(0, strided(0, 16), run::kFullMask, 8);
  warp.load(1, strided(0, 16), run::kFullMask, 8);
  EXPECT_TRUE(found().empty());
  warp.load(2, strided(0, 16), run::kFullMask, 16);
  ASSERT_EQ(1U, found().size());
}

TEST_F(SharedUninitializedTest, AnAtomicReadsToo) {
  warp.atomic(0, strided(0, 0));
  ASSERT_EQ(1U, found().size());
  EXPECT_EQ(0U, base::text(found()[0]).find("thread (0, 0, 0) reads bytes 0 to 3 of tile, which"));
}

TEST_F(SharedUninitializedTest, GlobalMemoryIsNotLookedAt) {
  warp.load(0, strided(0, 4), run::kFullMask, 4, run::Space::kGlobal);
  EXPECT_TRUE(found().empty());
}

TEST_F(SharedUninitializedTest, WithoutALayoutASingleVariableOfTheKernelIsNamed) {
  launch.context().shared_variables.clear();
  ptx::Variable variable;
  variable.name = "_ZZ4copyE4rows";
  variable.space = ptx::StateSpace::kShared;
  launch.function().variables.push_back(variable);
  checker.on_launch(launch.context());
  checker.on_block_begin(0);
  warp.load(0, strided(8, 4), 1);
  EXPECT_EQ(0U, base::text(found()[0]).find("thread (0, 0, 0) reads bytes 8 to 11 of rows, which"));
  launch.function().variables.push_back(variable);
  checker.on_launch(launch.context());
  checker.on_block_begin(0);
  warp.load(0, strided(8, 4), 1);
  EXPECT_EQ(0U,
            base::text(found()[0]).find("thread (0, 0, 0) reads bytes 8 to 11 of shared memory, "));
}

TEST_F(SharedUninitializedTest, TwoInstructionsOfOneLineAreOneFinding) {
  launch.function().instructions[3].location = launch.function().instructions[2].location;
  checker.on_launch(launch.context());
  checker.on_block_begin(0);
  warp.load(2, strided(0, 4), 1);
  warp.load(3, strided(0, 4), 1);
  warp.load(4, strided(0, 4), 1);
  ASSERT_EQ(2U, found().size());
  EXPECT_EQ(12U, found()[0].where.line);
  EXPECT_EQ(14U, found()[1].where.line);
}

}  // namespace warpgrade::check::shared_uninitialized_test

// SPDX-License-Identifier: Apache-2.0
#include "common/check/uninitialized_reads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "common/base/finding_text.h"
#include "tests/check/events.h"

namespace warpgrade::check::uninitialized_reads_test {

// Reads of unwritten shared memory: what is found, what is not found, and the wording of the
// findings.

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

// Compares the map with a plain list of cells.

/// One writer per cell, without compression.
class Plain {
 public:
  explicit Plain(std::uint64_t cells) : cells_(cells) {}
  void add(std::uint64_t cell, Writer writer) {
    Writer& known = cells_[cell];
    known = known == kNobody || known == writer ? writer : kSeveral;
  }
  const std::vector<Writer>& cells() const { return cells_; }

 private:
  std::vector<Writer> cells_;
};

void expect_equal(const Plain& plain, const WriterMap& map) {
  for (std::uint64_t cell = 0; cell < plain.cells().size(); ++cell) {
    ASSERT_EQ(plain.cells()[cell], map.writer(cell)) << cell;
  }
}

TEST(WriterMap, IsAListOfCellsInFewerNumbers) {
  constexpr std::uint64_t kCells = 5000;
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    Plain plain(kCells);
    WriterMap left(kCells), right(kCells);
    for (int step = 0; step < 60; ++step) {
      // Mostly rows of 32 cells, as kernels write them; others begin and end anywhere.
      const bool is_row = step % 3 != 0;
      const std::uint64_t first = is_row ? random() % 150 * 32 : random() % (kCells - 100);
      const auto count =
          static_cast<std::uint32_t>(is_row ? 32 * (1 + random() % 4) : 1 + random() % 100);
      const auto writer = static_cast<Writer>(1 + random() % 3);
      WriterMap& map = step % 2 == 0 ? left : right;
      // In some rounds only one map, or neither, is queried before the end.
      const bool is_asked = round % 4 == 0 || (round % 4 == 1 && step % 2 == 0);
      bool any_unwritten = false;
      for (std::uint64_t i = 0; is_asked && i < count; ++i) {
        any_unwritten |= map.writer(first + i) == kNobody;
      }
      ASSERT_EQ(any_unwritten, is_asked && map.any_unwritten(first, count));
      map.write(first, count, writer);
      for (std::uint64_t i = 0; i < count; ++i) plain.add(first + i, writer);
    }
    left.merge(right);
    expect_equal(plain, left);
  }
}

// Rows of 40 cells with different writers. A row can end, and the next one begin, within a group of
// cells.
TEST(WriterMap, RowsThatEndWithinAGroup) {
  constexpr std::uint64_t kCells = 40 * 50;
  Plain plain(kCells);
  WriterMap left(kCells), right(kCells);
  for (std::uint64_t row = 0; row < 50; ++row) {
    const auto writer = static_cast<Writer>(1 + row % 7);
    (row % 4 < 2 ? left : right).write(40 * row, 40, writer);
    for (std::uint64_t i = 0; i < 40; ++i) plain.add(40 * row + i, writer);
  }
  EXPECT_TRUE(left.any_unwritten(80, 40));
  EXPECT_FALSE(left.any_unwritten(0, 80));
  EXPECT_TRUE(left.any_unwritten(79, 2));
  EXPECT_FALSE(left.any_written(80, 40));
  EXPECT_TRUE(left.any_written(79, 2));
  left.merge(right);
  expect_equal(plain, left);
  left.write(35, 10, 9);
  for (std::uint64_t i = 35; i < 45; ++i) plain.add(i, 9);
  expect_equal(plain, left);
}

// More writes than the list has room for.
TEST(WriterMap, CellByCell) {
  constexpr std::uint64_t kCells = 320;
  Plain plain(kCells);
  WriterMap left(kCells), right(kCells);
  for (std::uint64_t i = 0; i < kCells; ++i) {
    const std::uint64_t cell = i * 7 % kCells;
    const auto writer = static_cast<Writer>(1 + cell / 50);
    (i % 16 == 0 ? right : left).write(cell, 1, writer);
    plain.add(cell, writer);
  }
  right.merge(left);
  expect_equal(plain, right);
}

TEST(WriterMap, TheLastCellsMayBeLessThanARow) {
  WriterMap map(33);
  EXPECT_TRUE(map.any_unwritten(32, 1));
  map.write(0, 33, kMostWriters);
  EXPECT_FALSE(map.any_unwritten(0, 33));
  EXPECT_EQ(kMostWriters, map.writer(32));
  map.write(32, 1, 1);
  EXPECT_EQ(kSeveral, map.writer(32));
  EXPECT_EQ(kMostWriters, map.writer(31));
}

// Reads of output elements before the first write.

constexpr auto kGlobal = run::Space::kGlobal;
constexpr auto kFull = run::kFullMask;

class GlobalInitTest : public testing::Test {
 protected:
  void SetUp() override {
    checker.on_launch(launch.context());
    checker.on_block_begin(5);
  }
  std::vector<base::Diagnostic> found() { return to_diagnostics(checker.findings().all(), 16); }

  Launch launch;
  GlobalInit checker;
  Warp warp{checker, 0};
};

TEST_F(GlobalInitTest, ReadingInputsAndWhatTheBlockWroteIsFine) {
  warp.load(0, strided(kIn, 4), kFull, 4, kGlobal);
  warp.store(1, strided(kOut, 4), kFull, 4, kGlobal);
  warp.load(2, strided(kOut, 4), kFull, 4, kGlobal);
  warp.load(2, strided(kOut, 8), 0xffff, 8, kGlobal);
  EXPECT_TRUE(found().empty());
}

TEST_F(GlobalInitTest, AddingToAnOutputIsFoundThoughTheThreadWritesItAfterwards) {
  warp.load(2, strided(kOut + 128, 4), kFull, 4, kGlobal);
  warp.store(3, strided(kOut + 128, 4), kFull, 4, kGlobal);
  const auto diagnostics = found();
  ASSERT_EQ(1U, diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kUninitializedRead, diagnostics[0].kind);
  EXPECT_EQ(12U, diagnostics[0].where.line);
  EXPECT_EQ((base::Dim3{1, 1, 0}), diagnostics[0].block);
  EXPECT_EQ((base::Dim3{0, 0, 0}), diagnostics[0].thread);
  EXPECT_EQ(
      "thread (0, 0, 0) reads out[32] before the kernel has written it. out is not "
      "zero-initialized: store to an element before reading it, or sum in a local variable. This "
      "happened "
      "32 times.",
      base::text(diagnostics[0]));
}

TEST_F(GlobalInitTest, WhatAnEarlierLaunchHasWrittenIsFineToRead) {
  warp.store(1, strided(kOut, 4), kFull, 4, kGlobal);
  const auto written = checker.written(1);
  ASSERT_EQ(1024U, written.size());
  EXPECT_EQ(128, std::count(written.begin(), written.end(), true));
  EXPECT_TRUE(written[127]);
  EXPECT_FALSE(written[128]);

  launch.buffers()[1].written = std::make_shared<const std::vector<bool>>(written);
  checker.on_launch(launch.context());
  checker.on_block_begin(2);
  warp.load(2, strided(kOut, 4), kFull, 4, kGlobal);
  EXPECT_TRUE(found().empty());
  warp.load(3, strided(kOut + 64, 4), kFull, 4, kGlobal);  // The second half is unwritten.
  ASSERT_EQ(1U, found().size());
  EXPECT_EQ((base::Dim3{16, 0, 0}), found()[0].thread);
  warp.store(4, strided(kOut + 512, 4), 1, 4, kGlobal);
  EXPECT_EQ(132, std::ranges::count(checker.written(1), true));  // Bytes of both launches.
}

TEST_F(GlobalInitTest, AnAtomicOnAnOutputIsFoundOnce) {
  warp.atomic(2, strided(kOut, 0), kFull, kGlobal);
  ASSERT_EQ(1U, found().size());
  EXPECT_EQ(std::string::npos, base::text(found()[0]).find("times"));
}

TEST_F(GlobalInitTest, WhatAnotherBlockWritesIsFineInEitherOrderAndOnAnyObserver) {
  warp.load(0, strided(kOut, 4), kFull, 4, kGlobal);
  const auto fork = checker.fork();
  fork->on_launch(launch.context());
  fork->on_block_begin(6);
  Warp(*fork).store(1, strided(kOut, 4), kFull, 4, kGlobal);
  EXPECT_EQ(1U, found().size());
  checker.join(*fork);
  EXPECT_TRUE(found().empty());
}

TEST_F(GlobalInitTest, TheResultDoesNotDependOnTheNumberOfObservers) {
  // Blocks 0 to 7: block b reads elements 32b to 32b+31 and writes the next block's first half.
  const auto block = [](run::Observer& observer, std::uint64_t b) {
    observer.on_block_begin(b);
    Warp(observer).load(0, strided(kOut + 128 * b, 4), kFull, 4, kGlobal);
    Warp(observer).store(1, strided(kOut + 128 * ((b + 1) % 8), 4), 0xffff, 4, kGlobal);
  };
  std::vector<std::vector<base::Diagnostic>> results;
  for (const std::size_t observers : {1U, 3U, 8U}) {
    checker.on_launch(launch.context());
    std::vector<std::unique_ptr<run::Observer>> forks;
    for (std::size_t i = 0; i < observers; ++i) {
      forks.push_back(checker.fork());
      forks.back()->on_launch(launch.context());
    }
    for (std::uint64_t b = 0; b < 8; ++b) block(*forks[(b * 5) % observers], b);
    for (auto& fork : forks) checker.join(*fork);
    results.push_back(found());
  }
  ASSERT_EQ(1U, results[0].size());
  EXPECT_NE(std::string::npos,
            base::text(results[0][0]).find("thread (16, 0, 0) reads out[16] before"));
  EXPECT_NE(std::string::npos, base::text(results[0][0]).find("This happened 128 times."));
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST_F(GlobalInitTest, PollingCountsEveryRead) {
  for (int i = 0; i < 10; ++i) warp.load(0, strided(kOut, 4), 1, 4, kGlobal);
  ASSERT_EQ(1U, found().size());
  EXPECT_NE(std::string::npos, base::text(found()[0]).find("This happened 10 times."));
}

TEST_F(GlobalInitTest, ElementsOfOneByteAreToldApart) {
  launch.buffers()[1].element_bytes = 1;
  checker.on_launch(launch.context());
  checker.on_block_begin(0);
  warp.store(0, strided(kOut, 2), kFull, 1, kGlobal);
  warp.load(1, strided(kOut, 2), kFull, 1, kGlobal);
  EXPECT_TRUE(found().empty());
  warp.load(2, strided(kOut + 1, 2), kFull, 1, kGlobal);
  ASSERT_EQ(1U, found().size());
  EXPECT_EQ(0U, base::text(found()[0]).find("thread (0, 0, 0) reads out[1] before"));
}

TEST_F(GlobalInitTest, ADefinedBufferMayBeRead) {
  launch.buffers()[1].defined = true;
  checker.on_launch(launch.context());
  checker.on_block_begin(0);
  warp.load(0, strided(kOut, 4), kFull, 4, kGlobal);
  EXPECT_TRUE(found().empty());
}

TEST_F(GlobalInitTest, AddressesOutsideOfAllBuffersAreLeftToTheSimulator) {
  warp.load(0, strided(kOut + 1020, 4), kFull, 4, kGlobal);
  ASSERT_EQ(1U, found().size());
  EXPECT_EQ(0U, base::text(found()[0]).find("thread (0, 0, 0) reads out[255] before"));
  EXPECT_EQ(std::string::npos, base::text(found()[0]).find("times"));
}

}  // namespace warpgrade::check::uninitialized_reads_test

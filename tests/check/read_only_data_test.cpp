// SPDX-License-Identifier: Apache-2.0
#include "common/check/read_only_data.h"

#include <gtest/gtest.h>

#include "common/base/finding_text.h"
#include "common/check/checks.h"
#include "tests/check/events.h"

namespace warpgrade::check::read_only_data_test {

// Stores and atomics to inputs.

constexpr auto kGlobal = run::Space::kGlobal;
constexpr auto kFull = run::kFullMask;

class InputModifiedTest : public testing::Test {
 protected:
  void SetUp() override {
    checker.on_launch(launch.context());
    checker.on_block_begin(0);
  }
  std::vector<base::Diagnostic> found() { return to_diagnostics(checker.findings().all(), 16); }

  Launch launch;
  InputModified checker;
  Warp warp{checker, 1};
};

TEST_F(InputModifiedTest, ReadingInputsAndWritingOutputsIsFine) {
  warp.load(0, strided(kIn, 4), kFull, 4, kGlobal);
  warp.store(1, strided(kOut, 4), kFull, 4, kGlobal);
  warp.store(1, strided(kOut, 8), kFull, 4, kGlobal);
  warp.store(2, strided(0, 4));
  EXPECT_TRUE(found().empty());
}

TEST_F(InputModifiedTest, NamesTheElementAndTheParameter) {
  warp.store(4, strided(kIn + 20, 4), kFull, 4, kGlobal);
  const auto diagnostics = found();
  ASSERT_EQ(1U, diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kInputModified, diagnostics[0].kind);
  EXPECT_EQ(14U, diagnostics[0].where.line);
  EXPECT_EQ(
      "thread (32, 0, 0) writes in[5], but in is an input that the kernel must not modify. Store "
      "to an output parameter or a local variable. This happened 32 times.",
      base::text(diagnostics[0]));
}

TEST_F(InputModifiedTest, OneLaneOfAScatteredStoreIsFound) {
  warp.store(
      4, [](std::uint32_t lane) { return lane == 9 ? kIn : kOut + 8 * lane; }, kFull, 4, kGlobal);
  ASSERT_EQ(1U, found().size());
  EXPECT_EQ((base::Dim3{41, 0, 0}), found()[0].thread);
}

TEST_F(InputModifiedTest, AnAtomicChangesItsPlaceToo) {
  warp.atomic(4, strided(kIn, 0), 1, kGlobal);
  ASSERT_EQ(1U, found().size());
  EXPECT_EQ(0U,
            base::text(found()[0]).find("thread (32, 0, 0) atomically updates in[0], but in is"));
}

}  // namespace warpgrade::check::read_only_data_test

namespace warpgrade::check::read_only_loads_test {

// Loads through the read-only data cache from memory that the launch writes.

constexpr auto kGlobal = run::Space::kGlobal;
constexpr auto kFull = run::kFullMask;

// Instruction 5, at line 15, is ld.global.nc.
class ReadOnlyLoadsTest : public testing::Test {
 protected:
  void SetUp() override {
    auto& load = launch.function().instructions[5];
    load.opcode = ptx::Opcode::ld;
    load.modifiers.add(ptx::Modifier::nc);
    checks.on_launch(launch.context());
    checks.on_block_begin(0);
  }

  Launch launch;
  Checks checks;
  Warp warp{checks, 1};
};

TEST_F(ReadOnlyLoadsTest, AnInputMayBeLoadedSo) {
  warp.load(5, strided(kIn, 4), kFull, 4, kGlobal);
  warp.store(6, strided(kOut, 4), kFull, 4, kGlobal);
  checks.on_block_end();
  EXPECT_TRUE(checks.diagnostics().empty());
}

TEST_F(ReadOnlyLoadsTest, WhatWasWrittenBeforeIsFoundWithElementLineAndThread) {
  warp.store(4, strided(kOut + 20, 4), kFull, 4, kGlobal);
  warp.load(5, strided(kOut + 20, 4), 1U << 3, 4, kGlobal);
  checks.on_block_end();
  const auto found = checks.diagnostics();
  ASSERT_EQ(1U, found.size());
  EXPECT_EQ(base::DiagnosticKind::kRace, found[0].kind);
  EXPECT_EQ(15U, found[0].where.line);
  EXPECT_EQ((base::Dim3{35, 0, 0}), found[0].thread);
  EXPECT_EQ(
      "thread (35, 0, 0) reads out[8] through the read-only data cache, but this launch also "
      "writes it: the value may be stale. Use a plain load: without __ldg(), and without "
      "__restrict__ on pointers to the same memory.",
      base::text(found[0]));
}

TEST_F(ReadOnlyLoadsTest, ABufferThatStartsWithValuesIsLookedAtToo) {
  launch.buffers()[1].defined = true;
  checks.on_launch(launch.context());
  checks.on_block_begin(0);
  warp.load(5, strided(kOut, 8), 0xf, 8, kGlobal);
  EXPECT_TRUE(checks.diagnostics().empty());
  warp.store(4, strided(kOut + 28, 4), 1, 4, kGlobal);  // the second half of lane 3's load
  checks.on_block_end();
  ASSERT_EQ(1U, checks.diagnostics().size());
  EXPECT_EQ((base::Dim3{35, 0, 0}), checks.diagnostics()[0].thread);
}

TEST_F(ReadOnlyLoadsTest, NeighboursOfAWrittenByteMayBeLoadedSo) {
  launch.buffers()[1].defined = true;
  launch.buffers()[1].element_bytes = 1;
  checks.on_launch(launch.context());
  checks.on_block_begin(0);
  warp.load(5, strided(kOut + 4, 1), 1, 1, kGlobal);
  warp.store(4, strided(kOut + 5, 1), 1, 1, kGlobal);
  EXPECT_TRUE(checks.diagnostics().empty());
  warp.store(4, strided(kOut + 4, 1), 1, 1, kGlobal);
  checks.on_block_end();
  EXPECT_EQ(1U, checks.diagnostics().size());
}

TEST_F(ReadOnlyLoadsTest, APlainLoadOfItIsFine) {
  warp.store(4, strided(kOut, 4), kFull, 4, kGlobal);
  warp.load(7, strided(kOut, 4), kFull, 4, kGlobal);
  checks.on_block_end();
  EXPECT_TRUE(checks.diagnostics().empty());
}

TEST_F(ReadOnlyLoadsTest, WhatABlockOnAnotherThreadWritesIsFoundToo) {
  const auto other = checks.fork();
  other->on_launch(launch.context());
  other->on_block_begin(3);
  Warp elsewhere(*other);
  elsewhere.store(4, strided(kOut, 4), kFull, 4, kGlobal);
  other->on_block_end();
  warp.load(5, strided(kOut, 4), kFull, 4, kGlobal);
  checks.on_block_end();
  checks.join(*other);
  ASSERT_EQ(1U, checks.diagnostics().size());
  EXPECT_EQ(base::DiagnosticKind::kRace, checks.diagnostics()[0].kind);
}

}  // namespace warpgrade::check::read_only_loads_test

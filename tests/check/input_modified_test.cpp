// SPDX-License-Identifier: Apache-2.0
// Stores and atomics to inputs.
#include "common/check/input_modified.h"

#include <gtest/gtest.h>

#include "common/base/finding_text.h"
#include "tests/check/events.h"

namespace warpgrade::check::input_modified_test {

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

}  // namespace warpgrade::check::input_modified_test

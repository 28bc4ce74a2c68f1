// SPDX-License-Identifier: Apache-2.0
// Reads of output elements before the first write.
#include "common/check/global_init.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/base/finding_text.h"
#include "tests/check/events.h"

namespace warpgrade::check::global_init_test {

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

}  // namespace warpgrade::check::global_init_test

// SPDX-License-Identifier: Apache-2.0
#include "common/sim/residents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "common/base/error.h"
#include "tests/sim/cooperative_kernel.h"

namespace warpgrade::sim::residents_test {

// Orders and lists of blocks.

TEST(BlockOrder, IsByIndexWithoutASeedAndHasEachBlockOnceWithOne) {
  const BlockOrder plain(10, 0);
  EXPECT_EQ(7U, plain(7));
  const BlockOrder seeded(10, 5);
  std::set<std::uint64_t> blocks;
  for (std::uint64_t i = 0; i < 10; ++i) blocks.insert(seeded(i));
  EXPECT_EQ(10U, blocks.size());
  EXPECT_EQ(9U, *blocks.rbegin());
}

TEST(BlockList, CountsThroughRanges) {
  EXPECT_EQ(6U, BlockList({}, 6).count());
  EXPECT_EQ(4U, BlockList({}, 6).at(4));
  const BlockList list({{1, 3}, {5, 6}}, 6);
  EXPECT_EQ(3U, list.count());
  EXPECT_EQ(2U, list.at(1));
  EXPECT_EQ(5U, list.at(2));
  EXPECT_THROW(BlockList({{3, 2}}, 6), base::UsageError);
  EXPECT_THROW(BlockList({{0, 7}}, 6), base::UsageError);
}

// Blocks of a cooperative launch: they can wait for each other, and endless waits are reported.

using base::DiagnosticKind;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kReverse = "x[i] = 3 * i; grid.sync(); out[i] = x[grid.size() - 1 - i];";

void expect_reversed(const CooperativeRun& run, int threads) {
  ASSERT_TRUE(run.result.diagnostics.empty()) << run.result.diagnostics[0].message;
  for (int i = 0; i < threads; ++i) ASSERT_EQ(3 * (threads - 1 - i), run.out[i]) << i;
}

// Expects one fault of `kind` in `line` whose message matches `words`.
template <typename Matcher>
void expect_one(const CooperativeRun& run, DiagnosticKind kind, std::uint32_t line,
                const Matcher& words) {
  ASSERT_EQ(1U, run.result.diagnostics.size());
  const auto& found = run.result.diagnostics[0];
  EXPECT_EQ(kind, found.kind) << found.message;
  EXPECT_EQ(line, found.where.line) << found.message;
  EXPECT_THAT(found.message, words);
}

TEST(Residents, ABarrierOfTheGridHoldsUpAllBlocks) {
  expect_reversed(run_cooperative(kReverse, 5, 96), 480);
  expect_reversed(run_cooperative(kReverse, 1, 32), 32);
}

TEST(Residents, SeedsChangeTheOrderAndNotTheResult) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    run::Options options;
    options.seed = seed;
    expect_reversed(run_cooperative(kReverse, 4, 64, options), 256);
  }
}

TEST(Residents, AllBlocksRunEvenIfSomeAreAskedFor) {
  run::Options options;
  options.blocks = {{1, 2}};
  expect_reversed(run_cooperative(kReverse, 4, 64, options), 256);
}

TEST(Residents, AnOrdinaryLaunchHasNoBarrierOfTheGrid) {
  const auto run = run_cooperative(kReverse, 2, 32, {}, /*cooperative=*/false);
  expect_one(run, DiagnosticKind::kUnsupported, 4, HasSubstr("add --cooperative"));
}

TEST(Residents, ABlockCanWaitForALaterOne) {
  const auto run = run_cooperative(
      "volatile int* flag = x; if (t == 0) { if (b == 0) { while (flag[1] == 0) {} } else { "
      "flag[1] = "
      "7; } out[b] = flag[1]; }",
      2, 64);
  ASSERT_TRUE(run.result.diagnostics.empty()) << run.result.diagnostics[0].message;
  EXPECT_EQ(7, run.out[0]);
}

// The same in an ordinary launch, whose blocks may run one after the other.
TEST(Residents, AnOrdinaryLaunchMayNotWaitForALaterBlock) {
  run::Options options;
  options.block_budget = 1 << 20;
  const auto run = run_cooperative(
      "volatile int* flag = x; if (t == 0) { if (b == 0) { while (flag[1] == 0) {} } else { "
      "flag[1] = "
      "7; } out[b] = flag[1]; }",
      2, 64, options, /*cooperative=*/false);
  expect_one(run, DiagnosticKind::kRunaway, 4, HasSubstr("waits for another block"));
}

TEST(Residents, ALockGoesRoundAmongManyBlocks) {
  for (const std::uint64_t seed : {0, 3}) {
    run::Options options;
    options.seed = seed;
    const auto run = run_cooperative(
        "if (t == 0) for (int k = 0; k < 4; ++k) { while (atomicCAS(&x[0], 0, 1) != 0) {} "
        "__threadfence(); volatile int* sum = out; sum[0] = sum[0] + 1; __threadfence(); "
        "atomicExch(&x[0], 0); }",
        60, 32, options);
    ASSERT_TRUE(run.result.diagnostics.empty()) << run.result.diagnostics[0].message;
    EXPECT_EQ(240, run.out[0]) << seed;
  }
}

TEST(Residents, ALoopThatGivesUpAfterManyTriesEnds) {
  const auto run = run_cooperative(
      "if (t == 0) { volatile int* flag = x; int tries = 0; while (flag[5] == 0 && tries < 5000) "
      "++tries; out[b] = tries; }",
      3, 32);
  ASSERT_TRUE(run.result.diagnostics.empty()) << run.result.diagnostics[0].message;
  EXPECT_EQ(5000, run.out[2]);
}

TEST(Residents, ABlockThatReturnsBeforeTheBarrierIsNamed) {
  for (const std::uint64_t seed : {0, 2}) {
    run::Options options;
    options.seed = seed;
    const auto run = run_cooperative("if (b == 2) return;\ngrid.sync();", 4, 64, options);
    expect_one(run, DiagnosticKind::kDeadlock, 5,
               AllOf(HasSubstr("3 of the grid's 4 blocks wait here"),
                     HasSubstr("block (2, 0, 0) has ended without it")));
  }
}

TEST(Residents, ABarrierInABranchThatSomeBlocksTakeIsADeadlock) {
  const auto run = run_cooperative("if (b % 2 == 0)\n  grid.sync();\nout[i] = 1;", 6, 32);
  expect_one(run, DiagnosticKind::kDeadlock, 5,
             HasSubstr("3 blocks, the first of them block (1, 0, 0), have ended"));
}

TEST(Residents, AFirstThreadThatReturnsIsADeadlock) {
  const auto run = run_cooperative("if (b == 1 && t == 0) return;\ngrid.sync();", 3, 64);
  expect_one(run, DiagnosticKind::kDeadlock, 5,
             AllOf(HasSubstr("block (1, 0, 0) has ended"), HasSubstr("first thread of a block")));
}

TEST(Residents, AWaitForAValueThatNobodyStoresIsARunaway) {
  for (const std::uint64_t seed : {0, 4}) {
    run::Options options;
    options.seed = seed;
    const auto run = run_cooperative(
        "volatile int* flag = x;\nif (b == 1 && t == 0) while (flag[9] == 0) {}\ngrid.sync();", 3,
        32, options);
    expect_one(run, DiagnosticKind::kRunaway, 5, HasSubstr("a value that no thread changes"));
  }
}

TEST(Residents, AFaultOfOneBlockEndsTheLaunch) {
  const auto run = run_cooperative("if (b == 1) x[5000] = 1;\ngrid.sync();", 3, 32);
  ASSERT_EQ(1U, run.result.diagnostics.size());
  EXPECT_EQ(DiagnosticKind::kOutOfBounds, run.result.diagnostics[0].kind);
}

}  // namespace warpgrade::sim::residents_test

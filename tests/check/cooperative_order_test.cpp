// SPDX-License-Identifier: Apache-2.0
// Races and early reads between the blocks of a cooperative launch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/finding_text.h"
#include "common/check/checks.h"
#include "tests/sim/cooperative_kernel.h"

namespace warpgrade::check::cooperative_order_test {

using testing::HasSubstr;

// The findings in a kernel with four blocks of 64 threads, run in the order that `seed` gives.
std::vector<base::Diagnostic> found(const std::string& body, std::uint64_t seed = 0) {
  Checks checks(/*global_races=*/true);
  run::Options options;
  options.seed = seed;
  options.observers = {&checks};
  const auto run = sim::run_cooperative(body, 4, 64, options);
  EXPECT_TRUE(run.result.diagnostics.empty()) << base::text(run.result.diagnostics[0]);
  return checks.diagnostics();
}

void expect_clean(const std::string& body) {
  for (const std::uint64_t seed : {0, 1, 2}) {
    const auto all = found(body, seed);
    EXPECT_TRUE(all.empty()) << seed << ": " << base::text(all[0]);
  }
}

void expect_race(const std::string& body) {
  for (const std::uint64_t seed : {0, 1, 2}) {
    const auto all = found(body, seed);
    ASSERT_LE(1U, all.size()) << seed;
    EXPECT_EQ(base::DiagnosticKind::kRace, all[0].kind) << base::text(all[0]);
  }
}

TEST(CooperativeOrder, ABarrierOfTheGridOrdersAllThreads) {
  expect_clean("x[i] = i; grid.sync(); out[i] = x[255 - i];");
  expect_clean(
      "for (int k = 0; k < 3; ++k) { x[i] = i + k; grid.sync(); out[i] = x[(i + 100) % 256]; "
      "grid.sync(); }");
}

TEST(CooperativeOrder, WithoutItBlocksRace) {
  expect_race("x[i] = i; out[i] = x[255 - i];");
  const auto all = found("x[i] = i;\nout[i] = x[255 - i];");
  EXPECT_THAT(base::text(all[0]), HasSubstr("Put a barrier of the grid (grid.sync() of cooperative "
                                            "groups) between line 4 and line 5."));
}

TEST(CooperativeOrder, OneOfTwoNeededBarriersIsNotEnough) {
  expect_race(
      "for (int k = 0; k < 3; ++k) { x[i] = i + k; grid.sync(); out[i] = x[(i + 100) % 256]; }");
}

TEST(CooperativeOrder, ABarrierOfTheBlockIsNoneOfTheGrid) {
  expect_race("x[i] = i; __syncthreads(); out[i] = x[255 - i];");
}

TEST(CooperativeOrder, AnArrivalHandsOnAndAWaitLearns) {
  const std::string wait = "grid.barrier_wait(static_cast<decltype(token)&&>(token)); ";
  expect_clean("x[i] = i; auto token = grid.barrier_arrive(); " + wait + "out[i] = x[255 - i];");
  const auto before_the_wait =
      found("x[i] = i; auto token = grid.barrier_arrive(); out[i] = x[255 - i]; " + wait);
  EXPECT_FALSE(before_the_wait.empty());
  const auto behind_the_arrival =
      found("auto token = grid.barrier_arrive(); x[i] = i; " + wait + "out[i] = x[255 - i];");
  EXPECT_FALSE(behind_the_arrival.empty());
}

TEST(CooperativeOrder, FlagsBehindFencesOrder) {
  const std::string wait =
      "if (t == 0) { volatile int* f = out; while (f[b + 1] == 0) {} __threadfence(); } "
      "__syncthreads(); ";
  const std::string set =
      "__syncthreads(); if (t == 0) { __threadfence(); atomicExch(&out[b], 1); }";
  expect_clean("if (b < 3) { " + wait + "x[i] = 2 * x[i + 64]; } else { x[i] = i; } " + set);
  expect_race(
      "if (b < 3) { if (t == 0) { volatile int* f = out; while (f[b + 1] == 0) {} } "
      "__syncthreads(); x[i] = 2 * x[i + 64]; } else { x[i] = i; } __syncthreads(); if (t == 0) "
      "out[b] = 1;");
}

// Block 0 publishes two values with two flags. Block 1 waits only for the first flag, so its read
// of the second value is a race.
TEST(CooperativeOrder, ALaterHandingOnIsNotKnownBefore) {
  expect_race(
      "volatile int* turn = out; if (t == 0) { if (b == 0) { x[0] = 1; __threadfence(); turn[0] = "
      "1; "
      "x[1] = 2; __threadfence(); turn[1] = 1; } if (b == 1) { while (turn[0] == 0) {} "
      "__threadfence(); turn[8] = x[0] + x[1]; } }");
}

}  // namespace warpgrade::check::cooperative_order_test

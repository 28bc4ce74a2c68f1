// SPDX-License-Identifier: Apache-2.0
// Seeded orders: the results that they keep, and the faults that they expose.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::turn_orders_test {

PtxRun run_seed(PtxLaunch launch, std::uint64_t seed, std::uint32_t threads = 1) {
  launch.options.seed = seed;
  launch.options.threads = threads;
  return run_ptx(launch);
}

// Each thread adds 1 to one word with a load and a store, between which other threads may run.
PtxLaunch lost_updates() {
  PtxLaunch launch;
  launch.before = ".global .u64 count;";
  launch.threads = 256;
  launch.body =
      "mov.u32 %r1, 0; $loop: ld.global.u64 %rd5, [count]; add.u64 %rd5, %rd5, 1;"
      "st.global.u64 [count], %rd5; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 8; @%p1 bra $loop;"
      "bar.sync 0; ld.global.u64 %rd6, [count]; st.global.u64 [%rd1], %rd6;";
  return launch;
}

TEST(Interleaving, SeedZeroLetsEachWarpGoAsFarAsItGets) {
  EXPECT_THAT(run_seed(lost_updates(), 0).out, testing::Each(8U * 8U));
}

TEST(Interleaving, OtherSeedsPutWarpsBetweenTwoInstructions) {
  std::set<std::uint64_t> counts;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto run = run_seed(lost_updates(), seed);
    EXPECT_TRUE(run.result.diagnostics.empty());
    counts.insert(run.out[0]);
  }
  EXPECT_GT(counts.size(), 1U);
  EXPECT_LT(*counts.begin(), 8U * 8U);
}

TEST(Interleaving, OneSeedIsOneOrderForAnyNumberOfHostThreads) {
  auto launch = lost_updates();
  launch.before = "";
  launch.blocks = 16;
  launch.body =
      "ld.global.u64 %rd5, [%rd1]; add.u64 %rd5, %rd5, 1; st.global.u64 [%rd1+0], %rd5;"
      "mul.wide.u32 %rd6, %r29, 8; sub.s64 %rd7, %rd1, %rd6; ld.global.u64 %rd8, [%rd7+512];"
      "mad.lo.u64 %rd8, %rd8, 3, %rd6; st.global.u64 [%rd1], %rd8;";
  const auto one = run_seed(launch, 5);
  EXPECT_EQ(one.out, run_seed(launch, 5).out);
  EXPECT_EQ(one.out, run_seed(launch, 5, 3).out);
  EXPECT_NE(one.out, run_seed(launch, 6).out);
}

TEST(Interleaving, BlocksRunInAnotherOrder) {
  PtxLaunch launch;
  launch.before = ".global .u64 next;";
  launch.threads = 1;
  launch.blocks = 64;
  launch.body = "atom.global.add.u64 %rd5, [next], 1; st.global.u64 [%rd1], %rd5;";
  const auto in_order = run_seed(launch, 0).out;
  EXPECT_TRUE(std::is_sorted(in_order.begin(), in_order.end()));
  auto seeded = run_seed(launch, 1).out;
  EXPECT_FALSE(std::is_sorted(seeded.begin(), seeded.end()));
  std::sort(seeded.begin(), seeded.end());
  EXPECT_EQ(in_order, seeded);
}

// Two warps. The first polls with loads of the form `load` until the second stores.
PtxLaunch spinning(const std::string& load) {
  PtxLaunch launch;
  launch.before = ".shared .align 8 .b8 flag[8];";
  launch.threads = 64;
  // Warp 0 waits for warp 1's store; shared memory initially holds 0xff.
  launch.body =
      "setp.ge.u32 %p1, %r29, 32; @%p1 bra $write;"
      "$spin: " +
      load +
      " %r1, [flag]; setp.ne.u32 %p2, %r1, 7; @%p2 bra $spin;"
      "bra $end; $write: st.volatile.shared.u32 [flag], 7; $end: mov.u64 %rd5, 1;"
      "st.global.u64 [%rd1], %rd5;";
  return launch;
}

TEST(Interleaving, WarpsThatSpinOnEachOtherMakeProgress) {
  const auto launch = spinning("ld.volatile.shared.u32");
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto run = run_seed(launch, seed);
    EXPECT_TRUE(run.result.diagnostics.empty()) << seed;
    EXPECT_THAT(run.out, testing::Each(1U));
  }
}

TEST(Interleaving, AWarpThatSpinsSoonLetsTheOthersRun) {
  for (const std::string load :
       {"ld.volatile.shared.u32", "ld.relaxed.cta.shared.u32", "ld.acquire.cta.shared.u32"}) {
    std::uint64_t executed = 0;
    for (const auto& each : run_seed(spinning(load), 0).result.instructions) {
      executed += each.warps;
    }
    EXPECT_LT(executed, 1000U) << load;
  }
}

TEST(Interleaving, BarriersAndRunawaysAreAsEver) {
  PtxLaunch launch;
  launch.threads = 128;
  launch.body = "$loop: bar.sync 0; bra $loop;";
  launch.options.block_budget = 100'000;
  const auto run = run_seed(launch, 3);
  ASSERT_EQ(1U, run.result.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kRunaway, run.result.diagnostics[0].kind);
}

}  // namespace warpgrade::sim::turn_orders_test

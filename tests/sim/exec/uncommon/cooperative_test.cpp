// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/cooperative_kernel.h"
#include "tests/sim/lane_rules.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::cooperative_test {

// Addresses and ranks in a launch without clusters, in which each block is a cluster. The values
// follow from the text of the PTX ISA: the block's rank is 0, and mapa returns the address of the
// same place in the block of rank 0.

using base::DiagnosticKind;
using testing::Each;

const std::string kTile = ".shared .align 8 .b8 tile[256];";
const std::string kOwnWord = "mov.u32 %r5, tile; mad.lo.u32 %r5, %r29, 8, %r5;";

PtxRun with_tile(const std::string& body, std::uint32_t threads = 32) {
  PtxLaunch launch;
  launch.before = kTile;
  launch.threads = threads;
  launch.body = body;
  return run_ptx(launch);
}

TEST(ClusterRank, OfABlockIsZero) {
  PtxLaunch launch;
  launch.before = kTile;
  launch.blocks = 2;
  launch.body =
      "mov.u32 %r5, tile; mov.u64 %rd5, tile; mov.u32 %r6, 7; mov.u32 %r7, 7; mov.u32 %r8, 7;"
      "getctarank.shared::cluster.u32 %r6, %r5; getctarank.shared::cluster.u64 %r7, %rd5;"
      "getctarank.shared::cluster.u32 %r8, tile; mad.lo.u32 %r6, %r7, 10, %r6;"
      "mad.lo.u32 %r6, %r8, 100, %r6; cvta.shared.u64 %rd7, %rd5; getctarank.u64 %r9, %rd7;"
      "mad.lo.u32 %r6, %r9, 1000, %r6; add.u32 %r6, %r6, 1; cvt.u64.u32 %rd6, %r6;"
      "st.global.u64 [%rd1], %rd6;";
  const auto run = run_ptx(launch);
  expect_clean(run);
  EXPECT_THAT(run.out, Each(1U));
}

TEST(ClusterRank, OfAnAddressThatIsNotSharedIsAFault) {
  const auto run = run_body("getctarank.u64 %r5, %rd2;");
  expect_fault(DiagnosticKind::kOutOfBounds, "not one of the cluster's shared memory", run);
}

TEST(ClusterRank, FormsThatPtxLacksAreRefused) {
  for (const auto* form : {".shared", ".shared::cta", ".global"}) {
    EXPECT_NE("", refusal(std::string("getctarank") + form + ".u64 %r5, %rd2;")) << form;
    EXPECT_NE("", refusal(std::string("mapa") + form + ".u64 %rd5, %rd2, 0;")) << form;
  }
  EXPECT_NE("", refusal("getctarank.shared::cluster.u64 %rd5, %rd2;"));
  EXPECT_NE("", refusal("getctarank.shared::cluster.b32 %r5, %r6;"));
}

TEST(Mapa, ToTheOwnRankIsTheSamePlace) {
  const auto run =
      with_tile(kOwnWord +
                "cvt.u64.u32 %rd5, %r5; cvta.shared.u64 %rd6, %rd5; mov.u32 %r9, 0;"
                "mapa.shared::cluster.u32 %r6, %r5, 0;"
                "mapa.shared::cluster.u64 %rd7, %rd5, %r9; mapa.u64 %rd8, %rd6, 0;"
                "cvt.u64.u32 %rd9, %r29; st.shared::cluster.u64 [%r6], %rd9;"
                "mov.u64 %rd10, 100; atom.shared::cluster.add.u64 %rd11, [%rd7], %rd10;"
                "red.shared::cluster.add.u64 [%r6], %rd10;"
                "ld.u64 %rd12, [%rd8]; ld.shared::cluster.u64 %rd13, [%r6];"
                "sub.u64 %rd13, %rd13, %rd12; add.u64 %rd12, %rd12, %rd13;"
                "st.global.u64 [%rd1], %rd12;");
  expect_clean(run);
  for (std::size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(200 + lane, run.out[lane]);
}

TEST(Mapa, ToARankThatTheClusterLacksIsAFaultOfTheAccess) {
  const std::string map = "mov.u32 %r5, tile; mapa.shared::cluster.u32 %r6, %r5, %r29;";
  expect_clean(with_tile(map));
  expect_fault(DiagnosticKind::kOutOfBounds, "the block of rank 1, but the cluster has 1 block",
               with_tile(map + "st.shared::cluster.u32 [%r6], 0;"));
}

TEST(Mapa, OfAnAddressThatIsNotSharedIsAFault) {
  expect_fault(DiagnosticKind::kOutOfBounds, "not one of the cluster's shared memory",
               run_body("mapa.u64 %rd5, %rd2, 0;"));
}

TEST(SharedWindow, OfAClusterHoldsTheBlocksOwn) {
  const auto run = with_tile(
      "mov.u64 %rd5, tile; cvta.shared::cluster.u64 %rd6, %rd5; mov.u64 %rd7, 0;"
      "isspacep.shared::cluster %p1, %rd6; isspacep.shared::cta %p2, %rd6;"
      "isspacep.shared %p3, %rd6; isspacep.shared::cluster %p4, %rd2;"
      "@%p1 add.u64 %rd7, %rd7, 1; @%p2 add.u64 %rd7, %rd7, 2; @%p3 add.u64 %rd7, %rd7, 4;"
      "@%p4 add.u64 %rd7, %rd7, 8; cvta.to.shared::cluster.u64 %rd8, %rd6;"
      "setp.eq.u64 %p5, %rd8, %rd5; @%p5 add.u64 %rd7, %rd7, 16; st.global.u64 [%rd1], %rd7;");
  expect_clean(run);
  EXPECT_THAT(run.out, Each(1U + 2 + 4 + 16));
}

TEST(ClusterInstructions, ChangeOnlyActiveLanes) {
  expect_lane_rules("r", "getctarank.shared::cluster.u32 $d, %r1");
  expect_lane_rules("r", "mapa.shared::cluster.u32 $d, %r1, 0");
}

// Accesses to the barrier of the grid: how they are counted, and the events that observers get.

using testing::ElementsAre;

// Records the accesses to the barrier and its events, in the order of blocks.
class GridWatch final : public run::Observer {
 public:
  std::unique_ptr<run::Observer> fork() const override { return std::make_unique<GridWatch>(); }
  void join(run::Observer& other) override { seen += static_cast<GridWatch&>(other).seen + "|"; }
  void on_memory(const run::MemoryEvent& event) override {
    if (event.space != run::Space::kGlobal || event.address[0] != run::kGridBarrier) return;
    seen += run::is_atomic(event.operation) ? "a" : "l";
  }
  void on_grid(const run::GridEvent& event) override {
    seen += event.kind == run::GridEvent::Kind::kArrive ? "A" : "P";
  }

  std::string seen;
};

// An H100 counts 120 atomics and 120 loads for 20 barriers of 6 blocks (ncu 2025.3).
TEST(GridAccess, EachBarrierIsAnAtomicAndALoadOfEachBlock) {
  GridWatch watch;
  run::Options options;
  options.observers = {&watch};
  run_cooperative("grid.sync(); grid.sync();", 3, 64, options);
  EXPECT_EQ("aAlPaAlP|aAlPaAlP|aAlPaAlP|", watch.seen);
}

TEST(GridAccess, ThreadsCanWorkBetweenArrivalAndWait) {
  const auto run = run_cooperative(
      "x[i] = i; auto token = grid.barrier_arrive(); out[i] = 5; "
      "grid.barrier_wait(static_cast<decltype(token)&&>(token)); out[i] += x[(i + 32) % 96];",
      3, 32);
  ASSERT_TRUE(run.result.diagnostics.empty()) << run.result.diagnostics[0].message;
  EXPECT_EQ(5 + 33, run.out[1]);
  EXPECT_EQ(5 + 1, run.out[65]);
}

TEST(GridAccess, TheGroupIsValidInACooperativeLaunchOnly) {
  const char* body = "if (i == 0) out[0] = grid.is_valid() ? 1 : 2;";
  EXPECT_EQ(1, run_cooperative(body, 2, 32).out[0]);
  EXPECT_EQ(2, run_cooperative(body, 2, 32, {}, /*cooperative=*/false).out[0]);
}

}  // namespace warpgrade::sim::cooperative_test

// SPDX-License-Identifier: Apache-2.0
// Accesses to the barrier of the grid: how they are counted, and the events that observers get.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/cooperative_kernel.h"

namespace warpgrade::sim::grid_test {

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

}  // namespace warpgrade::sim::grid_test

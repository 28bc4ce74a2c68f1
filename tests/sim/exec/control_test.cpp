// SPDX-License-Identifier: Apache-2.0
// Branches, returns, traps: the path of each lane, and a warp's reports of fences.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::control_test {

using base::DiagnosticKind;
using testing::Each;

TEST(Trap, EndsTheKernelAndNamesTheThread) {
  const auto run = run_body("setp.eq.u32 %p1, %r29, 5; @%p1 trap;");
  expect_fault(DiagnosticKind::kTrap, "the kernel stopped at a trap: at __trap()", run);
  EXPECT_EQ(5U, run.result.diagnostics[0].thread.value().x);
}

// cooperative_groups.h traps in grid.sync() if the registers hold no address of a workspace.
TEST(Trap, OfTheToolkitInABarrierOfTheGridIsNotTheStudents) {
  PtxLaunch launch;
  launch.before = ".file 7 \"<cooperative_groups/details/sync.h>\"";
  launch.body = "mov.u32 %r1, %envreg1; .loc 7 3 1\n trap;";
  expect_fault(DiagnosticKind::kUnsupported, "needs a cooperative launch", run_ptx(launch));
  launch.body = "mov.u32 %r1, %envreg1; setp.eq.u32 %p1, %r1, 0; @%p1 trap; .loc 7 3 1\n trap;";
  expect_fault(DiagnosticKind::kTrap, "the kernel stopped at a trap", run_ptx(launch));
}

TEST(Breakpoint, IsTheKernelsOwnFaultWhereItIsReached) {
  const auto run = run_body("setp.eq.u32 %p1, %r29, 5; @%p1 brkpt;");
  expect_fault(DiagnosticKind::kTrap, "no debugger is there", run);
  EXPECT_EQ(5U, run.result.diagnostics[0].thread.value().x);
  expect_clean(run_body("setp.eq.u32 %p1, %r29, 99; @%p1 brkpt;"));
}

constexpr const char* kStore = "cvt.u64.u32 %rd5, %r5; st.global.u64 [%rd1], %rd5;";

TEST(Branches, ANegatedGuardTakesTheOtherLanes) {
  const auto run =
      run_body("setp.lt.u32 %p1, %r29, 4; mov.u32 %r5, 1; @!%p1 bra $end; mov.u32 %r5, 2; $end:" +
               std::string(kStore));
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(i < 4 ? 2U : 1U, run.out[i]);
}

const std::string kTable =
    "$table: .branchtargets $a, $b, $c; brx.idx %r4, $table; $a: mov.u32 %r5, 10; bra $end;"
    "$b: mov.u32 %r5, 11; bra $end; $c: mov.u32 %r5, 12; $end:";

TEST(Branches, AJumpTableLeadsEachLaneToItsOwn) {
  const auto run = run_body("rem.u32 %r4, %r29, 3;" + kTable + kStore);
  expect_clean(run);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(10 + i % 3, run.out[i]);
}

TEST(Branches, AnIndexPastTheJumpTableIsATrap) {
  expect_fault(DiagnosticKind::kTrap, "a jump table's index is past its end",
               run_body("add.u32 %r4, %r29, 0; min.u32 %r4, %r4, 3;" + kTable + kStore));
}

TEST(Branches, ALoopRunsAsOftenAsEachLaneNeeds) {
  const auto run = run_body(
      "mov.u32 %r5, 0; $loop: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, %r29; @%p1 bra $loop;" +
      std::string(kStore));
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(i == 0 ? 1 : i, run.out[i]);
}

TEST(Returns, AGuardedReturnEndsItsLanesOnly) {
  const auto run =
      run_body("mov.u32 %r5, 1; setp.ge.u32 %p1, %r29, 3; @%p1 ret;" + std::string(kStore));
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(i < 3 ? 1U : 0U, run.out[i]);
}

TEST(Traps, UnderAGuardThatNoLaneHasDoNothing) {
  const auto run =
      run_body("mov.u32 %r5, 1; setp.ge.u32 %p1, %r29, 99; @%p1 trap;" + std::string(kStore));
  expect_clean(run);
  EXPECT_THAT(run.out, Each(1U));
}

/// Records whether each fence is device-wide.
class Fences final : public run::Observer {
 public:
  std::unique_ptr<run::Observer> fork() const override { return std::make_unique<Fences>(); }
  void join(run::Observer& other) override { seen = dynamic_cast<Fences&>(other).seen; }
  void on_order(const run::OrderEvent& event) override {
    if (event.kind == run::OrderEvent::Kind::kFence) seen.push_back(event.device_wide);
  }
  std::vector<bool> seen;
};

TEST(Fences, TellHowFarTheyReach) {
  Fences fences;
  PtxLaunch launch;
  launch.body = "membar.cta; membar.gl; membar.sys; fence.acq_rel.cta; fence.sc.gpu;";
  launch.options.observers = {&fences};
  expect_clean(run_ptx(launch));
  EXPECT_EQ((std::vector<bool>{false, true, true, false, true}), fences.seen);
}

}  // namespace warpgrade::sim::control_test

// SPDX-License-Identifier: Apache-2.0
// Machine order: what ptxas may move and what it may not.
#include "common/timing/schedule.h"

#include <gtest/gtest.h>

#include <map>

#include "common/device/profile.h"
#include "common/ptx/module.h"

namespace warpgrade::timing::schedule_test {

std::vector<MachineOp> machine(const std::string& body, const char* device = "h200") {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n"
      ".reg .pred %p<9>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n" +
          body + "}\n",
      "k.ptx");
  return machine_code(module.functions.at(0), device::find(device));
}

/// All instructions executed once; memory instructions make a request.
std::vector<Executed> all(const std::vector<MachineOp>& ops) {
  std::vector<Executed> stretch;
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    const auto kind = ops[i].kind;
    const bool requests = kind == MachineOp::Kind::kLoad || kind == MachineOp::Kind::kStore;
    stretch.push_back({i, requests ? 1U : 0U, false});
  }
  return stretch;
}

/// Requests by number and waits, in machine order: "0 1 w 2".
std::string order(const std::vector<MachineOp>& ops, const std::vector<Executed>& stretch) {
  std::string text;
  for (const Step& step : schedule(ops, stretch)) {
    if (step.kind == Step::Kind::kRequest) text += std::to_string(step.value) + " ";
    if (step.kind == Step::Kind::kWait || step.kind == Step::Kind::kWaitHere) text += "w ";
    if (step.kind == Step::Kind::kBarrier) text += "b ";
  }
  if (!text.empty()) text.pop_back();
  return text;
}
std::string order(const std::vector<MachineOp>& ops) { return order(ops, all(ops)); }

// A copy loop with plain pointers: `in` may alias `out`, so the second load stays after the first
// store. (The tracer drops the waits for %rd1 and %rd2, which no request answers.)
TEST(Schedule, ALoadStaysBehindAGlobalStoreThatMayAliasIt) {
  const auto ops = machine(
      "ld.global.f32 %f1, [%rd1];\nst.global.f32 [%rd2], %f1;\n"
      "ld.global.f32 %f2, [%rd1+4];\nst.global.f32 [%rd2+4], %f2;\n");
  EXPECT_EQ("w 0 w w 1 2 w 3", order(ops));
}

// Two joined iterations of a loop that adds what it loads. The second load has its own register.
TEST(Schedule, LoadsOfJoinedPassesAreInFlightTogether) {
  const auto ops = machine("ld.global.f32 %f1, [%rd1];\nadd.f32 %f2, %f2, %f1;\n");
  const std::vector<Executed> once = {{0, 1, false}, {1, 0, false}};
  EXPECT_EQ("w 0 w w", order(ops, once));  // %rd1, %f2, the load
  std::vector<Executed> twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  EXPECT_EQ("w 0 1 w w w", order(ops, twice));
}

// Four joined iterations, with two loads in flight in machine code: each use lets the next load
// issue.
TEST(Schedule, JoinedPassesLoadAheadAsFarAsMachineCode) {
  auto ops = machine("ld.global.f32 %f1, [%rd1];\nadd.f32 %f2, %f2, %f1;\n");
  std::vector<Executed> stretch;
  for (int pass = 0; pass < 4; ++pass) {
    stretch.push_back({0, 1, false});
    stretch.push_back({1, 0, false});
  }
  EXPECT_EQ("w 0 1 2 3 w w w w w", order(ops, stretch));
  ops[1].loads_ahead = 2;
  EXPECT_EQ("w 0 1 w w 2 w 3 w w", order(ops, stretch));
}

const char* const kTwoCopies =
    "ld.global.f32 %f1, [%rd1];\nld.global.nc.f32 %f2, [%rd1+4];\n"
    "st.global.f32 [%rd2], %f1;\nst.global.f32 [%rd2+4], %f2;\n";

// Machine code has the second load behind the first store.
TEST(Schedule, MachineCodesOrderCounts) {
  auto ops = machine(kTwoCopies);
  EXPECT_EQ("w 0 1 w w 2 w 3", order(ops));  // %rd1, the loads, then %f1, %rd2, and %f2
  for (const auto& [op, at] : std::map<int, std::uint32_t>{{0, 1}, {1, 3}, {2, 2}, {3, 4}})
    ops[op].places = {{.at = at}};
  EXPECT_EQ("w 0 w w 2 1 w 3", order(ops));
}

// Both loads set barrier 0, for which the first store waits.
TEST(Schedule, LoadsThatSetOneBarrierAreAwaitedTogether) {
  auto ops = machine(kTwoCopies);
  ops[0].places = {{.at = 1, .sets = 1}};
  ops[1].places = {{.at = 2, .sets = 1}};
  ops[2].places = {{.at = 3, .waits = {3}}};
  ops[3].places = {{.at = 4}};
  EXPECT_EQ("w 0 1 w w w 2 3", order(ops));
  // Its address was computed between the loads, by an instruction that waited for the barrier.
  ops[2].places = {{.at = 3, .waits = {2}}};
  EXPECT_EQ("w 0 1 w w 2 w 3", order(ops));
}

// Loads after a warp barrier wait for the stores before it, so these stores are not urgent: both
// loads from global memory are in flight first.
TEST(Schedule, AWarpBarrierLetsLoadsBeforeItGoFirst) {
  const auto ops = machine(
      "ld.global.f32 %f1, [%rd1];\nst.shared.f32 [%r1], %f1;\n"
      "ld.global.f32 %f2, [%rd1+4];\nst.shared.f32 [%r1+4], %f2;\n"
      "bar.warp.sync -1;\nld.shared.f32 %f3, [%r2];\n");
  EXPECT_EQ("w 0 2 w w 1 w 3 w 4", order(ops));
}

// The first sum has a spill request. No instruction waits for it.
TEST(Schedule, NoInstructionWaitsForASpilledRegister) {
  const auto ops = machine("add.f32 %f1, %f2, %f3;\nadd.f32 %f4, %f1, %f1;\n");
  EXPECT_EQ("w w 0", order(ops, {{0, 1, false}, {1, 0, false}}));  // %f2, %f3
}

// An H200 counts these as wavefronts of shared memory, as reductions with predicated last rounds
// show.
TEST(Schedule, WhatAPredicateTurnsOffAndShufflesPassTheSharedStage) {
  const auto passes = [](const std::vector<MachineOp>& ops, bool is_off) {
    std::uint32_t sum = 0;
    for (const Step& step : schedule(ops, std::vector<Executed>{{0, 0, is_off}})) {
      if (step.kind == Step::Kind::kPass) sum += step.value;
    }
    return sum;
  };
  const std::string load = "@%p1 ld.shared.f32 %f1, [%r1];\n";
  EXPECT_EQ(1U, passes(machine(load), true));
  EXPECT_EQ(0U, passes(machine("@%p1 add.f32 %f1, %f1, %f2;\n"), true));
  EXPECT_EQ(1U, passes(machine("shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;\n"), false));
  EXPECT_EQ(0U, passes(machine(load, "k40"), true));
}

TEST(Schedule, ReadOnlyLoadsPassGlobalStores) {
  const auto ops = machine(
      "ld.global.nc.f32 %f1, [%rd1];\nst.global.f32 [%rd2], %f1;\n"
      "ld.global.nc.f32 %f2, [%rd1+4];\nst.global.f32 [%rd2+4], %f2;\n");
  EXPECT_EQ("w 0 2 w w 1 w 3", order(ops));
}

TEST(Schedule, LoadsPassStoresToSharedMemory) {
  const auto ops = machine(
      "ld.global.f32 %f1, [%rd1];\nst.shared.f32 [%r1], %f1;\n"
      "ld.global.f32 %f2, [%rd1+4];\nst.shared.f32 [%r1+4], %f2;\n");
  EXPECT_EQ("w 0 2 w w 1 w 3", order(ops));
}

// ptxas unrolls such a loop four times and issues all loads before the first atomic (shared_max in
// tests/evidence/launches/kernels). It moves no load above an atomic on global memory.
TEST(Schedule, LoadsPassAtomicsOnSharedMemory) {
  const auto of = [](const std::string& memory) {
    return order(machine("ld.global.f32 %f1, [%rd1];\nred." + memory +
                         ".add.f32 [%rd3], %f1;\nld.global.f32 %f2, [%rd1+4];\n"
                         "add.f32 %f3, %f1, %f2;\n"));
  };
  EXPECT_EQ("w 0 1 w w w", of("shared"));
  EXPECT_EQ("w 0 w w 1 w", of("global"));
}

TEST(Schedule, NothingPassesABarrier) {
  const auto ops = machine("st.shared.f32 [%r1], %f1;\nbar.sync 0;\nld.shared.f32 %f2, [%r2];\n");
  EXPECT_TRUE(ops[1].ends_stretch);  // so that the load is in another stretch
  EXPECT_EQ(MachineOp::Kind::kBarrier, ops[1].kind);
}

TEST(Schedule, AVolatileAccessIsAFence) {
  const auto ops = machine(
      "ld.volatile.global.f32 %f1, [%rd1];\nst.shared.f32 [%r1], %f1;\n"
      "ld.volatile.global.f32 %f2, [%rd1+4];\n");
  EXPECT_EQ(MachineOp::Kind::kFence, ops[0].kind);
}

TEST(Schedule, AnAddressThatIsLoadedIsWaitedFor) {
  const auto ops = machine("ld.global.u64 %rd2, [%rd1];\nld.global.f32 %f1, [%rd2];\n");
  EXPECT_EQ("w 0 w 1", order(ops));
}

// Two elements whose indices come from memory: both indices are loaded first, then both elements.
// Each element waits only for its own index. (%rd8 is the base, from before the stretch.)
constexpr const char* kTwoGathers =
    "ld.global.u32 %r1, [%rd1];\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd8, %rd2;\n"
    "ld.global.f32 %f1, [%rd3];\n"
    "ld.global.u32 %r2, [%rd1+4];\nmul.wide.u32 %rd4, %r2, 4;\nadd.s64 %rd5, %rd8, %rd4;\n"
    "ld.global.f32 %f2, [%rd5];\nadd.f32 %f3, %f1, %f2;\n";

TEST(Schedule, AllIndicesOfGathersAreLoadedBeforeTheFirstIsAwaited) {
  EXPECT_EQ("w 0 2 w w 1 w 3 w w", order(machine(kTwoGathers)));
}

TEST(Schedule, LoadsBehindMoreLoadsIssueLater) {
  const auto ops = machine(
      "ld.global.u64 %rd2, [%rd1];\nld.global.u64 %rd3, [%rd2];\nld.global.f32 %f1, [%rd3];\n"
      "ld.global.u64 %rd4, [%rd1+8];\nld.global.f32 %f2, [%rd4];\n");
  EXPECT_EQ("w 0 3 w 1 w 4 w 2", order(ops));
}

// A load waits for nothing if it only reuses a register that an earlier load has read.
TEST(Schedule, AReusedAddressRegisterIsNoWait) {
  const auto ops = machine(
      "ld.global.f32 %f1, [%rd1];\nadd.s64 %rd1, %rd1, 4;\nld.global.f32 %f2, [%rd1];\n"
      "ld.global.u64 %rd3, [%rd2];\nld.global.f32 %f3, [%rd3];\n");
  EXPECT_EQ("w 0 1 w 2 w 3", order(ops));
}

// On Hopper a result is available after 4 clocks, so a chain of three takes 4 + 4 + 1.
TEST(Schedule, AChainTakesItsLatencies) {
  const auto ops = machine(
      "add.s32 %r2, 1, 2;\nadd.s32 %r3, %r2, 1;\nadd.s32 %r4, %r3, 1;\nadd.s32 %r5, 3, 4;\n");
  const auto steps = schedule(ops, all(ops));
  ASSERT_EQ(1U, steps.size());
  EXPECT_EQ((Step{Step::Kind::kCompute, 4, 4 + 4 + 1 + 1}), steps[0]);
}

TEST(MachineCode, ParametersAddressesAndMovesCostNothing) {
  const auto ops = machine(
      "mov.u32 %r1, %r2;\nmul.wide.s32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
      "cvta.to.global.u64 %rd5, %rd4;\nmov.u32 %r3, %tid.x;\n");
  EXPECT_EQ(0, ops[0].slots);
  EXPECT_EQ(1, ops[1].slots);
  EXPECT_EQ(0, ops[2].slots);  // one IMAD.WIDE with the multiplication
  EXPECT_EQ(0, ops[3].slots);
  EXPECT_EQ(1, ops[4].slots);  // S2R
}

TEST(MachineCode, ADivisionIsManyInstructions) {
  const auto ops = machine("rem.u32 %r1, %r2, %r3;\ndiv.u64 %rd1, %rd2, %rd3;\n");
  EXPECT_LE(15, ops[0].slots);
  EXPECT_LE(60, ops[1].slots);
}

TEST(MachineCode, AShortBranchBecomesAPredicateALoopDoesNot) {
  const auto ops = machine(
      "$top:\n@%p1 bra $end;\nld.global.f32 %f1, [%rd1];\n$end:\nadd.s32 %r1, %r1, 1;\n"
      "@%p2 bra $top;\nret;\n");
  EXPECT_TRUE(ops[0].begins_stretch);
  EXPECT_FALSE(ops[0].ends_stretch);
  EXPECT_EQ(0, ops[0].slots);
  EXPECT_TRUE(ops[3].ends_stretch);
}

TEST(MachineCode, WhatAPredicateTurnsOffStillIssues) {
  const auto ops = machine("ld.global.f32 %f1, [%rd1];\nadd.f32 %f2, %f1, %f1;\n");
  const auto steps = schedule(ops, std::vector<Executed>{{0, 0, true}, {1, 0, true}});
  ASSERT_EQ(3U, steps.size());
  EXPECT_EQ((Step{Step::Kind::kCompute, 1, 1}), steps[0]);
  EXPECT_EQ((Step{Step::Kind::kPass, 0, 1}), steps[1]);
  EXPECT_EQ((Step{Step::Kind::kCompute, 1, 1}), steps[2]);
}

}  // namespace warpgrade::timing::schedule_test
